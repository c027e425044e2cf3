import { isComplete } from "../../core/landing.ts";
import type { RunState } from "../../core/run-state.ts";
import { type NextCommand, nextCommands } from "../../core/select/next-commands.ts";
import { shellWord } from "../../core/select/preview/commands.ts";

/** What to type after a run of a folder: cpo's own words where it has them, for they keep its files true. */
export function cpoNext(
  state: RunState,
  { typed, named }: { readonly typed: string; readonly named: string },
): NextCommand[] {
  const again = `${typed} run ${shellWord(named)} --retry-failed`;
  const isLeft = !isComplete(state);
  const first = isLeft ? [{ command: again, says: "go on with it" }] : [];
  const others = nextCommands(state).flatMap(({ command, says }): NextCommand[] => {
    if (/^plait (?:retry|resume) /.test(command)) return isLeft ? [] : [{ command: again, says }];
    if (/^plait land /.test(command) && !isLeft && state.landing.kind === "refused")
      return [{ command: again, says }];
    return [{ command: ofRun(command, state.run), says }];
  });
  return [...first, ...others];
}

/** The latest run of the repository need not be this one. */
function ofRun(command: string, run: string): string {
  const isAsked = /^plait (?:open|accept|drop|logs|approve) /.test(command) && !command.includes(" --run ");
  return isAsked ? `${command} --run ${run}` : command;
}

/** Why what is done is not on its branch, as one line; null where it is, or where it was never tried. */
export function notLanded({ landing }: RunState): string | null {
  if (landing.kind === "refused") return `Not landed: ${landing.detail}`;
  return landing.kind === "undone" ? "Not landed: it was taken back with plait undo" : null;
}
