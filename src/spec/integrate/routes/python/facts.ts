import type { SyntaxNode, SyntaxTree } from "../../../../syntax/tree.ts";
import { partsOf } from "../../../../syntax/tree.ts";
import { lineFinder } from "../../../../util/lines.ts";
import { type Call, type Expression, expressionOf, type LineOf } from "./expression.ts";

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
type Reading = { readonly facts: Facts; readonly lineOf: LineOf; readonly returned: Expression[] };

/** The facts of one file: plain data, so that its tree can be freed. */
export function pythonRouteFacts(tree: SyntaxTree): PythonRouteFacts {
  const lineAt = lineFinder(tree.text);
  const facts: Facts = { bindings: [], calls: [], functions: [], classes: [] };
  const lineOf: LineOf = ({ startIndex }) => lineAt(startIndex);
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

const STATEMENTS: Readonly<Record<string, (node: SyntaxNode, reading: Reading, at: At) => unknown>> = {
  expression_statement: (node, reading, at) => readExpression(partsOf(node)[0] ?? null, reading, at),
  decorated_definition: readDecorated,
  function_definition: (node, reading, at) => readFunction(node, [], reading, at),
  class_definition: (node, reading, at) => readClass(node, [], reading, at),
  return_statement: (node, { returned, lineOf }) =>
    returned.push(
      ...partsOf(node)
        .slice(0, 1)
        .map((value) => expressionOf(value, lineOf)),
    ),
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
  const call = expressionOf(node, lineOf);
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
  const target = expressionOf(node.childForFieldName("left"), reading.lineOf);
  const right = node.childForFieldName("right");
  if (target.kind === "list") readSeveral(target.items, node, reading, at);
  if (target.kind !== "name" || right === null || at.depth > DEEPEST) return;
  const operator = node.type === "assignment" ? "" : node.childForFieldName("operator")?.text;
  const isAdded = operator === "+=";
  // `a = b = FastAPI()` binds both.
  const isChained = right.type === "assignment";
  if (isChained) readAssignment(right, reading, { ...at, depth: at.depth + 1 });
  const written = expressionOf(isChained ? innermost(right) : right, reading.lineOf);
  const value: Expression = operator === "" || isAdded ? written : { kind: "other", source: node.type };
  const line = reading.lineOf(node);
  reading.facts.bindings.push({ scope: at.scope, line, name: target.name, value, isAdded });
}

/** `a, b = APIRouter(), APIRouter()`. */
function readSeveral(
  targets: readonly Expression[],
  node: SyntaxNode,
  { facts, lineOf }: Reading,
  { scope }: At,
): void {
  const values = expressionOf(node.childForFieldName("right"), lineOf);
  const isPaired = values.kind === "list" && values.items.length === targets.length;
  const line = lineOf(node);
  for (const [i, target] of targets.entries()) {
    const value = isPaired ? values.items[i] : undefined;
    if (target.kind !== "name") continue;
    facts.bindings.push({
      scope,
      line,
      name: target.name,
      value: value ?? part("what is taken apart"),
      isAdded: false,
    });
  }
}

function innermost(assignment: SyntaxNode): SyntaxNode {
  let node = assignment;
  for (let i = 0; i < DEEPEST && node.type === "assignment"; i += 1)
    node = node.childForFieldName("right") ?? node;
  return node;
}

function readAlias(node: SyntaxNode, { facts, lineOf }: Reading, { scope }: At): void {
  const [left, right] = partsOf(node).map((part) => expressionOf(part, lineOf));
  if (left?.kind !== "name" || right === undefined) return;
  facts.bindings.push({ scope, line: lineOf(node), name: left.name, value: right, isAdded: false });
}

/**
 * A loop over a list that is written down is read once for each item, in a scope of its own, so that what belongs together stays
 * together. Of others, the name stands for each item of whatever it goes over.
 */
function readLoop(node: SyntaxNode, reading: Reading, { scope, depth }: At): void {
  const { facts, lineOf } = reading;
  const line = lineOf(node);
  const target = expressionOf(node.childForFieldName("left"), lineOf);
  const of = expressionOf(node.childForFieldName("right"), lineOf);
  const names = (target.kind === "list" ? target.items : [target]).map((one) =>
    one.kind === "name" ? one.name : "",
  );
  const read = (inside: string, values: readonly Expression[]) => {
    for (const [i, name] of names.entries())
      facts.bindings.push({
        scope: inside,
        line,
        name,
        value: values[i] ?? part("what a loop goes through"),
        isAdded: false,
      });
    readBlock(node.childForFieldName("body"), reading, { scope: inside, depth });
  };
  const items = writtenItems(of, facts.bindings);
  if (items === null) {
    read(scope, target.kind === "name" ? [{ kind: "each", of }] : []);
    return;
  }
  for (const [i, item] of items.entries()) {
    const isOne = target.kind === "name";
    read(insideOf({ scope, name: `#${line}_${i}` }), isOne ? [item] : item.kind === "list" ? item.items : []);
  }
}

const part = (whole: string): Expression => ({ kind: "other", source: `a part of ${whole}` });
const MOST_ITEMS = 50;
/** Loops in loops are many times as much; beyond this, they are read once. */
const MOST_BINDINGS = 3_000;

/** Of a list in place, or of one that was given a name further up. */
function writtenItems(of: Expression, bindings: readonly Binding[]): readonly Expression[] | null {
  if (bindings.length > MOST_BINDINGS) return null;
  const items =
    of.kind === "call" && of.callee.kind === "name" ? /^(\w+)\.items$/.exec(of.callee.name) : null;
  const wanted = of.kind === "name" ? of.name : items?.[1];
  const named = bindings.filter(({ name }) => name === wanted);
  const value = named.length === 1 ? named[0]?.value : of;
  // `{"/a": a}.items()` are pairs.
  const list: Expression | undefined =
    items !== null && value?.kind === "map"
      ? { kind: "list", items: value.entries.map((pair) => ({ kind: "list", items: pair })) }
      : value;
  return list?.kind === "list" &&
    list.items.length <= MOST_ITEMS &&
    !list.items.some(({ kind }) => kind === "spread")
    ? list.items
    : null;
}

function readDecorated(node: SyntaxNode, reading: Reading, at: At): void {
  const decorators = partsOf(node)
    .filter(({ type }) => type === "decorator")
    .map((decorator) => ({
      value: expressionOf(partsOf(decorator)[0] ?? null, reading.lineOf),
      line: reading.lineOf(decorator),
    }));
  const definition = node.childForFieldName("definition");
  if (definition?.type === "function_definition") readFunction(definition, decorators, reading, at);
  if (definition?.type === "class_definition") readClass(definition, decorators, reading, at);
}

function readFunction(
  node: SyntaxNode,
  decorators: Decorator[],
  reading: Reading,
  { scope, depth }: At,
): void {
  const name = node.childForFieldName("name")?.text ?? "";
  const returned: Expression[] = [];
  const returns = node.childForFieldName("return_type");
  const parameters = partsOf(node.childForFieldName("parameters")).flatMap((one) =>
    parameterOf(one, reading.lineOf),
  );
  const line = reading.lineOf(node);
  reading.facts.functions.push({
    ...{ scope, line, name, decorators, parameters, returned },
    returns: returns === null ? null : expressionOf(returns, reading.lineOf),
  });
  const inside = { scope: insideOf({ scope, name }), depth };
  readBlock(node.childForFieldName("body"), { ...reading, returned }, inside);
}

function parameterOf(node: SyntaxNode, lineOf: LineOf): Parameter[] {
  if (node.type === "keyword_separator" || node.type === "positional_separator") return [];
  const named = node.childForFieldName("name") ?? (node.type === "identifier" ? node : partsOf(node)[0]);
  const isRest = /splat/.test(node.type) || /splat/.test(named?.type ?? "");
  const annotation = node.childForFieldName("type");
  const initial = node.childForFieldName("value");
  return [
    {
      name: (named?.text ?? "").replace(/^\*+/, ""),
      annotation: annotation === null ? null : expressionOf(annotation, lineOf),
      initial: initial === null ? null : expressionOf(initial, lineOf),
      isRest,
    },
  ];
}

function readClass(node: SyntaxNode, decorators: Decorator[], reading: Reading, { scope, depth }: At): void {
  const name = node.childForFieldName("name")?.text ?? "";
  const bases = partsOf(node.childForFieldName("superclasses"))
    .filter(({ type }) => type !== "keyword_argument")
    .map((base) => expressionOf(base, reading.lineOf));
  reading.facts.classes.push({ scope, line: reading.lineOf(node), name, bases, decorators });
  readBlock(node.childForFieldName("body"), reading, { scope: insideOf({ scope, name }), depth });
}
