import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";

/** An expression of Python as plain data, as far as routes are written in it. */
export type Expression =
  | { readonly kind: "text"; readonly value: string }
  /** Texts in a row, of which some are not plain: `f"/{PREFIX}/x"`, `PREFIX + "/x"`. Lists can be added, too. */
  | { readonly kind: "sum"; readonly of: readonly Expression[] }
  /** With dots, where it is that of an attribute: `products.router`. */
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Argument[];
      readonly line: number;
      /** From the start of the text. */
      readonly start: number;
    }
  /** What follows a value that is no name: `create().router`. */
  | { readonly kind: "attribute"; readonly of: Expression; readonly name: string }
  /** `list[Product]`. */
  | { readonly kind: "generic"; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly kind: "union"; readonly of: readonly Expression[] }
  /** Of a list, tuple or set. */
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "spread"; readonly of: Expression }
  | { readonly kind: "map"; readonly entries: readonly (readonly [Expression, Expression])[] }
  /** `None`, `True`, `204`. */
  | { readonly kind: "constant"; readonly source: string }
  /** One of these: `A() if debug else B()`, `given or "/api"`. */
  | { readonly kind: "either"; readonly of: readonly Expression[] }
  /** Each item of this, one after the other: what a loop binds its name to. */
  | { readonly kind: "each"; readonly of: Expression }
  /** Anything else, as it is written. */
  | { readonly kind: "other"; readonly source: string };

/** `name` is null where the place decides; `**` for a map that is spread. */
export type Argument = { readonly name: string | null; readonly value: Expression };

export type ExpressionKind<K extends Expression["kind"]> = Extract<Expression, { readonly kind: K }>;
export type Call = ExpressionKind<"call">;

/** Deeper than anything that people write. */
const DEEPEST = 24;
const LONGEST_SOURCE = 80;

/** `lineOf` says on which line a node is. */
export type LineOf = (node: SyntaxNode) => number;

export function expressionOf(node: SyntaxNode | null, lineOf: LineOf): Expression {
  return read(node, { lineOf, depth: 0 });
}

type At = { readonly lineOf: LineOf; readonly depth: number };
type Reader = (node: SyntaxNode, at: At) => Expression;

function read(node: SyntaxNode | null, at: At): Expression {
  if (node === null) return { kind: "other", source: "" };
  const reader = Object.hasOwn(READERS, node.type) ? READERS[node.type] : undefined;
  return at.depth < DEEPEST && reader !== undefined
    ? reader(node, { ...at, depth: at.depth + 1 })
    : otherOf(node);
}

const constant: Reader = (node) => ({ kind: "constant", source: node.text });
const inside: Reader = (node, at) => read(partsOf(node)[0] ?? null, at);
const list: Reader = (node, at) => ({ kind: "list", items: all(partsOf(node), at) });
const sum: Reader = (node, at) => sumOf(all(partsOf(node), at));

const READERS: Readonly<Record<string, Reader>> = {
  string: (node, at) => textOf(node, at),
  concatenated_string: sum,
  identifier: ({ text }) => ({ kind: "name", name: text }),
  attribute: (node, at) => attributeOf(node, at),
  call: (node, at) => ({
    kind: "call",
    callee: read(node.childForFieldName("function"), at),
    args: argumentsOf(node.childForFieldName("arguments"), at),
    line: at.lineOf(node),
    start: node.startIndex,
  }),
  subscript: (node, at) => {
    const [of, ...args] = all(partsOf(node), at);
    return of === undefined ? otherOf(node) : { kind: "generic", of, args: args.flatMap(itemsOf) };
  },
  generic_type: (node, at) => {
    const [of, parameters] = partsOf(node);
    const args = parameters === undefined ? [] : all(partsOf(parameters), at);
    return { kind: "generic", of: read(of ?? null, at), args };
  },
  union_type: (node, at) => unionOf(all(partsOf(node), at)),
  binary_operator: (node, at) => {
    const operator = node.childForFieldName("operator")?.text;
    if (operator === "+") return sumOf(all(partsOf(node), at));
    return operator === "|" ? unionOf(all(partsOf(node), at)) : otherOf(node);
  },
  conditional_expression: (node, at) => {
    const [yes, , no] = partsOf(node);
    return {
      kind: "either",
      of: all(
        [yes, no].flatMap((one) => one ?? []),
        at,
      ),
    };
  },
  ...{ list, tuple: list, set: list, expression_list: list, pattern_list: list },
  list_splat: (node, at) => ({ kind: "spread", of: inside(node, at) }),
  ...{ type: inside, parenthesized_expression: inside, await: inside },
  dictionary: (node, at) => ({
    kind: "map",
    entries: partsOf(node)
      .filter(({ type }) => type === "pair")
      .map(
        (pair) =>
          [read(pair.childForFieldName("key"), at), read(pair.childForFieldName("value"), at)] as const,
      ),
  }),
  ...{ none: constant, true: constant, false: constant, integer: constant, ellipsis: constant },
};

