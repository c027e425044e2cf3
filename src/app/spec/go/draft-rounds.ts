// An agent drafts a tech spec, or changes its draft as a person wants it. A draft that cannot be used goes back with what is wrong.

import type { AttemptFailure } from "../../../core/failure.ts";
import { readDraft, type SpecDraft } from "../../../spec/tech-spec/draft-answer.ts";
import {
  type DraftQuestion,
  draftCorrection,
  draftPrompt,
  draftRepair,
  withDraft,
} from "../../../spec/tech-spec/draft-prompt.ts";
import type { Ask, Question } from "../../ask/asking.ts";

export type DraftOutcome =
  | { readonly ok: true; readonly draft: SpecDraft }
  /** Without a failure of the agent, the problems of its last answer. */
  | { readonly ok: false; readonly failure: AttemptFailure | null; readonly problems: readonly string[] };

export type DraftCorrection = {
  /** The text of the draft as it is now. */
  readonly current: string;
  /** What a person wants of it, in their own words. */
  readonly sentence: string;
};

/** How often a draft that cannot be used goes back. */
const MOST_REPAIRS = 2;

/** `correction` is null for the first draft. Where `ask` is the one that drafted, the conversation continues. */
export async function draftTechSpec(
  ask: Ask,
  about: DraftQuestion,
  correction: DraftCorrection | null,
): Promise<DraftOutcome> {
  const first = draftPrompt(about);
  const more = correction === null ? null : draftCorrection(correction.sentence);
  const prompt = correction === null ? first : withDraft(first, correction.current, more ?? "");
  let question: Question = { prompt, more };
  for (let n = 0; ; n += 1) {
    const reply = await ask(question);
    if (!reply.ok) return { ok: false, failure: reply.failure, problems: [] };
    const read = readDraft(reply.text);
    if (read.ok) return read;
    const { problems } = read;
    if (n === MOST_REPAIRS) return { ok: false, failure: null, problems };
    const repair = draftRepair(problems);
    question = { prompt: withDraft(prompt, reply.text, repair), more: repair };
  }
}
