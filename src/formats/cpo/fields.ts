import type { z } from "zod";
import type { Located } from "../../core/source.ts";
import { findingsOf } from "../findings.ts";
import { type Checked, schemaDiagnostics, type UnknownAt } from "../schema-diagnostics.ts";
import type { TextIndex } from "../text-index.ts";
import { find, type Path, plain, rangeAt, type Tree } from "../yaml/tree.ts";

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
const OWN_KEYS = ["gates", "enforce", "consent", "allow-empty"];

type FieldOptions = Partial<Pick<Checked, "adviceOn" | "unlistedMaps">> & {
  /** Of unknown keys that are not errors in every file; default: warning. */
  readonly severityOf?: NonNullable<Checked["severityOf"]>;
};

/**
 * Findings of the schema. Other tools read files of this format too, so an unknown key is a warning; but one in the place of a
 * required key is an error, and so is a key of plait's own that is misspelled or in the wrong place: without it work would not
 * be checked.
 */
export function checkFields(
  { index, tree }: Doc,
  schema: z.ZodType,
  { adviceOn = () => null, severityOf = () => "warning", unlistedMaps = [] }: FieldOptions = {},
): ReturnType<typeof schemaDiagnostics> {
  const parsed = schema.safeParse(plain(tree), { error: () => "", jitless: true });
  const findings = parsed.success ? [] : findingsOf(parsed.error.issues);
  const missing = findings.flatMap(({ kind, path }) =>
    kind !== "unknown-key" && find(tree, path) === null ? [String(path.at(-1))] : [],
  );
  const isGrave = ({ path, key, suggestion }: UnknownAt): boolean =>
    [...missing, ...OWN_KEYS].some((one) => one === suggestion) ||
    [...path, key].some((one) => OWN_KEYS.includes(String(one)));
  return schemaDiagnostics(findings, {
    ...{ index, tree, schema, adviceOn, unlistedMaps },
    codeFor: () => null,
    severityOf: (unknown) => (isGrave(unknown) ? "error" : severityOf(unknown)),
  });
}
