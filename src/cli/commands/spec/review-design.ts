// A person sees a design and decides: it is taken, refused, edited by hand, or changed by the architect.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editFile } from "../../../app/edit-file.ts";
import { readText } from "../../../app/index.ts";
import { type CheckedDesign, checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import { type GoodDesign, isGood } from "../../../app/spec/decompose/write-folder.ts";
import { count } from "../../../core/text/figures.ts";
import { canConfirm } from "../../confirm.ts";
import { printDiagnostics } from "../../plan-file.ts";
import { askPerson } from "../../question.ts";
import type { Decision, Making } from "./making.ts";
import { showDesign } from "./show-design.ts";

export type ReviewOptions = {
  /** Whether a sentence can be sent to an architect. */
  readonly mayCorrect: boolean;
  readonly signal?: AbortSignal;
};

export async function reviewDesign(
  making: Making,
  first: GoodDesign,
  { mayCorrect, signal }: ReviewOptions,
): Promise<Decision> {
  const { request, question } = making;
  const { options } = request;
  let checked: CheckedDesign = first;
  let isEdited = false;
  await showDesign(making, first);
  if (options.yes === true) return { kind: "yes", checked: first, isEdited };
  if (options.json === true || !canConfirm()) return { kind: "unasked", checked, isEdited };
  const sentenceFor = mayCorrect ? "the architect" : null;
  for (;;) {
    const reply = await askPerson({ text: question, sentenceFor, signal });
    if (reply.kind === "sentence") return { kind: "correct", sentence: reply.text, checked, isEdited };
    if (reply.kind === "no" || reply.kind === "interrupted") return { kind: reply.kind, checked, isEdited };
    if (reply.kind === "yes" && isGood(checked)) return { kind: "yes", checked, isEdited };
    if (reply.kind === "yes") {
      const errors = count(checked.errors.length, "error");
      request.output.warn(`the design has ${errors}: edit it again, or answer n`);
      continue;
    }
    const edited = await editDesign(making, checked);
    if (edited === null) continue;
    isEdited = true;
    checked = edited;
    if (isGood(edited)) await showDesign(making, edited);
    else printDiagnostics(edited.diagnostics, edited.sources, { request, file: edited.file });
  }
}

/** Null where nothing was changed. */
async function editDesign({ host, request, wanted, decomposition }: Making, before: CheckedDesign) {
  const folder = await mkdtemp(join(tmpdir(), "plait-design-"));
  const path = join(folder, "design.json");
  const { output } = request;
  try {
    await writeFile(path, before.text, { mode: 0o600 });
    const problem = await editFile(host, path);
    if (problem !== null) output.warn(`${problem}; the design is unchanged`);
    const read = await readText(path, wanted.caps.maxPlanBytes);
    if (!read.ok) output.warn(`the design ${read.detail}`);
    if (problem !== null || !read.ok || read.text === before.text) return null;
    const check = { decomposition, caps: wanted.caps, isAsked: false };
    return await checkedDesign(host, { file: before.file, text: read.text }, check);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
