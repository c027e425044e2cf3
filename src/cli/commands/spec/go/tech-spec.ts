import { plait } from "../../../../core/text/command.ts";
// The first step: a tech spec that a person has approved. Without one an agent drafts it; a draft that is there is taken as it is.

import { findRepository } from "../../../../app/host.ts";
import type { FoundSource, SpecSource } from "../../../../app/spec/go/read-source.ts";
import {
  type DraftOutcome,
  draftQuestion,
  draftTechSpec,
  findSource,
  rewriteDraft,
  writeDraft,
} from "../../../../app/spec/go/write-draft.ts";
import { moveTechSpec } from "../../../../app/spec/move-tech-spec.ts";
import { findTechSpec, type KnownSpec } from "../../../../app/spec/tech-specs.ts";
import { editFile } from "../../../../app/user-programs.ts";
import { formatFailure } from "../../../../core/select/failure-text.ts";
import { fix, plainText } from "../../../../core/text/sentence.ts";
import { draftJsonSchema } from "../../../../spec/tech-spec/draft-answer.ts";
import type { SpecStatus } from "../../../../spec/tech-spec/lifecycle.ts";
import { checkPlaceholders } from "../../../../spec/tech-spec/unfinished.ts";
import { askPerson, canConfirm } from "../../../confirm.ts";
import { exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import { printDiagnostics } from "../../../plan-file.ts";
import { bold, type Line } from "../../../render/line.ts";
import { shown } from "../../../render/visible.ts";
import { type Conversation, converse, limitsFor } from "../converse.ts";
import { today } from "../place.ts";
import { buildGo, type Going, type GoodSpec, type GoStop, stopGoing } from "./going.ts";

/** Approved, or further. */
export async function settleTechSpec(
  going: Going,
  { source, known }: FoundSource,
): Promise<GoodSpec | GoStop> {
  const found = known === null ? null : checkSpec(going, known);
  if (found !== null && "exit" in found) return found;
  if (found?.spec.status === "archived")
    return stopGoing(exitCodes.badRequest, {
      message: `${found.spec.id} is archived`,
      hint: fix("start a new tech spec", plait("spec go", "Report low stock")),
    });
  if (found !== null && found.spec.status !== "draft") return found;
  const decision = await decide(going, source, found);
  if ("exit" in decision) return decision;
  if (decision.kind === "yes") return setStatus(going, decision.draft, "approved");
  return stopAt(going, decision);
}

/** As it is on the disk now. */
async function readSpec({ question }: Going, path: string): Promise<KnownSpec> {
  return granted(await findTechSpec(path, question)).found;
}

/** Folder and front matter together. */
export async function setStatus(going: Going, known: GoodSpec, to: SpecStatus): Promise<GoodSpec | GoStop> {
  const { path } = granted(await moveTechSpec(known, { to, today: today(), caps: going.question.caps }));
  return checkSpec(going, await readSpec(going, path));
}

/** What is wrong with it is told. */
function checkSpec({ request }: Going, known: KnownSpec): GoodSpec | GoStop {
  const { spec, file, text } = known;
  const open = text === null ? null : checkPlaceholders(file, text);
  const findings = open === null ? known.diagnostics : [...known.diagnostics, open];
  printDiagnostics(findings, new Map(text === null ? [] : [[file, text]]), request, file);
  const isBroken = findings.some(({ severity }) => severity === "error");
  return spec === null || isBroken
    ? { exit: exitCodes.badRequest, problem: null, next: [] }
    : { ...known, spec };
}

function stopAt(going: Going, { kind, draft }: Decided): GoStop {
  const message = `${draft.file} is not approved`;
  const next = [plait("spec status", draft.spec.id, { set: "approved" }), buildGo(going, draft)];
  const hint = "read the tech spec, then approve it with the command below";
  if (kind === "unasked") return stopGoing(exitCodes.badRequest, { message, hint }, ...next);
  const exit = kind === "interrupted" ? exitCodes.interrupted : exitCodes.incomplete;
  return stopGoing(exit, { message }, buildGo(going, draft));
}

type Decided = Exclude<DraftDecision, DraftCorrection>;

async function decide(
  going: Going,
  source: SpecSource | null,
  draft: GoodSpec | null,
): Promise<Decided | GoStop> {
  if (draft === null && source === null) throw new Error("no requirements to draft from");
  const first = draft === null ? null : await reviewDraft(going, draft);
  if (first !== null && first.kind !== "correct") return first;
  const { host, question } = going;
  const from = source ?? (await findSource(draft as GoodSpec, question));
  const { repository } = granted(await findRepository(host));
  const about = { repository, name: "draft", schema: draftJsonSchema() };
  let last = draft;
  const conversed = await converse(going, about, (conversation) =>
    talk(going, conversation, {
      ...{ source: from, correction: first },
      onDraft: (written) => {
        last = written;
      },
    }),
  );
  const { ended, result, spent } = conversed;
  if (ended !== null) {
    const hint = spent === null ? null : `read the conversation: ${spent.conversation}`;
    const written = last === null ? "no tech spec was written" : `${last.file} is not approved`;
    const next = last === null ? [] : [buildGo(going, last)];
    return stopGoing(ended, { message: `interrupted; ${written}`, hint }, ...next);
  }
  if ("kind" in result) return result;
  const why = formatNoDraft(going, result);
  const hint = `read the conversation: ${conversed.spent.conversation}`;
  const message = `${conversed.spent.agent} wrote no tech spec: ${why}`;
  return stopGoing(exitCodes.incomplete, { message, hint });
}

type Failed = Extract<DraftOutcome, { readonly ok: false }>;

type ToTalkAbout = {
  readonly source: SpecSource;
  readonly correction: DraftCorrection | null;
  /** It is written. */
  readonly onDraft: (draft: GoodSpec) => void;
};

/** A draft is on the disk before anybody is asked about it: whatever ends the program then, it is there. */
async function talk(
  going: Going,
  { ask, agent, say, pause, signal }: Conversation,
  { source, correction, onDraft }: ToTalkAbout,
): Promise<Decided | Failed> {
  const about = await draftQuestion(going.host, going.question.root, source);
  let wanted = correction;
  for (let isForgotten = true; ; ) {
    say(wanted === null ? `${agent} is drafting the tech spec` : `${agent} is changing ${wanted.draft.file}`);
    const change = wanted === null ? null : { current: wanted.draft.text ?? "", sentence: wanted.sentence };
    const outcome = await draftTechSpec(
      isForgotten ? (one) => ask({ ...one, more: null }) : ask,
      about,
      change,
    );
    if (!outcome.ok && wanted !== null)
      say(`${wanted.draft.file} is unchanged: ${formatNoDraft(going, outcome)}`);
    await pause();
    if (!outcome.ok && (wanted === null || signal.aborted)) return outcome;
    const draft = await write(going, source, outcome, wanted?.draft ?? null);
    onDraft(draft);
    const decision = await reviewDraft(going, draft, signal);
    if (decision.kind !== "correct") return decision;
    wanted = decision;
    isForgotten = decision.isEdited;
  }
}

function formatNoDraft(going: Going, { failure, problems }: Failed): string {
  return failure === null ? problems.join("; ") : plainText(formatFailure(failure, limitsFor(going)));
}

async function write(
  going: Going,
  source: SpecSource,
  outcome: DraftOutcome,
  before: GoodSpec | null,
): Promise<GoodSpec> {
  const { host, question } = going;
  if (!outcome.ok && before !== null) return before;
  if (!outcome.ok) throw new Error("no draft to write");
  const { draft } = outcome;
  const { path } = before ?? granted(await writeDraft(host, question, { source, draft, today: today() }));
  if (before !== null) granted(await rewriteDraft(before, draft, question));
  const known = await readSpec(going, path);
  if (known.spec === null) throw new Error(`${known.file} was written a moment ago and cannot be read`);
  return { ...known, spec: known.spec };
}

/** `isEdited`: the draft is not the one any more that the agent knows. */
type DraftCorrection = {
  readonly kind: "correct";
  readonly sentence: string;
  readonly draft: GoodSpec;
  readonly isEdited: boolean;
};

type DraftDecision =
  /** `unasked`: there is nobody to ask. */
  { readonly kind: "yes" | "no" | "interrupted" | "unasked"; readonly draft: GoodSpec } | DraftCorrection;

/** A person reads a draft and decides: it is approved, refused, edited by hand, or changed by the agent. */
async function reviewDraft(going: Going, first: GoodSpec, signal?: AbortSignal): Promise<DraftDecision> {
  const { options } = going.request;
  let [draft, isEdited] = [first, false];
  showDraft(going, draft);
  if (options.yes === true) return { kind: "yes", draft };
  if (options.json === true || !canConfirm()) return { kind: "unasked", draft };
  for (;;) {
    const text = `Approve ${draft.file}?`;
    const reply = await askPerson({ text, sentenceFor: "the agent", signal });
    if (reply.kind === "sentence") return { kind: "correct", sentence: reply.text, draft, isEdited };
    if (reply.kind !== "edit") return { kind: reply.kind, draft };
    const edited = await editDraft(going, draft);
    if (edited === null) continue;
    [draft, isEdited] = [edited, true];
    showDraft(going, draft);
  }
}

/** Null where nothing was changed, or something that cannot be read any more: that is told. */
async function editDraft({ host, request, question }: Going, before: GoodSpec): Promise<GoodSpec | null> {
  const { output } = request;
  const problem = await editFile(host, before.path);
  if (problem !== null) output.warn(problem);
  const { found } = granted(await findTechSpec(before.path, question));
  const { spec, file, text, diagnostics } = found;
  printDiagnostics(diagnostics, new Map(text === null ? [] : [[file, text]]), request, file);
  return spec === null || text === before.text ? null : { ...found, spec };
}

function showDraft({ request: { options, output } }: Going, { spec, file }: GoodSpec): void {
  if (options.json === true) return;
  const { glyphs } = output;
  const lines = spec.body.trim().split("\n");
  output.result([[bold(shown(file, glyphs))], [], ...lines.map((line): Line => [shown(line, glyphs)]), []]);
}
