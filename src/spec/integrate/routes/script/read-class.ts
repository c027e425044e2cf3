import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { addName, type Draft } from "./draft.ts";
import type { Decorator, Expr, Method } from "./facts.ts";
import { nameOf, type Reading, readExpression } from "./read-expression.ts";
import { readDecorators } from "./read-function.ts";
import { isCode } from "./read-types.ts";

export function readClass(draft: Draft, node: SyntaxNode, scope: number): void {
  const { reading } = draft;
  const id = node.startIndex;
  const name = node.childForFieldName("name");
  if (name !== null && node.type !== "class") addName(draft, scope, name.text, { kind: "class", id });
  const heritage = node.namedChildren.find(({ type }) => type === "class_heritage");
  const clause = heritage?.namedChildren.find(({ type }) => type === "extends_clause");
  const base =
    clause?.childForFieldName("value") ?? (clause === undefined ? heritage?.namedChildren[0] : null);
  const isBase = base != null && base.type !== "implements_clause";
  // `@Controller() export class`: it stands before the word.
  const around = node.parent?.type === "export_statement" ? node.parent.namedChildren : [];
  draft.classes.set(id, {
    id,
    name: name?.text ?? null,
    line: reading.lineAt(name?.startIndex ?? id),
    base: isBase ? readExpression(base, { reading, scope, depth: 0 }) : null,
    decorators: readDecorators([...around, ...node.namedChildren], reading, scope),
    ...readMembers(node.childForFieldName("body"), reading, scope),
  });
}

const isGet = ({ type }: SyntaxNode) => type === "get";

/** Decorators stand before what they are about. */
function readMembers(body: SyntaxNode | null, reading: Reading, scope: number) {
  const methods = new Map<string, Method>();
  const fields = new Map<string, Expr[]>();
  let decorators: Decorator[] = [];
  for (const member of (body?.namedChildren ?? []).filter(isCode)) {
    if (member.type === "decorator") {
      decorators = [...decorators, ...readDecorators([member], reading, scope)];
      continue;
    }
    const name = nameOf(member.childForFieldName("name") ?? member.childForFieldName("property"));
    if (name !== null && member.type === "method_definition")
      methods.set(name, { fn: member.startIndex, decorators, isGetter: member.children.some(isGet) });
    else if (name !== null && /field_definition$/.test(member.type))
      fields.set(name, initial(member.childForFieldName("value"), reading, scope));
    decorators = [];
  }
  return { methods, fields };
}

/** `router: Router;` has no value yet. */
function initial(value: SyntaxNode | null, reading: Reading, scope: number): Expr[] {
  return value === null ? [] : [readExpression(value, { reading, scope, depth: 0 })];
}
