import { listTechSpecs, outOfReach } from "../../../app/spec/tech-specs.ts";
import { defaultCaps } from "../../../config/settings.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { plait } from "../../../core/text/command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { printDiagnostics } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { specDocument, techSpecTable } from "../../render/tech-specs.ts";
import type { RunCommand } from "../../request.ts";
import { placeOf } from "./place.ts";

/** `plait spec list`: all tech specs, with the errors of invalid ones. */
export const list: RunCommand = async (request) => {
  const { options, output } = request;
  const { host, root } = await placeOf(request, plait("spec list"));
  const refusal = await outOfReach(root);
  if (refusal !== null) granted({ ok: false, refusal });
  const all = await listTechSpecs({ root, cwd: host.cwd, caps: defaultCaps });
  // Of one that cannot be read, its folder says it.
  const specs = all.filter(
    (spec) => options.status === undefined || (spec.spec?.status ?? spec.folderStatus) === options.status,
  );
  const findings = onceATwin(all.flatMap(({ diagnostics }) => diagnostics));
  const isBroken = findings.some(({ severity }) => severity === "error");
  const exit = isBroken ? exitCodes.badRequest : exitCodes.ok;
  if (options.json === true) {
    output.json({ v: 1, ok: !isBroken, exit, specs: specs.map(specDocument), findings });
  } else if (specs.length > 0) {
    output.result(techSpecTable(specs, output.look));
  } else {
    const none = options.status === undefined ? "no tech specs yet" : `no ${options.status} tech specs`;
    output.result([
      [none],
      nextCommand(all.length === 0 ? plait("spec new", { placeholder: "title" }) : plait("spec list")),
    ]);
  }
  const sources = new Map(all.flatMap(({ file, text }) => (text === null ? [] : [[file, text] as const])));
  printDiagnostics(findings, sources, request, "tech-specs");
  return exit;
};

/** Each of two is told of the other; who sees both needs it once. */
function onceATwin(findings: readonly Diagnostic[]): Diagnostic[] {
  const told = new Set<string>();
  return findings.filter(({ code, message }) => {
    if (code !== "tech-spec-twice") return true;
    const isNew = !told.has(message);
    told.add(message);
    return isNew;
  });
}
