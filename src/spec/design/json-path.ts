import type { Diagnostic, SourceRange } from "../../core/source.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import type { Tree } from "../../formats/yaml/tree.ts";

/** People jump to the line; an agent that fixes its own design has no lines, so each finding gets its path as well. */
export function withJsonPaths(diagnostics: readonly Diagnostic[], doc: Doc): Diagnostic[] {
  const pathAt = jsonPaths(doc);
  const named = <T extends { readonly path?: string; readonly at: SourceRange | null }>(one: T): T => {
    const path = one.at === null ? null : pathAt(one.at);
    return path === null ? one : { ...one, path };
  };
  return diagnostics.map((one) => named({ ...one, related: one.related.map(named) }));
}

/** Ways by the place where a key or a value begins. The whole document has none. */
function jsonPaths({ index, tree }: Doc): (at: SourceRange) => string | null {
  const paths = new Map<string, string>();
  const keep = (offset: number, path: string) => {
    if (path !== "") paths.set(keyOf(index.range(offset, offset)), path);
  };
  const visit = (node: Tree, path: string): void => {
    keep(node.start, path);
    if (node.kind === "list") for (const [i, item] of node.items.entries()) visit(item, `${path}[${i}]`);
    if (node.kind !== "map") return;
    for (const { key, keyStart, value } of node.entries.values()) {
      const inner = `${path}${step(key, path === "")}`;
      keep(keyStart, inner);
      visit(value, inner);
    }
  };
  visit(tree, "");
  return (at) => (at.file === index.file ? (paths.get(keyOf(at)) ?? null) : null);
}

function keyOf({ start: { line, col } }: SourceRange): string {
  return `${line}:${col}`;
}

const LONGEST_KEY = 60;

function step(key: string, isFirst: boolean): string {
  if (/^[\w$-]{1,60}$/.test(key)) return isFirst ? key : `.${key}`;
  return `[${JSON.stringify(key.slice(0, LONGEST_KEY))}]`;
}
