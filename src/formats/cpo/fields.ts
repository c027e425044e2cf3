import type { z } from "zod";
import type { Unlisted } from "../../core/analyze/bounded.ts";
import { quoted } from "../../core/analyze/words.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { findingsOf } from "../findings.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import type { TextIndex } from "../text-index.ts";
import { find, keyRangeAt, type Path, plain, rangeAt, type Tree } from "../yaml/tree.ts";

/**
 * A file of an artefact folder, and what it says at a path. A value of the wrong type is none here: the schema has told of it. So
 * whatever is right can be used beside whatever is wrong.
 */
export type Doc = { readonly index: TextIndex; readonly tree: Tree };

export function textAt(doc: Doc, ...path: Path): Located<string> | null {
  const node = find(doc.tree, path);
  if (node?.kind !== "scalar" || typeof node.value !== "string" || node.value.trim() === "") return null;
  return { value: node.value, at: rangeAt(doc.index, doc.tree, path) };
}

export function numberAt(doc: Doc, ...path: Path): Located<number> | null {
  const node = find(doc.tree, path);
  if (node?.kind !== "scalar" || typeof node.value !== "number") return null;
  return { value: node.value, at: rangeAt(doc.index, doc.tree, path) };
}

/** Of a list, or of a text that stands alone. */
export function textsAt(doc: Doc, ...path: Path): Located<string>[] {
  const single = textAt(doc, ...path);
  if (single) return [single];
  return countAt(doc, ...path).flatMap((i) => textAt(doc, ...path, i) ?? []);
}

/** The indices of a list. */
export function countAt(doc: Doc, ...path: Path): number[] {
  const node = find(doc.tree, path);
  return node?.kind === "list" ? node.items.map((_, i) => i) : [];
}

export function has(doc: Doc, ...path: Path): boolean {
  return find(doc.tree, path) !== null;
}

/** That no other tool reads. */
const OWN_KEYS = ["gates", "enforce", "consent"];

type Told = { readonly diagnostics: Diagnostic[]; readonly unlisted: Unlisted };

/**
 * What the schema says. Files of this format are read by other tools too, so a key that plait does not know is only warned of;
 * but one that stands in the place of a key that must be there is an error, and so is a key of plait's own that is
 * misspelled or in the wrong place: without it work would not be checked.
 */
export function checkFields(
  { index, tree }: Doc,
  schema: z.ZodType,
  adviceOn: (key: string, place: string) => string | null,
): Told {
  const parsed = schema.safeParse(plain(tree), { error: () => "", jitless: true });
  const findings = parsed.success ? [] : findingsOf(parsed.error.issues);
  const said = schemaDiagnostics(findings, { index, tree, schema, adviceOn, codeFor: () => null });
  const missing = findings.flatMap(({ kind, path }) =>
    kind !== "unknown-key" && find(tree, path) === null ? [String(path.at(-1))] : [],
  );
  const ownPlaces = findings.flatMap((one) =>
    one.kind === "unknown-key" && [...one.path, one.key].some((key) => OWN_KEYS.includes(String(key)))
      ? [keyRangeAt(index, tree, [...one.path, one.key]).start]
      : [],
  );
  const isGrave = ({ hint, at }: Diagnostic) =>
    [...missing, ...OWN_KEYS].some((key) => hint?.startsWith(`did you mean ${quoted(key)}?`)) ||
    ownPlaces.some(({ line, col }) => line === at?.start.line && col === at.start.col);
  const diagnostics = said.diagnostics.map((one) =>
    one.code === "unknown-key" && !isGrave(one) ? { ...one, severity: "warning" as const } : one,
  );
  return { ...said, diagnostics };
}
