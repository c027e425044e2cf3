import { isComplete } from "../../core/landing.ts";
import type { RunState } from "../../core/run-state.ts";
import { listNextSteps } from "../../core/select/next-steps.ts";
import { formatRefusedMove } from "../../core/select/run-status-text.ts";
import { formatCommand, type NextStep, otherCommand, plait } from "../../core/text/command.ts";
import { plainText } from "../../core/text/sentence.ts";

/** What to type after a run of a folder: cpo's own commands where it has them, for they keep its files true. */
export function listCpoSteps(
  state: RunState,
  { typed, named }: { readonly typed: string; readonly named: string },
): NextStep[] {
  const again = otherCommand(typed, "run", [named, "--retry-failed"]);
  const isLeft = !isComplete(state);
  const first = isLeft ? [{ command: again, purpose: "continue the run" }] : [];
  const others = listNextSteps(state, { isRunning: false }).flatMap((step): NextStep[] => {
    const { command, purpose } = step;
    const isOf = (...verbs: readonly string[]) => command.program === "plait" && verbs.includes(command.verb);
    if (isOf("retry", "resume")) return isLeft ? [] : [{ command: again, purpose }];
    const isRefused = state.landing.kind === "refused" && state.landing.why !== "no-target"; // cpo has no --onto
    if (isOf("land") && !isLeft && isRefused) return [{ command: again, purpose }];
    return [step];
  });
  const steps = new Map([...first, ...others].reverse().map((step) => [formatCommand(step.command), step]));
  return [...steps.values()].reverse();
}

/** Why the result is not on its branch, as one line; null where it is, or where it was never tried. */
export function notLanded({ landing }: RunState): string | null {
  if (landing.kind === "refused") return `Not landed: ${plainText(formatRefusedMove(landing))}`;
  return landing.kind === "undone"
    ? `Not landed: the landing was undone with ${formatCommand(plait("undo"))}`
    : null;
}
