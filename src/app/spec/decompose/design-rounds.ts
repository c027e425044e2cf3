// The architect is asked, its design is checked, and what is wrong with it goes back, as often as whoever asks allows. From the second
// round on it answers with a patch of its design. A person's correction of a design that holds takes the same way.

import type { Caps } from "../../../core/caps.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { designPrompt } from "../../../spec/design/design-prompt.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { readPatchableDesign } from "../../../spec/design/patch.ts";
import { strictPatchJsonSchema } from "../../../spec/design/patch-schema.ts";
import {
  correctedPrompt,
  correctionPrompt,
  repairPrompt,
  wholeCorrectionPrompt,
  wholeRepairPrompt,
} from "../../../spec/design/repair-prompt.ts";
import type { Ask, Question } from "../../ask/asking.ts";
import type { CheckedDesign } from "./check-design.ts";
import { readAnswer } from "./design-answer.ts";
import type { Decomposition } from "./prepare.ts";

export type Rounds = {
  /** How often a design that does not hold goes back. */
  readonly most: number;
  readonly caps: Caps;
  readonly check: (text: string) => Promise<CheckedDesign>;
  /** Before each question: the number of it, and what is wrong with the design before. */
  readonly onRound: (n: number, errors: readonly Diagnostic[]) => void;
};

export type DesignOutcome = {
  /** The last design that there was; null where there was none. Only without `errors` and `failure` is it what was asked for. */
  readonly checked: CheckedDesign | null;
  /** What is wrong with the last answer: with its design, with its patch, or that there is no document in it. */
  readonly errors: readonly Diagnostic[];
  /** What was said at the end instead of a design; null where there was one. */
  readonly words: string | null;
  /** How often the architect was asked. */
  readonly rounds: number;
  /** Why it ended without a design that holds, where it was not for the lack of rounds. */
  readonly failure: AttemptFailure | null;
  /** The last two designs had the same errors. */
  readonly again: boolean;
};

/** A design of the tech spec. */
export function designRounds(decomposition: Decomposition, ask: Ask, rounds: Rounds): Promise<DesignOutcome> {
  const prompt = firstPrompt(decomposition);
  return talkUntilGood(ask, rounds, { prompt, question: { prompt, more: null }, checked: null });
}

export type DesignCorrection = {
  /** The design as it is, which a patch can change: one that holds. */
  readonly current: CheckedDesign;
  /** What a person wants of it, in their own words: "merge 2 and 3". */
  readonly sentence: string;
};

/**
 * The design changed as a person wants it. The architect is asked in its own conversation where `ask` is the one that it designed with;
 * else it gets all that it was asked and the design along. Where it does not manage, `checked` is the last design that there was.
 */
export function correctDesign(
  decomposition: Decomposition,
  ask: Ask,
  { current, sentence, ...rounds }: DesignCorrection & Rounds,
): Promise<DesignOutcome> {
  const prompt = firstPrompt(decomposition);
  const question = {
    prompt: wholeCorrectionPrompt(prompt, current.text, sentence),
    more: correctionPrompt(sentence),
    schema: strictPatchJsonSchema(),
  };
  return talkUntilGood(ask, rounds, {
    prompt: correctedPrompt(prompt, sentence),
    question,
    checked: current,
  });
}

type Start = {
  /** All that a repair is told in front of what is new, where nothing is remembered. */
  readonly prompt: string;
  readonly question: Question;
  readonly checked: CheckedDesign | null;
};

async function talkUntilGood(
  ask: Ask,
  { most, caps, check, onRound }: Rounds,
  { prompt, ...start }: Start,
): Promise<DesignOutcome> {
  let { question, checked } = start;
  let words: string | null = null;
  let errors: readonly Diagnostic[] = [];
  let again = false;
  for (let n = 1; ; n += 1) {
    onRound(n, errors);
    const reply = await ask(question);
    if (!reply.ok) return { checked, errors, words, rounds: n, failure: reply.failure, again };
    const answer = await readAnswer(reply.text, { before: checked, check, caps });
    again = isSame(errors, answer.errors);
    ({ checked, words, errors } = answer);
    if (errors.length === 0 || n > most) return { checked, errors, words, rounds: n, failure: null, again };
    const isPatchable = checked !== null && readPatchableDesign(checked.text) !== null;
    const design = isPatchable ? (checked?.text ?? null) : null;
    const repair = { errors, again, said: answer.text, design, hasDocument: words === null };
    const prompts = { prompt: wholeRepairPrompt(prompt, repair), more: repairPrompt(repair) };
    question = design === null ? prompts : { ...prompts, schema: strictPatchJsonSchema() };
  }
}

function firstPrompt(decomposition: Decomposition): string {
  const { techSpecId, spec, prd, requirements, technology, guessed, agents, files } = decomposition;
  if (spec === null) throw new Error("without a tech spec there is nothing to design");
  return designPrompt({
    requirements: requirements?.requirements ?? [],
    ...{ techSpecId, spec, prd, technology: technology ?? guessed, agents, files: files ?? [] },
    schema: strictJsonSchema(),
  });
}

/** By what they say: places move from design to design. */
function isSame(before: readonly Diagnostic[], now: readonly Diagnostic[]): boolean {
  const words = (found: readonly Diagnostic[]) =>
    found.map(({ code, message }) => `${code} ${message}`).join("\n");
  return now.length > 0 && words(before) === words(now);
}
