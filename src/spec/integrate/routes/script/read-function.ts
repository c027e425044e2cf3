import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import { addName, type Draft } from "./draft.ts";
import { type Decorator, type Expr, type Parameter, type Path, UNKNOWN } from "./facts.ts";
import { nameOf, type Reading, readExpression } from "./read-expression.ts";
import { readType } from "./read-types.ts";

/** `outer` is where its own name is known, `scope` its inside. */
type Where = { readonly outer: number; readonly scope: number };

export function readFunction(draft: Draft, node: SyntaxNode, { outer, scope }: Where): void {
  const id = node.startIndex;
  const { reading } = draft;
  if (node.type.endsWith("function_declaration")) {
    const name = node.childForFieldName("name")?.text;
    if (name !== undefined) addName(draft, outer, name, { kind: "function", id });
  }
  const single = node.childForFieldName("parameter");
  const list = single === null ? (node.childForFieldName("parameters")?.namedChildren ?? []) : [single];
  const nodes = list.filter(({ type }) => type !== "comment" && type !== "this_type");
  nodes.forEach((one, index) => {
    bind(draft, scope, patternOf(one), (path) => ({ kind: "parameter", fn: id, index, path }));
    noteField(draft, outer, one, { fn: id, index });
  });
  const body = node.childForFieldName("body");
  const isConcise = body !== null && body.type !== "statement_block";
  draft.functions.set(id, {
    id,
    scope,
    parameters: nodes.map((one) => readParameter(one, reading, scope)),
    returns: isConcise ? [readExpression(body, { reading, scope, depth: 0 })] : [],
    returnType: readType(node.childForFieldName("return_type")),
    type: draft.functionTypes.get(id) ?? null,
  });
  const type = nodes.map((one) => [patternOf(one)?.text, readType(one.childForFieldName("type"))] as const);
  for (const [name, said] of type)
    if (name !== undefined && said !== null) draft.scopes[scope]?.types.set(name, said);
}

function patternOf(node: SyntaxNode): SyntaxNode {
  const pattern = node.childForFieldName("pattern") ?? node;
  return pattern.type === "assignment_pattern" ? (pattern.childForFieldName("left") ?? pattern) : pattern;
}

function readParameter(node: SyntaxNode, reading: Reading, scope: number): Parameter {
  const pattern = patternOf(node);
  const fallback = node.childForFieldName("value") ?? node.childForFieldName("right");
  return {
    name: pattern.type === "identifier" ? pattern.text : null,
    type: readType(node.childForFieldName("type")),
    fallback: fallback === null ? null : readExpression(fallback, { reading, scope, depth: 0 }),
    decorators: readDecorators(node.namedChildren, reading, scope),
  };
}

export function readDecorators(nodes: readonly SyntaxNode[], reading: Reading, scope: number): Decorator[] {
  return nodes
    .filter(({ type }) => type === "decorator")
    .map((node) => ({
      of: readExpression(partsOf(node)[0], { reading, scope, depth: 0 }),
      line: reading.lineAt(node.startIndex),
    }));
}

/** `constructor(private app: Express)` makes a field as well. */
function noteField(
  { scopes, classes }: Draft,
  outer: number,
  node: SyntaxNode,
  of: { readonly fn: number; readonly index: number },
): void {
  const isField = node.children.some(({ type }) => /^(?:accessibility_modifier|readonly)$/.test(type));
  const name = isField ? nameOf(node.childForFieldName("pattern")) : null;
  const around = scopes[outer]?.ofClass ?? null;
  if (name === null || around === null) return;
  const fields = classes.get(around)?.fields;
  fields?.set(name, [...(fields.get(name) ?? []), { kind: "parameter", ...of, path: [] }]);
}

/** People take values apart no further. */
const DEEPEST = 12;

/** Binds every name that a pattern makes to what it stands for: `{ a, b: [c] }`. */
export function bind(
  draft: Draft,
  scope: number,
  node: SyntaxNode | null,
  valueAt: (path: Path) => Expr,
): void {
  for (const { name, path } of namesIn(node, []))
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
      return partsOf(node).flatMap((part, i) => inside(part, [...path, i]));
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
