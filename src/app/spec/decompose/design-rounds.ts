// The architect is asked, its design is checked, and what is wrong with it goes back, as often as whoever asks allows.

import type { AttemptFailure } from "../../../core/failure.ts";
import { type Diagnostic, diagnostic } from "../../../core/source.ts";
import type { FormatCode } from "../../../formats/codes.ts";
import { designPrompt, repairPrompt, wholeRepairPrompt } from "../../../spec/design/design-prompt.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { hasObject, isCutOff, saidObject } from "../../../spec/said-object.ts";
import type { Ask, Question } from "../../ask/asking.ts";
import type { CheckedDesign } from "./check-design.ts";
import type { Decomposition } from "./prepare.ts";

export type Rounds = {
  /** How often a design that does not hold goes back. */
  readonly most: number;
  readonly check: (text: string) => Promise<CheckedDesign>;
  /** Before each question: the number of it, and what is wrong with the design before. */
  readonly onRound: (n: number, errors: readonly Diagnostic[]) => void;
};

export type DesignOutcome = {
  /** The last design that there was; null where there was none. */
  readonly checked: CheckedDesign | null;
  /** What was said at the end instead of a design; null where there was one. */
  readonly words: string | null;
  /** How often the architect was asked. */
  readonly rounds: number;
  /** Why it ended without a design that holds, where it was not for the lack of rounds. */
  readonly failure: AttemptFailure | null;
  /** The last two designs had the same errors. */
  readonly again: boolean;
};

export async function designRounds(
  decomposition: Decomposition,
  ask: Ask,
  { most, check, onRound }: Rounds,
): Promise<DesignOutcome> {
  const prompt = designPrompt({ ...questionOf(decomposition), schema: strictJsonSchema() });
  let question: Question = { prompt, more: null };
  let checked: CheckedDesign | null = null;
  let words: string | null = null;
  let errors: readonly Diagnostic[] = [];
  let again = false;
  for (let n = 1; ; n += 1) {
    onRound(n, errors);
    const reply = await ask(question);
    if (!reply.ok) return { checked, words, rounds: n, failure: reply.failure, again };
    const text = laidOut(saidObject(reply.text, "tasks"));
    const before = errors;
    words = hasObject(text) ? null : text;
    if (words === null) checked = await check(text);
    errors = words === null ? (checked?.errors ?? []) : [NO_DOCUMENT];
    if (errors.length > 0 && isCutOff(text)) errors = [CUT_OFF, ...errors];
    again = isSame(before, errors);
    if (errors.length === 0 || n > most) return { checked, words, rounds: n, failure: null, again };
    const repair = { errors, again, said: text, isDesign: words === null };
    question = { prompt: wholeRepairPrompt(prompt, repair), more: repairPrompt(repair) };
  }
}

/** All on one line, no place in it would help anybody. */
function laidOut(text: string): string {
  if (text.includes("\n")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // what is wrong with it is told
  }
}

const NO_DOCUMENT: Diagnostic = diagnostic({
  code: "json-syntax" satisfies FormatCode,
  message: "the answer holds no JSON document",
  at: null,
  hint: "answer with the design itself",
});

/** What else is said of it comes from there. */
const CUT_OFF: Diagnostic = diagnostic({
  code: "json-syntax" satisfies FormatCode,
  message: "the document has no end: it was cut off, or a quotation mark or a brace is missing",
  at: null,
  hint: "answer with all of it, up to the last brace; where it is too long, say less in each text",
});

function questionOf({ techSpecId, spec, prd, technology, guessed, agents, files }: Decomposition) {
  if (spec === null) throw new Error("without a tech spec there is nothing to design");
  return { techSpecId, spec, prd, technology: technology ?? guessed, agents, files: files ?? [] };
}

/** By what they say: places move from design to design. */
function isSame(before: readonly Diagnostic[], now: readonly Diagnostic[]): boolean {
  const words = (found: readonly Diagnostic[]) =>
    found.map(({ code, message }) => `${code} ${message}`).join("\n");
  return now.length > 0 && words(before) === words(now);
}
