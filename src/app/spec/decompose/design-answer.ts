import type { Caps } from "../../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../../core/source.ts";
import type { FormatCode } from "../../../formats/catalog.ts";
import { applyPatch, isWholeDesign, readPatchableDesign } from "../../../spec/design/patch.ts";
import { hasObject, isCutOff, saidObject } from "../../../spec/said-object.ts";
import type { CheckedDesign } from "./check-design.ts";

export type DesignAnswer = {
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
export async function readAnswer(reply: string, { before, check, caps }: Reading): Promise<DesignAnswer> {
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

const NO_DOCUMENT: Diagnostic = diagnostic({
  code: "json-syntax" satisfies FormatCode,
  message: "the answer contains no JSON document",
  at: null,
  hint: "answer with the document itself",
});

/** Other errors follow from this one. */
const INCOMPLETE: Diagnostic = diagnostic({
  code: "json-syntax" satisfies FormatCode,
  message: "the JSON document is incomplete: it ended early, or a quote or brace is missing",
  at: null,
  hint: "answer with the complete document; if it is too long, shorten its strings",
});
