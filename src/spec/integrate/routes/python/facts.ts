import { indexText } from "../../../../formats/text-index.ts";
import type { SyntaxNode, SyntaxTree } from "../../../../syntax/tree.ts";
import { type Call, type Expression, expressionOf, partsOf } from "./expression.ts";

/** What one file of Python says that routes could rest on: names and what they stand for, calls, functions, classes. */
export type PythonRouteFacts = {
  readonly bindings: readonly Binding[];
  readonly calls: readonly CallFact[];
  readonly functions: readonly FunctionFact[];
  readonly classes: readonly ClassFact[];
};

/**
 * Where something stands: the names of the functions and classes around it, with dots; empty at the top of a file. Lines count
 * from 1.
 */
type Placed = { readonly scope: string; readonly line: number };

/** `app = FastAPI()`; `isAdded` is `urlpatterns += […]`, and what is appended to a list. */
export type Binding = Placed & {
  readonly name: string;
  readonly value: Expression;
  readonly isAdded: boolean;
};

/** A call for its effect: `app.include_router(…)`. */
export type CallFact = Placed & { readonly call: Call };

export type FunctionFact = Placed & {
  readonly name: string;
  readonly decorators: readonly Decorator[];
  readonly parameters: readonly Parameter[];
  /** The annotation. */
  readonly returns: Expression | null;
  /** What it hands back, as far as that has a name or is a call. */
  readonly returned: readonly Expression[];
};

export type Decorator = { readonly value: Expression; readonly line: number };

export type Parameter = {
  readonly name: string;
  readonly annotation: Expression | null;
  readonly initial: Expression | null;
  /** `*args`, `**kwargs`. */
  readonly isRest: boolean;
};

export type ClassFact = Placed & {
  readonly name: string;
  readonly bases: readonly Expression[];
  readonly decorators: readonly Decorator[];
};

/** The scope of what stands inside of something. */
export function insideOf({ scope, name }: { scope: string; name: string }): string {
  return scope === "" ? name : `${scope}.${name}`;
}

type Facts = { [K in keyof PythonRouteFacts]: PythonRouteFacts[K][number][] };
type Reading = {
  readonly facts: Facts;
  readonly lineOf: (node: SyntaxNode) => number;
  readonly returned: Expression[];
};

/** The facts of one file: plain data, so that its tree can be freed. */
export function pythonRouteFacts(tree: SyntaxTree): PythonRouteFacts {
  const index = indexText("", tree.text);
  const facts: Facts = { bindings: [], calls: [], functions: [], classes: [] };
  const lineOf = ({ startIndex }: SyntaxNode) => index.range(startIndex, startIndex).start.line;
  readBlock(tree.root, { facts, lineOf, returned: [] }, { scope: "", depth: 0 });
  return facts;
}

/** Functions in functions in conditions; deeper than anything that people write. */
const DEEPEST = 30;

type At = { readonly scope: string; readonly depth: number };

function readBlock(block: SyntaxNode | null, reading: Reading, { scope, depth }: At): void {
  if (depth > DEEPEST) return;
  for (const node of partsOf(block)) readStatement(node, reading, { scope, depth: depth + 1 });
}

/** What may be around statements without making a scope. */
const AROUND =
  /^(?:block|if_statement|elif_clause|else_clause|try_statement|except_clause|except_group_clause|finally_clause|with_statement|while_statement|match_statement|case_clause)$/;

const STATEMENTS: Readonly<Record<string, (node: SyntaxNode, reading: Reading, at: At) => void>> = {
  expression_statement: (node, reading, at) => readExpression(partsOf(node)[0] ?? null, reading, at),
  decorated_definition: readDecorated,
  function_definition: (node, reading, at) => readFunction(node, [], { reading, at }),
  class_definition: (node, reading, at) => readClass(node, [], { reading, at }),
  return_statement: readReturn,
  for_statement: readLoop,
  type_alias_statement: readAlias,
};

function readStatement(node: SyntaxNode, reading: Reading, at: At): void {
  if (Object.hasOwn(STATEMENTS, node.type)) STATEMENTS[node.type]?.(node, reading, at);
  else if (AROUND.test(node.type)) readBlock(node, reading, at);
}

function readExpression(node: SyntaxNode | null, reading: Reading, at: At): void {
  if (node?.type === "await") readExpression(partsOf(node)[0] ?? null, reading, at);
  else if (node?.type === "call") readCall(node, reading, at);
  else if (node !== null && /^(?:augmented_)?assignment$/.test(node.type)) readAssignment(node, reading, at);
}

function readCall(node: SyntaxNode, { facts, lineOf }: Reading, { scope }: At): void {
  const call = expressionOf(node);
  if (call.kind !== "call") return;
  const line = lineOf(node);
  facts.calls.push({ scope, line, call });
  const callee = call.callee.kind === "name" ? call.callee.name : "";
  const [, name, verb] = /^(\w+)\.(append|extend)$/.exec(callee) ?? [];
  const value = call.args[0]?.value;
  if (name === undefined || value === undefined) return;
  const added: Expression = verb === "append" ? { kind: "list", items: [value] } : value;
  facts.bindings.push({ scope, line, name, value: added, isAdded: true });
}

