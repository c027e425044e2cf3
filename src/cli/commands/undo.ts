import { findRun, type UndoOutcome, undoRun, type WantedRun } from "../../app/index.ts";
import type { TypedFact } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { findLanded } from "../../core/select/landing-text.ts";
import { formatCommand, otherCommand, plait } from "../../core/text/command.ts";
import { shortOid, shortRef } from "../../core/text/figures.ts";
import { fix, plainText, type Sentence } from "../../core/text/sentence.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { nextLines } from "../render/next-lines.ts";
import { shown } from "../render/visible.ts";
import type { Request, RunCommand } from "../request.ts";

const LANDED: WantedRun = {
  fits: ({ state }) => findLanded(state) !== null,
  since: (state) => findLanded(state)?.at ?? state.clock,
  none: { message: "no run has landed in this repository", hint: fix("list runs", plait("runs")) },
};

/** `plait undo [run]`: undoes the last landing that is on the branch. */
export const undo: RunCommand = async (request) => {
  const [name = null] = request.args;
  const host = createHost(request, plait("undo"));
  const found = granted(await findRun(host, name, LANDED));
  const { outcome } = granted(await undoRun(host, found));
  return printOutcome(outcome, request, found.known.state);
};

function printOutcome(outcome: UndoOutcome, { output }: Request, state: RunState): ExitCode {
  const { run, landing, landings } = state;
  const { glyphs } = output;
  if (outcome.kind === "refused") {
    output.warn(`not undone: ${outcome.why}`);
    output.say(nextLines([outcome.next], { width: output.sayWidth, glyphs }));
    return exitCodes.incomplete;
  }
  const { fact } = outcome;
  const [target, to] = [shown(shortRef(fact.target), glyphs), shortOid(fact.to.commit)];
  const how = fact.how === "moved-back" ? `${target} is back at ${to}` : `reverted by ${to} on ${target}`;
  const earlier = landing.kind === "landed" ? landings.at(-1) : landings.at(-2);
  const left = `an earlier landing is still on ${target}: ${shortOid(earlier?.landing.to.commit ?? "")}; undo it too: ${formatCommand(plait("undo", run))}`;
  output.result([
    [`Undid ${earlier === undefined ? run : `the last landing of ${run}`}: ${how}`],
    ...(earlier === undefined ? [] : [[left]]),
    ...describePushed(state, fact).map((line) => [shown(plainText(line), glyphs)]),
    [shown(plainText(describeLandAgain(state, fact)), glyphs)],
    ...fact.notes.map((note) => [shown(note, glyphs)]),
  ]);
  return exitCodes.ok;
}

/** It landed on the server, too, and is there until the branch is pushed again. */
function describePushed({ published }: RunState, { how, target }: TypedFact<"landing.undone">): Sentence[] {
  const isPushed = published.kind === "published" && published.pullRequests.length === 0;
  if (!isPushed || how === "moved-back") return [];
  const push = otherCommand("git", "push", [published.remote, shortRef(target)]);
  return [fix(`${published.remote} still has the landing; push the undo`, push)];
}

/** A landing lands on the branch of the run's start, unless it is told another. */
function describeLandAgain(
  { run, landingDefaults }: RunState,
  { target }: TypedFact<"landing.undone">,
): Sentence {
  const onto = target === landingDefaults.target ? undefined : shortRef(target);
  return fix(`the work is on plait/${run}/integration; land it again`, plait("land", run, { onto }));
}
