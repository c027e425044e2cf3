import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";

/** What types, defaults and bases are written with: as much of Python's expressions as a type can be told from. */
export type Expression = { readonly text: string } & (
  | { readonly kind: "name"; readonly name: string }
  /** As JSON writes it. */
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "none" | "ellipsis" | "other" }
  | { readonly kind: "subscript"; readonly of: Expression; readonly args: readonly Expression[] }
  | {
      readonly kind: "call";
      readonly of: Expression;
      readonly args: readonly Expression[];
      readonly named: ReadonlyMap<string, Expression>;
    }
  | { readonly kind: "union" | "list"; readonly of: readonly Expression[] }
);

export type Call = Extract<Expression, { kind: "call" }>;

/** Nobody nests types deeper; a hostile text does. */
const DEEPEST = 30;
/** Of a text that is only quoted. */
const LONGEST = 500;

export function expressionOf(node: SyntaxNode, depth = 0): Expression {
  const text = plainText(node);
  const other: Expression = { kind: "other", text };
  if (depth > DEEPEST || node.hasError) return other;
  const inner = (nodes: readonly SyntaxNode[]) => nodes.map((one) => expressionOf(one, depth + 1));
  const parts = partsOf(node);
  const [first, ...rest] = parts;
  switch (node.type) {
    case "type":
    case "parenthesized_expression":
      return first === undefined ? other : expressionOf(first, depth + 1);
    case "identifier":
    case "attribute":
    case "member_type":
      return nameOf(node) ?? other;
    case "none":
    case "ellipsis":
      return { kind: node.type, text };
    case "subscript":
      return first === undefined
        ? other
        : { kind: "subscript", of: expressionOf(first, depth + 1), args: inner(rest), text };
    case "generic_type":
      return first === undefined
        ? other
        : { kind: "subscript", of: expressionOf(first, depth + 1), args: inner(argumentsIn(rest)), text };
    case "union_type":
      return { kind: "union", of: inner(parts).flatMap(unionParts), text };
    case "binary_operator":
      return node.childForFieldName("operator")?.type === "|"
        ? { kind: "union", of: inner(parts).flatMap(unionParts), text }
        : other;
    case "list":
    case "tuple":
    case "expression_list":
      return { kind: "list", of: inner(parts), text };
    case "call":
      return callOf(node, depth) ?? other;
    default: {
      const value = literalOf(node);
      return value === null ? other : { kind: "literal", value, text };
    }
  }
}

const plainText = (node: SyntaxNode) => node.text.slice(0, LONGEST).replace(/\s+/g, " ");

export const unionParts = (one: Expression): readonly Expression[] => (one.kind === "union" ? one.of : [one]);

const argumentsIn = (nodes: readonly SyntaxNode[]) =>
  nodes.flatMap((node) => (node.type === "type_parameter" ? node.namedChildren : [node]));

/** `dt.datetime`, but not `made().datetime`. */
function nameOf(node: SyntaxNode): Expression | null {
  const name = node.text.replace(/\s/g, "");
  return /^[\p{L}\p{N}_.]+$/u.test(name) ? { kind: "name", name, text: name } : null;
}

function callOf(node: SyntaxNode, depth: number): Expression | null {
  const called = node.childForFieldName("function");
  const given = node.childForFieldName("arguments");
  if (called === null || given?.type !== "argument_list") return null;
  const args: Expression[] = [];
  const byName = new Map<string, Expression>();
  for (const one of given.namedChildren) {
    if (one.type === "comment") continue;
    const [name, value] = [one.childForFieldName("name"), one.childForFieldName("value")];
    if (one.type === "keyword_argument" && name !== null && value !== null)
      byName.set(name.text, expressionOf(value, depth + 1));
    else args.push(expressionOf(one, depth + 1));
  }
  return { kind: "call", of: expressionOf(called, depth + 1), args, named: byName, text: plainText(node) };
}

function literalOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case "true":
    case "false":
      return node.type;
    case "integer":
    case "float":
      return numberOf(node.text);
    case "unary_operator": {
      const value = /^[-+]\s*([\d._]+)$/.exec(node.text);
      return value === null ? null : numberOf(`${node.text.startsWith("-") ? "-" : ""}${value[1]}`);
    }
    case "string": {
      const text = stringOf(node);
      return text === null ? null : JSON.stringify(text);
    }
    case "concatenated_string": {
      const texts = node.namedChildren.filter(({ type }) => type === "string").map(stringOf);
      return texts.includes(null) ? null : JSON.stringify(texts.join(""));
    }
    default:
      return null;
  }
}

function numberOf(text: string): string | null {
  const value = Number(text.replace(/_/g, ""));
  return Number.isFinite(value) ? String(value) : null;
}

/** Escapes stay as they are written: who writes them in two places writes them alike. Null where something is filled in. */
function stringOf(node: SyntaxNode): string | null {
  const found = /^([a-z]*)("""|'''|"|')([\s\S]*)\2$/i.exec(node.text);
  if (found === null || /[bft]/i.test(found[1] ?? "")) return null;
  return found[3] ?? "";
}
