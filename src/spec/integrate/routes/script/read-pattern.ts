import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { addName, type Draft } from "./draft.ts";
import { type Expr, type Path, UNKNOWN } from "./facts.ts";
import { nameOf } from "./read-expression.ts";
import { isCode } from "./read-types.ts";

/** People take values apart no further. */
const DEEPEST = 12;

/** Binds every name that a pattern makes to what it stands for: `{ a, b: [c] }`. */
export function bind(
  draft: Draft,
  scope: number,
  pattern: SyntaxNode | null,
  valueAt: (path: Path) => Expr,
): void {
  for (const { name, path } of namesIn(pattern, []))
    addName(draft, scope, name, path === null ? UNKNOWN : valueAt(path));
}

/** `path` is null for what is left over: `...rest`. */
type NameAt = { readonly name: string; readonly path: Path | null };

function namesIn(node: SyntaxNode | null, path: Path, depth = 0): NameAt[] {
  if (node === null || depth > DEEPEST) return [];
  const inside = (one: SyntaxNode | null, at: Path) => namesIn(one, at, depth + 1);
  switch (node.type) {
    case "identifier":
      return [{ name: node.text, path }];
    case "shorthand_property_identifier_pattern":
      return [{ name: node.text, path: [...path, node.text] }];
    case "object_pattern":
      return node.namedChildren.flatMap((part) => inside(part, path));
    case "array_pattern":
      return node.namedChildren.filter(isCode).flatMap((part, i) => inside(part, [...path, i]));
    case "pair_pattern": {
      const key = nameOf(node.childForFieldName("key"));
      return key === null ? [] : inside(node.childForFieldName("value"), [...path, key]);
    }
    case "assignment_pattern":
    case "object_assignment_pattern":
      return inside(node.childForFieldName("left"), path);
    case "rest_pattern":
      return inside(node.namedChildren[0] ?? null, []).map(({ name }) => ({ name, path: null }));
    default:
      return [];
  }
}