function all(nodes: readonly SyntaxNode[], at: At): Expression[] {
  return nodes.map((node) => read(node, at));
}

/** A tuple inside of `[…]` is one more way to write several. */
function itemsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "list" ? expression.items : [expression];
}

function attributeOf(node: SyntaxNode, at: At): Expression {
  const of = read(node.childForFieldName("object"), at);
  const name = node.childForFieldName("attribute")?.text ?? "";
  return of.kind === "name" ? { kind: "name", name: `${of.name}.${name}` } : { kind: "attribute", of, name };
}

function argumentsOf(node: SyntaxNode | null, at: At): Argument[] {
  return partsOf(node).map((argument) => {
    if (argument.type === "keyword_argument")
      return {
        name: argument.childForFieldName("name")?.text ?? "",
        value: read(argument.childForFieldName("value"), at),
      };
    if (argument.type === "dictionary_splat") return { name: "**", value: otherOf(argument) };
    return { name: null, value: read(argument, at) };
  });
}

function textOf(node: SyntaxNode, at: At): Expression {
  const start = node.children[0]?.text.toLowerCase() ?? "";
  if (start.startsWith("b") || start.startsWith("rb")) return otherOf(node);
  const isRaw = start.includes("r");
  const isFormatted = start.includes("f");
  const parts = node.children.map((part): Expression => {
    if (part.type === "interpolation") return read(partsOf(part)[0] ?? null, at);
    if (part.type !== "string_content") return { kind: "text", value: "" };
    const plain = isFormatted ? part.text.replaceAll("{{", "{").replaceAll("}}", "}") : part.text;
    return { kind: "text", value: isRaw ? plain : unescaped(plain) };
  });
  return sumOf(parts);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(\r?\n|.)/g, (_, sign: string) => ({ n: "\n", t: "\t" })[sign] ?? sign.trim());
}

/** Neighbouring texts are one. */
function sumOf(parts: readonly Expression[]): Expression {
  const flat = parts.flatMap((part) => (part.kind === "sum" ? part.of : [part]));
  const joined: Expression[] = [];
  for (const part of flat) {
    const last = joined.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      joined[joined.length - 1] = { kind: "text", value: last.value + part.value };
    else if (part.kind !== "text" || part.value !== "" || flat.length === 1) joined.push(part);
  }
  const [only] = joined;
  if (only === undefined) return { kind: "text", value: "" };
  return joined.length === 1 ? only : { kind: "sum", of: joined };
}

function unionOf(parts: readonly Expression[]): Expression {
  return { kind: "union", of: parts.flatMap((part) => (part.kind === "union" ? part.of : [part])) };
}

function otherOf({ text }: SyntaxNode): Expression {
  const line = text.slice(0, LONGEST_SOURCE * 2).replaceAll(/\s+/g, " ");
  return { kind: "other", source: line.length > LONGEST_SOURCE ? `${line.slice(0, LONGEST_SOURCE)}…` : line };
}

/** As it was written, more or less. */
export function sourceOf(expression: Expression, depth = 0): string {
  const say = (one: Expression) => sourceOf(one, depth + 1);
  if (depth > DEEPEST) return "…";
  switch (expression.kind) {
    case "text":
      return JSON.stringify(expression.value);
    case "name":
      return expression.name;
    case "attribute":
      return `${say(expression.of)}.${expression.name}`;
    case "call":
      return `${say(expression.callee)}(${expression.args.length === 0 ? "" : "…"})`;
    case "generic":
      return `${say(expression.of)}[${expression.args.map(say).join(", ")}]`;
    case "union":
      return expression.of.map(say).join(" | ");
    case "sum":
      return expression.of.map(say).join(" + ");
    case "list":
      return `[${expression.items.map(say).join(", ")}]`;
    case "spread":
      return `*${say(expression.of)}`;
    case "either":
      return expression.of.map(say).join(" or ");
    case "each":
      return `each of ${say(expression.of)}`;
    case "map":
      return "{…}";
    default:
      return expression.source;
  }
}

/** Whether a call is given a map, in which any argument may be: `APIRouter(**options)`. */
export function isGivenMap(call: Call): boolean {
  return call.args.some(({ name }) => name === "**");
}

/** The argument of this name, or else the one at this place; null where it is neither. */
export function argument(call: Call, name: string, place?: number): Expression | null {
  const named = call.args.find((one) => one.name === name);
  if (named !== undefined) return named.value;
  const placed = call.args.filter((one) => one.name === null);
  const isSpread = placed.slice(0, (place ?? 0) + 1).some(({ value }) => value.kind === "spread");
  return place === undefined || isSpread ? null : (placed[place]?.value ?? null);
}