function readAssignment(node: SyntaxNode, reading: Reading, at: At): void {
  const target = expressionOf(node.childForFieldName("left"));
  const right = node.childForFieldName("right");
  if (target.kind !== "name" || right === null || at.depth > DEEPEST) return;
  const operator = node.type === "assignment" ? "" : node.childForFieldName("operator")?.text;
  const isAdded = operator === "+=";
  // `a = b = FastAPI()` binds both.
  const isChained = right.type === "assignment";
  if (isChained) readAssignment(right, reading, { ...at, depth: at.depth + 1 });
  const written = expressionOf(isChained ? innermost(right) : right);
  const value: Expression = operator === "" || isAdded ? written : { kind: "other", source: node.type };
  const line = reading.lineOf(node);
  reading.facts.bindings.push({ scope: at.scope, line, name: target.name, value, isAdded });
}

function innermost(assignment: SyntaxNode): SyntaxNode {
  let node = assignment;
  for (let i = 0; i < DEEPEST && node.type === "assignment"; i += 1)
    node = node.childForFieldName("right") ?? node;
  return node;
}

function readAlias(node: SyntaxNode, { facts, lineOf }: Reading, { scope }: At): void {
  const [left, right] = partsOf(node).map((part) => expressionOf(part));
  if (left?.kind !== "name" || right === undefined) return;
  facts.bindings.push({ scope, line: lineOf(node), name: left.name, value: right, isAdded: false });
}

/** The name of a loop stands for each item of what it goes over, and several names for the parts of each. */
function readLoop(node: SyntaxNode, reading: Reading, at: At): void {
  const { scope } = at;
  const target = expressionOf(node.childForFieldName("left"));
  const of = expressionOf(node.childForFieldName("right"));
  const line = reading.lineOf(node);
  const names = target.kind === "name" ? [target.name] : [];
  const bind = (name: string, value: Expression) =>
    reading.facts.bindings.push({ scope, line, name, value, isAdded: false });
  for (const name of names) bind(name, { kind: "each", of });
  const parts = target.kind === "list" ? target.items : [];
  for (const [place, part] of parts.entries())
    if (part.kind === "name") bind(part.name, { kind: "each", of: partsAt(of, place, parts.length) });
  readBlock(node.childForFieldName("body"), reading, at);
}

/** The list of what stands at one place of each item. */
function partsAt(of: Expression, place: number, count: number): Expression {
  const items = of.kind === "list" ? of.items : [];
  const found = items.flatMap((item) =>
    item.kind === "list" && item.items.length === count ? (item.items[place] ?? []) : [],
  );
  const isWhole = of.kind === "list" && found.length === items.length;
  return isWhole ? { kind: "list", items: found } : { kind: "other", source: "a loop" };
}

function readReturn(node: SyntaxNode, { returned }: Reading): void {
  for (const value of partsOf(node).slice(0, 1)) returned.push(expressionOf(value));
}

function readDecorated(node: SyntaxNode, reading: Reading, at: At): void {
  const decorators = partsOf(node)
    .filter(({ type }) => type === "decorator")
    .map((decorator) => ({
      value: expressionOf(partsOf(decorator)[0] ?? null),
      line: reading.lineOf(decorator),
    }));
  const definition = node.childForFieldName("definition");
  if (definition?.type === "function_definition") readFunction(definition, decorators, { reading, at });
  if (definition?.type === "class_definition") readClass(definition, decorators, { reading, at });
}

type Within = { readonly reading: Reading; readonly at: At };

function readFunction(
  node: SyntaxNode,
  decorators: readonly Decorator[],
  { reading, at: { scope, depth } }: Within,
): void {
  const name = node.childForFieldName("name")?.text ?? "";
  const returned: Expression[] = [];
  const returns = node.childForFieldName("return_type");
  const parameters = partsOf(node.childForFieldName("parameters")).flatMap(parameterOf);
  const line = reading.lineOf(node);
  reading.facts.functions.push({
    ...{ scope, line, name, decorators, parameters, returned },
    returns: returns === null ? null : expressionOf(returns),
  });
  const inside = { scope: insideOf({ scope, name }), depth };
  readBlock(node.childForFieldName("body"), { ...reading, returned }, inside);
}

function parameterOf(node: SyntaxNode): Parameter[] {
  if (node.type === "keyword_separator" || node.type === "positional_separator") return [];
  const named = node.childForFieldName("name") ?? (node.type === "identifier" ? node : partsOf(node)[0]);
  const isRest = /splat/.test(node.type) || /splat/.test(named?.type ?? "");
  const annotation = node.childForFieldName("type");
  const initial = node.childForFieldName("value");
  return [
    {
      name: (named?.text ?? "").replace(/^\*+/, ""),
      annotation: annotation === null ? null : expressionOf(annotation),
      initial: initial === null ? null : expressionOf(initial),
      isRest,
    },
  ];
}

function readClass(
  node: SyntaxNode,
  decorators: readonly Decorator[],
  { reading, at: { scope, depth } }: Within,
): void {
  const name = node.childForFieldName("name")?.text ?? "";
  const bases = partsOf(node.childForFieldName("superclasses"))
    .filter(({ type }) => type !== "keyword_argument")
    .map((base) => expressionOf(base));
  reading.facts.classes.push({ scope, line: reading.lineOf(node), name, bases, decorators });
  readBlock(node.childForFieldName("body"), reading, { scope: insideOf({ scope, name }), depth });
}
