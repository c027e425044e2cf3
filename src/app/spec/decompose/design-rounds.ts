// The architect is asked, its design is checked, and what is wrong with it goes back, as often as whoever asks allows. From the second
// round on it answers with a patch of its design. A person's correction of a design that holds takes the same way.

import type { Caps } from "../../../core/caps.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { buildDesignFinding } from "../../../spec/design/catalog.ts";
import { designPrompt } from "../../../spec/design/design-prompt.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { applyPatch, isWholeDesign, readPatchableDesign } from "../../../spec/design/patch.ts";
import { strictPatchJsonSchema } from "../../../spec/design/patch-schema.ts";
import {
  correctedPrompt,
  correctionPrompt,
  repairPrompt,
  wholeCorrectionPrompt,
  wholeRepairPrompt,
} from "../../../spec/design/repair-prompt.ts";
import { hasObject, isCutOff, saidObject } from "../../../spec/said-object.ts";
import type { Ask, Question } from "../../ask/asking.ts";
import type { CheckedDesign } from "./check-design.ts";
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
  readonly rounds: number;
  /** Why it ended without a design that holds, where it was not for the lack of rounds. */
  readonly failure: AttemptFailure | null;
  /** The last two designs had the same errors. */
  readonly again: boolean;
};

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
    found.map(({ code, path, message }) => [code, path, message].join(" ")).join("\n");
  return now.length > 0 && words(before) === words(now);
}

type DesignAnswer = {
  /** The document in the answer, or all of it where there is none. */
  readonly text: string;
  /** The answer where it has no document. */
  readonly words: string | null;
  /** The design after this answer: that before it, where nothing came of it. */
  readonly checked: CheckedDesign | null;
  readonly errors: readonly Diagnostic[];
};

type Reading = {
  /** The design that a patch would change; null where there is none yet. */
  readonly before: CheckedDesign | null;
  readonly check: (text: string) => Promise<CheckedDesign>;
  readonly caps: Caps;
};

/** An answer of the architect: a design, or a patch of the one before. */
async function readAnswer(reply: string, { before, check, caps }: Reading): Promise<DesignAnswer> {
  const text = layOut(saidObject(reply, "tasks"));
  if (!hasObject(text)) return { text, words: text, checked: before, errors: [NO_DOCUMENT] };
  const cutOff = isCutOff(text) ? [INCOMPLETE] : [];
  const current = before === null ? null : readPatchableDesign(before.text);
  if (before === null || current === null || isWholeDesign(text)) {
    const checked = await check(text);
    const errors = checked.errors.length > 0 ? [...cutOff, ...checked.errors] : [];
    return { text, words: null, checked, errors };
  }
  const patched = applyPatch(text, current, caps);
  if (!patched.ok) {
    const errors = [...cutOff, ...patched.diagnostics, ...before.errors];
    return { text, words: null, checked: before, errors };
  }
  const checked = await check(patched.text);
  return { text, words: null, checked, errors: checked.errors };
}

/** All on one line, no place in it would help anybody. */
function layOut(text: string): string {
  if (text.includes("\n")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // what is wrong with it is told
  }
}

const NO_DOCUMENT = buildDesignFinding("design-answer", { kind: "none" }, null);
const INCOMPLETE = buildDesignFinding("design-answer", { kind: "incomplete" }, null);
