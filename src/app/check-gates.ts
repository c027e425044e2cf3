import { startOf } from "../core/analyze/findings.ts";
import type { Plan, Task } from "../core/plan.ts";
import type { Diagnostic } from "../core/source.ts";
import type { PlanInput } from "../formats/format.ts";
import { buildFileFinding } from "./file-catalog.ts";

/**
 * A warning where agents change files and nothing checks any of it: such work lands as soon as the agents end. A command that
 * runs after an agent checks its work, as the validation of a wave does; read-only tasks land nothing.
 */
export function checkGates({ tasks, gates, source }: Plan, input: PlanInput | null): Diagnostic | null {
  const isWritten = tasks.some(({ work, access }) => work.kind === "agent" && access === "write");
  const isChecked = tasks.some((task) => task.gates.length > 0 || isCommandAfterOthers(task));
  if (!isWritten || gates.length > 0 || isChecked) return null;
  const at = input?.kind === "file" ? startOf(input.path) : null;
  return buildFileFinding("no-gates", { format: source.format, path: source.path }, at);
}

function isCommandAfterOthers({ work, needs }: Task): boolean {
  return work.kind === "command" && needs.length > 0;
}
