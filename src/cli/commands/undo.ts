import { askQuietly, type Fact, findRun, type QuietRequest, type WantedRun } from "../../app/index.ts";
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
  const facts: Fact[] = [];
  const asked: QuietRequest = {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: (fact) => facts.push(fact),
  };
  granted(await askQuietly(host, found, asked));
  return tell(facts, request, found.known.run);
};

/** The last word about it counts; what failed on the way was tried again. */
function tell(facts: readonly Fact[], { output }: Request, run: string): ExitCode {
  const { glyphs } = output;
  const fact =
    facts.findLast(({ type }) => type === "landing.undone" || type === "undo.refused") ??
    facts.findLast((one) => one.type === "effect.failed" && one.key.startsWith("undo "));
  if (fact?.type !== "landing.undone") {
    const why =
      fact !== undefined && "detail" in fact ? fact.detail : "the run ended without a word about it";
    output.say(warn(`not taken back: ${why}`, output));
    return exitCodes.incomplete;
  }
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
