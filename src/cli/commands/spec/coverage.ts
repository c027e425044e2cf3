import { join } from "node:path";
import { writeCoverage } from "../../../app/spec/write-overviews.ts";
import { plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { COVERAGE_FILE } from "../../../spec/coverage/coverage-text.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { printDiagnostics, resolveCaps } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";

/** `plait spec coverage <folder>`: writes coverage.md, and names what is not covered. */
export const coverage: RunCommand = async (request) => {
  const { args, options, output } = request;
  const named = args[0] as string;
  const place = { cwd: process.cwd(), caps: resolveCaps(request) };
  const { diagnostics, sources, rows, isNew } = granted(await writeCoverage(named, place));
  const findings = diagnostics;
  printDiagnostics(findings, sources, request, named);
  const isBad = findings.some(({ severity }) => severity === "error");
  const exit = rows === null ? exitCodes.badRequest : isBad ? exitCodes.incomplete : exitCodes.ok;
  if (options.json === true) {
    const file = rows === null ? null : join(named, COVERAGE_FILE);
    const requirements = rows ?? [];
    output.json({ v: 1, ok: exit === exitCodes.ok, exit, changed: isNew, file, requirements, findings });
    return exit;
  }
  if (rows === null) return exit;
  const covered = rows.filter(({ tasks }) => tasks.length > 0).length;
  const left = rows.filter(({ outOfScope }) => outOfScope !== null).length;
  const file = shown(join(named, COVERAGE_FILE), output.glyphs);
  const counts = `${covered} of ${count(rows.length, "requirement")} covered${left === 0 ? "" : `, ${left} out of scope`}`;
  output.result([
    [`${file}: ${counts}, ${isNew ? "written" : "unchanged"}`],
    nextCommand(plait("validate", named)),
  ]);
  return exit;
};
