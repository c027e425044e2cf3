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

function tell(facts: readonly Fact[], { output }: Request, run: string): ExitCode {
  const { glyphs } = output;
  const last = facts.findLast(({ type }) => type === "landing.undone" || type === "undo.refused");
  const told = last ?? facts.find((fact) => fact.type === "effect.failed" && fact.key.startsWith("undo "));
  for (const fact of told === undefined ? [] : [told]) {
    if (fact.type === "landing.undone") {
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
    if (fact.type === "undo.refused" || fact.type === "effect.failed") {
      output.say(warn(`not taken back: ${fact.detail}`, output));
      return exitCodes.incomplete;
    }
  }
  output.say(warn(`not taken back: the run ended without a word about it`, output));
  return exitCodes.incomplete;
}
