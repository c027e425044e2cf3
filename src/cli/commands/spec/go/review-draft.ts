// A person reads a draft and decides: it is approved, refused, edited by hand, or changed by the agent.

import { editFile } from "../../../../app/edit-file.ts";
import { findTechSpec } from "../../../../app/spec/find-tech-spec.ts";
import { canConfirm } from "../../../confirm.ts";
import { granted } from "../../../host.ts";
import { printDiagnostics } from "../../../plan-file.ts";
import { askPerson } from "../../../question.ts";
import { bold, type Line } from "../../../render/line.ts";
import { shown } from "../../../render/visible.ts";
import type { Going, GoodSpec } from "./going.ts";

/** `isEdited`: the draft is not the one any more that the agent knows. */
export type DraftCorrection = {
  readonly kind: "correct";
  readonly sentence: string;
  readonly draft: GoodSpec;
  readonly isEdited: boolean;
};

export type DraftDecision =
  /** `unasked`: there is nobody to ask. */
  { readonly kind: "yes" | "no" | "interrupted" | "unasked"; readonly draft: GoodSpec } | DraftCorrection;

export async function reviewDraft(
  going: Going,
  first: GoodSpec,
  signal?: AbortSignal,
): Promise<DraftDecision> {
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
  printDiagnostics(diagnostics, new Map(text === null ? [] : [[file, text]]), { request, file });
  return spec === null || text === before.text ? null : { ...found, spec };
}

function showDraft({ request: { options, output } }: Going, { spec, file }: GoodSpec): void {
  if (options.json === true) return;
  const { glyphs } = output;
  const lines = spec.body.trim().split("\n");
  output.result([[bold(shown(file, glyphs))], [], ...lines.map((line): Line => [shown(line, glyphs)]), []]);
}
