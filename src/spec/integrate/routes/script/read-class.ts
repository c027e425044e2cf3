import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { addName, type Draft } from "./draft.ts";
import type { Decorator, Expr } from "./facts.ts";
import { nameOf, type Reading, readExpression } from "./read-expression.ts";
import { readDecorators } from "./read-function.ts";
import { isCode, readTypeArguments } from "./read-types.ts";

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
    baseTypes: readTypeArguments(clause?.childForFieldName("type_arguments") ?? null),
    typeParameters: (node.childForFieldName("type_parameters")?.namedChildren ?? []).map(
      (one) => one.childForFieldName("name")?.text ?? "",
    ),
    decorators: readDecorators([...around, ...node.namedChildren], reading, scope),
    methods: new Map(),
    fields: new Map(),
  });
}

const isGet = ({ type }: SyntaxNode) => type === "get";

type Inside = { readonly ofClass: number | null; readonly scope: number };

/** What stands in its body, where `this` is known. Decorators stand before what they are about. */
export function readMembers({ classes, reading }: Draft, body: SyntaxNode, { ofClass, scope }: Inside): void {
  const own = ofClass === null ? undefined : classes.get(ofClass);
  let decorators: Decorator[] = [];
  for (const member of body.namedChildren.filter(isCode)) {
    if (member.type === "decorator") {
      decorators = [...decorators, ...readDecorators([member], reading, scope)];
      continue;
    }
    const name = nameOf(member.childForFieldName("name") ?? member.childForFieldName("property"));
    if (name !== null && member.type === "method_definition")
      own?.methods.set(name, { fn: member.startIndex, decorators, isGetter: member.children.some(isGet) });
    else if (name !== null && /field_definition$/.test(member.type))
      own?.fields.set(name, initial(member.childForFieldName("value"), reading, scope));
    decorators = [];
  }
}

/** `router: Router;` has no value yet. */
function initial(value: SyntaxNode | null, reading: Reading, scope: number): Expr[] {
  return value === null ? [] : [readExpression(value, { reading, scope, depth: 0 })];
}
