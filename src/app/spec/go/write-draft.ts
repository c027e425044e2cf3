// A draft of a tech spec on the disk, and the question that it answers.

import { join } from "node:path";
import type { AttemptFailure } from "../../../core/failure.ts";
import { indexText } from "../../../formats/text-index.ts";
import { listTracked } from "../../../git/index.ts";
import { readDraft, type SpecDraft } from "../../../spec/tech-spec/draft-answer.ts";
import {
  type DraftQuestion,
  draftCorrection,
  draftPrompt,
  draftRepair,
  withDraft,
} from "../../../spec/tech-spec/draft-prompt.ts";
import { toOneLine } from "../../../spec/tech-spec/names.ts";
import { techSpecBody } from "../../../spec/tech-spec/new-text.ts";
import { readFrontMatter, type TechSpec } from "../../../spec/tech-spec/tech-spec.ts";
import type { Ask, Question } from "../../ask/asking.ts";
import { gitFor, type Host, type OrRefusal } from "../../host.ts";
import { readText } from "../../read-text.ts";
import { replaceUnchanged } from "../../safe-file.ts";
import { makeTechSpec } from "../new-tech-spec.ts";
import { authorOf } from "../place.ts";
import { technologyOf } from "../setup.ts";
import type { KnownSpec, SpecQuestion } from "../tech-specs.ts";
import type { SpecSource } from "./read-source.ts";

export async function draftQuestion(host: Host, root: string, source: SpecSource): Promise<DraftQuestion> {
  const tracked = await listTracked(gitFor(host), root);
  const technology = (await technologyOf(root))?.technology ?? null;
  return { source, technology, files: tracked?.files.map(({ path }) => path) ?? [] };
}

/** What a draft that is there was made from, as far as it says so. */
export async function findSource(
  { spec }: { readonly spec: TechSpec },
  { root, caps }: Pick<SpecQuestion, "root" | "caps">,
): Promise<SpecSource> {
  const { relatedPrd, source, title } = spec;
  // Whoever wrote the spec may name any file: an agent is shown those of the project alone.
  const isInside = relatedPrd !== null && !/^(?:\/|\.\.(?:\/|$)|[a-z]+:\/\/)/i.test(relatedPrd);
  const read = isInside ? await readText(join(root, relatedPrd), caps.maxPromptBytes) : null;
  if (relatedPrd !== null && read?.ok === true)
    return { kind: "prd", file: relatedPrd, path: relatedPrd, text: read.text };
  return { kind: "sentence", text: source ?? title };
}

/** A new file with the next free number. */
export async function writeDraft(
  host: Host,
  { root, caps }: Pick<SpecQuestion, "root" | "caps">,
  written: { readonly source: SpecSource; readonly draft: SpecDraft; readonly today: string },
): Promise<OrRefusal<{ readonly id: string; readonly path: string }>> {
  const { source, draft, today } = written;
  return makeTechSpec({
    ...{ root, caps, today, title: draft.title, body: draft.body, decisionRef: null },
    author: await authorOf(host),
    relatedPrd: source.kind === "prd" ? source.path : null,
    source: source.kind === "sentence" ? toOneLine(source.text) : null,
  });
}

/** Another version: front matter and title stay, so that the file keeps its name. */
export function rewriteDraft(
  { spec, text, file, path }: KnownSpec & { readonly spec: TechSpec },
  { body }: SpecDraft,
  { caps }: Pick<SpecQuestion, "caps">,
): Promise<OrRefusal<object>> {
  const before = text ?? "";
  const { bodyStart } = readFrontMatter(indexText(file, before), caps);
  const { id, title } = spec;
  return replaceUnchanged(
    { name: file, path },
    before,
    before.slice(0, bodyStart) + techSpecBody({ id, title, body }),
  );
}

export type DraftOutcome =
  | { readonly ok: true; readonly draft: SpecDraft }
  /** Without a failure of the agent, the problems of its last answer. */
  | { readonly ok: false; readonly failure: AttemptFailure | null; readonly problems: readonly string[] };

type DraftCorrection = {
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
