import {
  askQuietly,
  findRun,
  type QuietRequest,
  trackUndoOutcome,
  type UndoOutcome,
  type WantedRun,
} from "../../app/index.ts";
import type { RunState } from "../../core/run-state.ts";
import { findLanded } from "../../core/select/landing-words.ts";
import { shortOid, shortRef } from "../../core/text/figures.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { shown } from "../render/visible.ts";
import type { Request, RunCommand } from "../request.ts";

const LANDED: WantedRun = {
  fits: ({ state }) => findLanded(state) !== null,
  none: { message: "no run has landed in this repository", hint: "list runs: plait runs" },
};

/** `plait undo [run]`: undoes the last landing that is on the branch. */
export const undo: RunCommand = async (request) => {
  const [name = null] = request.args;
  const host = createHost(request, "plait undo");
  const found = granted(await findRun(host, name, LANDED));
  const told = trackUndoOutcome();
  const asked: QuietRequest = {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: told.onFact,
  };
  granted(await askQuietly(host, found, asked));
  return printOutcome(told.outcome(), request, found.known.state);
};

function printOutcome(
  outcome: UndoOutcome,
  { output }: Request,
  { run, landing, landings }: RunState,
): ExitCode {
  const { glyphs } = output;
  if (outcome.kind === "refused") {
    output.warn(`not undone: ${outcome.why}`);
    return exitCodes.incomplete;
  }
  const { fact } = outcome;
  const [target, to] = [shown(shortRef(fact.target), glyphs), shortOid(fact.to.commit)];
  const how = fact.how === "moved-back" ? `${target} is back at ${to}` : `reverted by ${to} on ${target}`;
  const earlier = landing.kind === "landed" ? landings.at(-1) : landings.at(-2);
  const left = `an earlier landing is still on ${target}: ${shortOid(earlier?.landing.to.commit ?? "")}; undo it too: plait undo ${run}`;
  output.result([
    [`Undid ${earlier === undefined ? run : `the last landing of ${run}`}: ${how}`],
    ...(earlier === undefined ? [] : [[left]]),
    [`the work is on plait/${run}/integration; land it again: plait land ${run}`],
    ...fact.notes.map((note) => [shown(note, glyphs)]),
  ]);
  return exitCodes.ok;
}
