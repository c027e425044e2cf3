import {
  askQuietly,
  findRun,
  type QuietRequest,
  type UndoOutcome,
  undoTold,
  type WantedRun,
} from "../../app/index.ts";
import { shortOid, shortRef } from "../../core/select/run-words.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { shown } from "../render/visible.ts";
import { warn } from "../render/warning.ts";
import type { Request, RunCommand } from "../request.ts";

const LANDED: WantedRun = {
  fits: ({ state }) => state.landing.kind === "landed",
  none: { message: "no run of this repository has landed", hint: "list them: plait runs" },
};

/** `plait undo [run]`: takes a landing back. */
export const undo: RunCommand = async (request) => {
  const [name = null] = request.args;
  const host = hostOf(request, "plait undo");
  const found = granted(await findRun(host, name, LANDED));
  const told = undoTold();
  const asked: QuietRequest = {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: told.hear,
  };
  granted(await askQuietly(host, found, asked));
  return tell(told.outcome(), request, found.known.run);
};

function tell(outcome: UndoOutcome, { output }: Request, run: string): ExitCode {
  const { glyphs } = output;
  if (outcome.kind === "refused") {
    output.say(warn(`not taken back: ${outcome.why}`, output));
    return exitCodes.incomplete;
  }
  const { fact } = outcome;
  const [target, to] = [shown(shortRef(fact.target), glyphs), shortOid(fact.to.commit)];
  const how =
    fact.how === "moved-back" ? `${target} is at ${to} again` : `${to} on ${target} takes it out again`;
  output.result([
    [`${run} is taken back: ${how}`],
    [`its work is on plait/${run}/integration; to land it again: plait land ${run}`],
    ...fact.notes.map((note) => [shown(note, glyphs)]),
  ]);
  return exitCodes.ok;
}
