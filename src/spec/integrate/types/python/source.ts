import { partsOf, type SyntaxNode, type SyntaxTree } from "../../../../syntax/tree.ts";
import { type Expression, expressionOf } from "./expression.ts";

/** `name: annotation = value`; one of the two last may be missing. */
export type Assignment = {
  readonly name: string;
  readonly annotation: Expression | null;
  readonly value: Expression | null;
  readonly start: number;
};

/** Of one statement; `a = b = 3` are two. Empty where it assigns to something that is no mere name. */
export function assignmentsIn(statement: SyntaxNode): Assignment[] {
  if (statement.type !== "expression_statement") return [];
  return statement.namedChildren.flatMap((node) => {
    const names: SyntaxNode[] = [];
    let at: SyntaxNode | null = node;
    let annotation: SyntaxNode | null = null;
    // A chain of a million is walked, not descended into.
    while (at?.type === "assignment") {
      const left = at.childForFieldName("left");
      if (left !== null) names.push(left);
      annotation ??= at.childForFieldName("type");
      at = at.childForFieldName("right");
    }
    if (names.length === 0) return [];
    const value = at === null ? null : expressionOf(at);
    const type = annotation === null ? null : expressionOf(annotation);
    return names
      .filter((left) => left.type === "identifier")
      .map((left) => ({ name: left.text, annotation: type, value, start: left.startIndex }));
  });
}

const AROUND =
  /^(?:if_statement|elif_clause|else_clause|try_statement|except_clause|finally_clause|with_statement|block)$/;
const DEEPEST = 12;

/** Those of a module, also below a condition or in a `try`, in their order. */
export function moduleStatements(tree: SyntaxTree): SyntaxNode[] {
  return statements(tree.root, 0);
}

function statements(node: SyntaxNode, depth: number): SyntaxNode[] {
  return node.namedChildren.flatMap((child) =>
    depth < DEEPEST && AROUND.test(child.type) ? statements(child, depth + 1) : [child],
  );
}

/** A class, and the decorators above it; null where it is none. */
export function classIn(statement: SyntaxNode): ClassNode | null {
  if (statement.type === "class_definition") return { node: statement, decorators: [] };
  if (statement.type !== "decorated_definition") return null;
  const node = statement.childForFieldName("definition");
  if (node?.type !== "class_definition") return null;
  const decorators = statement.namedChildren
    .filter(({ type }) => type === "decorator")
    .flatMap((one) => partsOf(one).map((it) => expressionOf(it)));
  return { node, decorators };
}

export type ClassNode = { readonly node: SyntaxNode; readonly decorators: readonly Expression[] };
