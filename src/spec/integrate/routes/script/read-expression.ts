import { unescapedScript } from "../../../../syntax/script-text.ts";
import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import { type Chain, type Expr, type Step, UNKNOWN } from "./facts.ts";
import { readType, readTypeArguments } from "./read-types.ts";

/** What is kept while a file is read. */
export type Reading = {
  readonly lineAt: (offset: number) => number;
  readonly loops: Map<number, Expr>;
  /** Chains that were read, and the places of their links, so that each is read once. */
  readonly chains: Map<string, Chain>;
  readonly links: Set<string>;
  readonly required: Map<string, number>;
};

export type Here = { readonly reading: Reading; readonly scope: number; readonly depth: number };

/** People do not nest values further; a hostile text does, for ever. */
const DEEPEST = 16;

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...["arrow_function", "function_expression", "function_declaration", "method_definition"],
  ...["generator_function", "generator_function_declaration"],
]);

export const isFunction = (type: string) => FUNCTIONS.has(type);

/** What an expression says, as far as a path, a router or a mount can rest on it. */
export function readExpression(node: SyntaxNode | null | undefined, here: Here): Expr {
  if (node == null || here.depth > DEEPEST) return UNKNOWN;
  const inner = { ...here, depth: here.depth + 1 };
  const first = () => readExpression(partsOf(node)[0], inner);
  if (isFunction(node.type)) return { kind: "function", id: node.startIndex };
  switch (node.type) {
    case "string":
      return { kind: "text", text: node.namedChildren.map(pieceOfText).join("") };
    case "template_string":
      return { kind: "joined", of: node.namedChildren.map((piece) => pieceOfTemplate(piece, inner)) };
    case "number":
      return { kind: "number", value: Number(node.text.replaceAll("_", "")) };
    case "false":
      return { kind: "false" };
    case "regex":
      return { kind: "pattern" };
    case "identifier":
    case "shorthand_property_identifier":
      return { kind: "name", name: node.text, scope: here.scope };
    case "this":
    case "super":
      return { kind: node.type, scope: here.scope };
    case "class":
    case "class_declaration":
    case "abstract_class_declaration":
      return { kind: "class", id: node.startIndex };
    case "parenthesized_expression":
    case "await_expression":
    case "non_null_expression":
      return first();
    case "as_expression":
    case "satisfies_expression":
      return typedExpression(node, inner);
    case "spread_element":
      return { kind: "spread", of: first() };
    case "array":
      return { kind: "list", of: partsOf(node).map((one) => readExpression(one, inner)) };
    case "object":
      return readObject(node, inner);
    case "assignment_expression":
      return readExpression(node.childForFieldName("right"), inner);
    case "ternary_expression":
      return choice([node.childForFieldName("consequence"), node.childForFieldName("alternative")], inner);
    case "binary_expression":
      return binaryExpression(node, inner);
    case "call_expression":
    case "new_expression":
    case "member_expression":
    case "subscript_expression":
      return readChain(node, here);
    default:
      return UNKNOWN;
  }
}

function choice(nodes: readonly (SyntaxNode | null)[], here: Here): Expr {
  return { kind: "choice", of: nodes.map((node) => readExpression(node, here)) };
}

function typedExpression(node: SyntaxNode, here: Here): Expr {
  const [value, type] = partsOf(node);
  const of = readExpression(value, here);
  const said = readType(type);
  return said === null ? of : { kind: "typed", of, type: said }; // `as const` has no type
}

function binaryExpression(node: SyntaxNode, here: Here): Expr {
  const operator = node.childForFieldName("operator")?.type;
  const sides = (one: SyntaxNode) => [one.childForFieldName("left"), one.childForFieldName("right")];
  if (operator === "||" || operator === "??") return choice(sides(node), here);
  if (operator === "&&") return choice(sides(node).slice(1), here);
  if (operator !== "+") return UNKNOWN;
  const parts: Expr[] = [];
  let left: SyntaxNode | null = node; // as deep as it is long
  while (left?.type === "binary_expression" && left.childForFieldName("operator")?.type === "+") {
    parts.push(readExpression(left.childForFieldName("right"), here));
    left = left.childForFieldName("left");
  }
  return { kind: "joined", of: [...parts, readExpression(left, here)].reverse() };
}

function readObject(node: SyntaxNode, here: Here): Expr {
  const fields = new Map<string, Expr>();
  let hasMore = false;
  for (const part of partsOf(node)) {
    const key = nameOf(part.childForFieldName(part.type === "pair" ? "key" : "name") ?? part);
    if (part.type === "spread_element" || key === null) hasMore = true;
    else if (part.type === "pair") fields.set(key, readExpression(part.childForFieldName("value"), here));
    else fields.set(key, readExpression(part, here));
  }
  return { kind: "object", fields, hasMore };
}

