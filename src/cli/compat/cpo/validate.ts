import type { LoadedPlan } from "../../../app/index.ts";
import type { Plan } from "../../../core/plan.ts";
import { count } from "../../../core/text/figures.ts";
import { kindOf } from "../../../report/cpo/outline.ts";
import { exitCodes } from "../../exit-codes.ts";
import { annotateForGithub, readPlan } from "../../plan-file.ts";
import { renderDiagnostics, summary } from "../../render/diagnostics.ts";
import type { Line } from "../../render/line.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import type { Around } from "../command-lines.ts";
import { asked, type CpoFolder } from "./folder.ts";

/** `cpo validate <dir>`: all findings with their places, and whether the folder is valid. They are the result: stdout. */
export async function validate(folder: CpoFolder, around: Around): Promise<number> {
  const request = asked(around, folder, { format: "cpo" });
  const loaded = await readPlan(request, { runCommands: false, inspect: true });
  const { plan } = loaded;
  const told = findingLines(loaded, request);
  const verdict = plan === null ? `${folder.named}: not valid` : `${folder.named}: valid, ${figures(plan)}`;
  around.output.result([...told, [shown(verdict, around.output.glyphs)]]);
  return plan === null ? exitCodes.incomplete : exitCodes.ok;
}

/** Nothing is wrong with such tasks. */
const QUIET = "no-owns";

export function findingLines({ diagnostics, sources }: LoadedPlan, request: Request): Line[] {
  const { args, output } = request;
  const found = diagnostics.filter(({ code }) => code !== QUIET);
  if (found.length === 0) return [];
  annotateForGithub(found, request);
  return [
    ...renderDiagnostics(found, { sources, ...output.look }),
    summary(found, args[0] ?? "", output.glyphs),
  ];
}

function figures({ tasks }: Plan): string {
  const listed = tasks.filter((task) => kindOf(task) === "task");
  const waves = new Set(listed.map(({ wave }) => wave)).size;
  return `${count(waves, "wave")}, ${count(listed.length, "task")}`;
}
