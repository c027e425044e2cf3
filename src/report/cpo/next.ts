import { isComplete } from "../../core/landing.ts";
import type { RunState } from "../../core/run-state.ts";
import { listNextSteps } from "../../core/select/next-steps.ts";
import { formatCommand, shellWord } from "../../core/text/command.ts";

/** A command line of cpo or of plait, and what it is for. */
export type CpoStep = { readonly command: string; readonly purpose: string };

/** What to type after a run of a folder: cpo's own commands where it has them, for they keep its files true. */
export function listCpoSteps(
  state: RunState,
  { typed, named }: { readonly typed: string; readonly named: string },
): CpoStep[] {
  const again = `${typed} run ${shellWord(named)} --retry-failed`;
  const isLeft = !isComplete(state);
  const first = isLeft ? [{ command: again, purpose: "continue the run" }] : [];
  const others = listNextSteps(state, { isRunning: false, isNamed: true }).flatMap((step): CpoStep[] => {
    const { command, purpose } = step;
    const isOf = (...verbs: readonly string[]) => command.program === "plait" && verbs.includes(command.verb);
    if (isOf("retry", "resume")) return isLeft ? [] : [{ command: again, purpose }];
    const isRefused = state.landing.kind === "refused" && state.landing.why !== "no-target"; // cpo has no --onto
    if (isOf("land") && !isLeft && isRefused) return [{ command: again, purpose }];
    return [{ command: formatCommand(command), purpose }];
  });
  const steps = [...first, ...others];
  return steps.filter(({ command }, at) => steps.findIndex((step) => step.command === command) === at);
}

/** Why the result is not on its branch, as one line; null where it is, or where it was never tried. */
export function notLanded({ landing }: RunState): string | null {
  if (landing.kind === "refused") return `Not landed: ${landing.detail}`;
  return landing.kind === "undone" ? "Not landed: the landing was undone with plait undo" : null;
}
