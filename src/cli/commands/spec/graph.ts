import { join } from "node:path";
import { writeGraph } from "../../../app/spec/write-overviews.ts";
import { plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { GRAPH } from "../../../spec/task-graph-text.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { printDiagnostics, resolveCaps } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";

/** `plait spec graph <folder>`: draws task-graph.md from the manifest and the task files. */
export const graph: RunCommand = async (request) => {
  const { args, options, output } = request;
  const named = args[0] as string;
  const place = { cwd: process.cwd(), caps: resolveCaps(request) };
  const written = granted(await writeGraph(named, place, new Date().toISOString()));
  const findings = written.diagnostics;
  printDiagnostics(findings, written.sources, request, named);
  const exit = written.graph === null ? exitCodes.badRequest : exitCodes.ok;
  if (options.json === true) {
    const { isNew = false, backup = null } = written.graph ?? {};
    const file = written.graph === null ? null : join(named, GRAPH);
    const before = backup === null ? null : join(named, backup);
    output.json({ v: 1, ok: exit === exitCodes.ok, exit, changed: isNew, file, backup: before, findings });
  } else if (written.graph !== null) {
    const { tasks, isNew, backup } = written.graph;
    const name = (path: string) => shown(join(named, path), output.glyphs);
    output.result([
      [`${name(GRAPH)}: ${count(tasks, "task")}, ${isNew ? "redrawn" : "unchanged"}`],
      ...(backup === null ? [] : [[`previous graph: ${name(backup)}`]]),
      nextCommand(plait("validate", named)),
    ]);
  }
  return exit;
};
