import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { find, type Tree } from "../../formats/yaml/tree.ts";
import { buildContractFinding } from "./catalog.ts";

/** What a node stands for: itself, or what its reference leads to. Null where that is in another file, nowhere, or a circle. */
export function resolved(doc: Doc, node: Tree | null): Tree | null {
  let at = node;
  for (let steps = 0; at !== null && steps < MOST_STEPS; steps += 1) {
    const reference = referenceOf(at);
    if (reference === null) return at;
    const path = localPath(reference.value);
    at = path && findStep(doc.tree, path);
  }
  return null;
}

const MOST_STEPS = 20;

export function checkReferences(doc: Doc): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<Tree>(); // an alias is the same tree again
  const look = (node: Tree, under: string) => {
    if (seen.has(node)) return;
    seen.add(node);
    const reference = referenceOf(node);
    if (reference !== null) found.push(...problemOf(reference, doc));
    if (node.kind === "list") for (const item of node.items) look(item, "");
    if (node.kind !== "map") return;
    const isNamed = NAMED.test(under);
    for (const [key, { value }] of node.entries)
      if (isNamed || !DATA.test(key)) look(value, isNamed ? "" : key);
  };
  look(doc.tree, "");
  return found;
}

/** Under these, keys are names that somebody chose. */
const NAMED = /^(?:properties|patternProperties|dependentSchemas|\$defs|schemas|paths)$/;
/** What is sent, or belongs to other tools: a `$ref` there means nothing. */
const DATA = /^(?:examples?|default|const|enum|x-.*)$/;

type Reference = Extract<Tree, { kind: "scalar" }> & { readonly value: string };

function referenceOf(node: Tree): Reference | null {
  const value = node.kind === "map" ? node.entries.get("$ref")?.value : undefined;
  return value?.kind === "scalar" && typeof value.value === "string" && !value.isGuess
    ? (value as Reference)
    : null;
}

function problemOf({ value, start, end }: Reference, { index, tree }: Doc): Diagnostic[] {
  const at = index.range(start, end);
  const path = localPath(value);
  if (path === null) {
    const params = { kind: "outside", reference: value } as const;
    return [buildContractFinding("api-reference", params, at, { severity: "warning" })];
  }
  if (findStep(tree, path) !== null) return [];
  const parent = findStep(tree, path.slice(0, -1));
  const names = parent?.kind === "map" ? [...parent.entries.keys()] : [];
  const suggestion = nearest(path.at(-1) ?? "", names);
  return [buildContractFinding("api-reference", { kind: "missing", reference: value, suggestion }, at)];
}

/** The steps of `#/components/schemas/Order`; null where it leads out of the document, or by a name of another kind. */
function localPath(reference: string): string[] | null {
  if (reference === "#") return [];
  if (!reference.startsWith("#/")) return null;
  return reference
    .slice(2)
    .split("/")
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // no such code: it means itself
  }
}

/** Steps into lists are numbers. */
function findStep(tree: Tree, path: readonly string[]): Tree | null {
  let at: Tree | null = tree;
  for (const step of path) at = at && find(at, [at.kind === "list" ? Number(step) : step]);
  return at;
}