/** Of a field or method; null where it is computed. */
export function nameOf(node: SyntaxNode | null): string | null {
  if (node === null || node.type === "spread_element") return null;
  if (node.type === "string") return node.namedChildren.map(pieceOfText).join("");
  if (node.type !== "computed_property_name") return node.text;
  const inside = node.namedChildren[0];
  return inside?.type === "string" ? nameOf(inside) : null;
}

const placeOf = ({ startIndex, endIndex }: SyntaxNode) => `${startIndex}:${endIndex}`;

export function isLink(node: SyntaxNode, { links }: Reading): boolean {
  return links.has(placeOf(node));
}

/** From the last link to the first, in a loop: chains are as deep in the tree as they are long. */
function readChain(node: SyntaxNode, here: Here): Expr {
  const { reading, scope } = here;
  const known = reading.chains.get(placeOf(node));
  if (known !== undefined) return known;
  const steps: Step[] = [];
  let left: SyntaxNode | null = node;
  for (;;) {
    const step = left === null ? null : readStep(left, here);
    if (left === null || step === null) break;
    if (left !== node) reading.links.add(placeOf(left));
    if (step.kind !== "through") steps.push(step);
    if (isImport(left)) break;
    left = before(left);
  }
  steps.reverse();
  const isModule = left !== null && isImport(left);
  if (isModule) steps.shift();
  const base = isModule
    ? moduleOf(left as SyntaxNode, reading)
    : readExpression(left, { ...here, depth: here.depth + 1 });
  const chain: Chain = { kind: "chain", base, steps, scope };
  noteLoops(chain, reading);
  reading.chains.set(placeOf(node), chain);
  return chain;
}

/** `x.forEach((one) => …)`: the function has its turn with each of `x`. */
function noteLoops({ base, steps, scope }: Chain, { loops }: Reading): void {
  steps.forEach((step, i) => {
    const next = steps[i + 1];
    const callback = next?.kind === "call" ? next.arguments[0] : undefined;
    if (step.kind !== "member" || !/^(?:forEach|map|flatMap)$/.test(step.name)) return;
    if (callback?.kind !== "function") return;
    loops.set(callback.id, { kind: "chain", base, steps: steps.slice(0, i), scope });
  });
}

function before(node: SyntaxNode): SyntaxNode | null {
  if (node.type === "call_expression") return node.childForFieldName("function");
  if (node.type === "new_expression") return node.childForFieldName("constructor");
  return node.childForFieldName("object") ?? partsOf(node)[0] ?? null;
}

function readStep(node: SyntaxNode, here: Here): Step | { readonly kind: "through" } | null {
  const { reading } = here;
  switch (node.type) {
    case "call_expression":
    case "new_expression":
      return readCall(node, here);
    case "member_expression": {
      const property = node.childForFieldName("property");
      const line = reading.lineAt(property?.startIndex ?? node.startIndex);
      return { kind: "member", name: property?.text ?? "", line };
    }
    case "subscript_expression": {
      const index = node.childForFieldName("index");
      const of = readExpression(index, { ...here, depth: here.depth + 1 });
      return { kind: "index", of, line: reading.lineAt(index?.startIndex ?? node.startIndex) };
    }
    case "parenthesized_expression":
    case "await_expression":
    case "non_null_expression":
      return { kind: "through" };
    default:
      return null;
  }
}

function readCall(node: SyntaxNode, here: Here): Step {
  const inner = { ...here, depth: here.depth + 1 };
  const all = node.childForFieldName("arguments");
  const given = all?.type === "arguments" ? partsOf(all) : [];
  return {
    kind: "call",
    id: node.endIndex,
    isNew: node.type === "new_expression",
    arguments: given.map((one) => readExpression(one, inner)),
    types: readTypeArguments(node.childForFieldName("type_arguments")),
    line: here.reading.lineAt(node.startIndex),
    scope: here.scope,
  };
}

function isImport(node: SyntaxNode): boolean {
  if (node.type !== "call_expression") return false;
  const called = node.childForFieldName("function");
  const isCalled = called?.type === "import" || called?.text === "require";
  return isCalled && node.childForFieldName("arguments")?.type === "arguments";
}

function moduleOf(node: SyntaxNode, { required, lineAt }: Reading): Expr {
  const what = partsOf(node.childForFieldName("arguments"))[0];
  const from = what?.type === "string" ? nameOf(what) : null;
  if (from !== null) required.set(from, lineAt(node.startIndex));
  return { kind: "module", from };
}

function pieceOfTemplate(node: SyntaxNode, here: Here): Expr {
  if (node.type !== "template_substitution") return { kind: "text", text: pieceOfText(node) };
  return readExpression(partsOf(node)[0], here);
}

function pieceOfText({ type, text }: SyntaxNode): string {
  return type === "escape_sequence" ? unescapedScript(text) : text;
}
