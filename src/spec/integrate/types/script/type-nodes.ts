import { hasSign, partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import { named } from "../value-types.ts";
import { literalIn, stringIn } from "./constants.ts";
import { enumMembers } from "./enums.ts";
import { mappedType, objectType, recordOf } from "./members.ts";
import { OPERATORS, operated, parameter } from "./operators.ts";
import { type At, deeper, isTooDeep, type Reading, type Side } from "./reading.ts";
import { literal, unionOf, unknown } from "./value.ts";

/** A type as it is written, in the names that both languages share. What is not taken apart is unknown, with its text. */
export function readType(node: SyntaxNode, reading: Reading, at: At): ValueType {
  const as = isTooDeep(at) ? undefined : FORMS[node.type];
  return as?.(node, reading, deeper(at)) ?? unknown(reading.source.text(node));
}

type Form = (node: SyntaxNode, reading: Reading, at: At) => ValueType | null;

const inner: Form = (node, { typeOf }, at) => {
  const [first] = partsOf(node);
  return first === undefined ? null : typeOf(first, at);
};
const aFunction: Form = () => named("function");

const FORMS: Readonly<Record<string, Form>> = {
  predefined_type: (node, { source }) => predefined(source.text(node)),
  type_identifier: reference,
  identifier: reference,
  member_expression: reference,
  nested_type_identifier: reference,
  generic_type: generic,
  literal_type: literalType,
  template_literal_type: (node, { source }) => {
    const text = stringIn(node, source);
    return text === null ? null : literal(text);
  },
  union_type: (node, { typeOf }, at) => unionOf(chainOf(node).map((one) => typeOf(one, at))),
  intersection_type: intersection,
  parenthesized_type: inner,
  // That something is not to be changed says nothing about what it is.
  readonly_type: inner,
  type_annotation: inner,
  opting_type_annotation: inner,
  omitting_type_annotation: inner,
  optional_type: inner,
  rest_type: (node, reading, at) => named("rest", inner(node, reading, at) ?? named("any")),
  array_type: (node, reading, at) => named("list", inner(node, reading, at) ?? named("any")),
  tuple_type: tuple,
  object_type: (node, reading, at) => mappedType(node, reading, at) ?? objectType(node, reading, at),
  function_type: aFunction,
  constructor_type: aFunction,
  lookup_type: lookup,
  index_type_query: (node, reading, at) => operatedOn("keyof", [inner(node, reading, at)], reading),
  type_query: (node, { source, constant }) => {
    const [asked] = partsOf(node);
    return asked?.type === "identifier" ? constant(source.text(asked)) : null;
  },
};

function predefined(name: string): ValueType | null {
  if (name === "unknown") return named("any");
  if (name === "void") return named("undefined");
  return /^(?:string|number|boolean|any|object|symbol|never|undefined|null)$/.test(name) ? named(name) : null;
}

/** `string & { readonly [brand]: "Id" }` is a text: what it is marked with is nowhere but in the type. */
function intersection(node: SyntaxNode, { typeOf, known }: Reading, at: At): ValueType {
  const all = chainOf(node).map((one) => ({ type: typeOf(one, at), isObject: one.type === "object_type" }));
  const plain = all.find(({ type }) => PLAIN_VALUE.test(type.kind === "name" ? type.name : ""));
  const types = all.filter(({ type, isObject }) => !plain || !isObject || type.kind !== "unknown");
  const [only] = types;
  if (only !== undefined && types.length === 1) return only.type;
  return operated(named("intersection", ...types.map(({ type }) => type)), known);
}

const PLAIN_VALUE = /^(?:string|number|boolean|integer)$/;

/** Members of unions hang on each other like links: a thousand of them are a thousand deep. */
function chainOf(node: SyntaxNode): SyntaxNode[] {
  const links: SyntaxNode[] = [];
  let at: SyntaxNode | undefined = node;
  while (at !== undefined && at.type === node.type) {
    const parts = partsOf(at);
    const first = parts[0];
    links.push(...parts.slice(first?.type === node.type ? 1 : 0).toReversed());
    at = first?.type === node.type ? first : undefined;
  }
  return links.toReversed();
}

const BUILT_IN: ReadonlyMap<string, ValueType> = new Map([
  ["Date", named("datetime")],
  ["String", named("string")],
  ["Number", named("number")],
  ["Boolean", named("boolean")],
  ["Object", named("object")],
  ["bigint", named("integer")],
  ["BigInt", named("integer")],
  ["undefined", named("undefined")],
  ["Function", named("function")],
  ...["Buffer", "Uint8Array", "ArrayBuffer"].map((name) => [name, named("bytes")] as const),
]);
/** Names of types that take others; what they take is read first. */
const CONTAINERS: Readonly<Record<string, string>> = {
  ...{ Array: "list", ReadonlyArray: "list", Set: "set", ReadonlySet: "set" },
  ...{ Map: "map", ReadonlyMap: "map" },
};

function isOwn(name: string, { source }: Reading): boolean {
  return source.types.has(name) || source.imported.has(name);
}

/** A name of the project, of the language, of a type parameter, or of a member of an enum. */
function reference(node: SyntaxNode, reading: Reading, at: At): ValueType | null {
  const { source } = reading;
  const name = source.text(node).replace(/\s/g, "");
  const place = at.parameters.lastIndexOf(name);
  // By its place: what it is called is nobody's concern.
  if (place >= 0) return parameter(place + 1);
  const own = inNamespace(name, at, (one) => source.types.has(one));
  if (own !== null) return named(own);
  const builtIn = isOwn(name, reading) ? undefined : BUILT_IN.get(name);
  return builtIn ?? enumMember(name, reading, at) ?? (/^[\w$.]+$/.test(name) ? named(name) : null);
}

/** From the innermost namespace outwards. */
function inNamespace(name: string, at: At, isThere: (name: string) => boolean): string | null {
  const parts = at.namespace.split(".").slice(0, -1);
  for (let n = parts.length; n >= 0; n -= 1) {
    const tried = [...parts.slice(0, n), name].join(".");
    if (isThere(tried)) return tried;
  }
  return null;
}

function enumMember(name: string, { source }: Reading, at: At): ValueType | null {
  const [of, member] = [name.replace(/\.[^.]*$/, ""), name.replace(/^.*\./, "")];
  const known = inNamespace(of, at, (one) => source.types.has(one));
  const [declaration] = (known === null || of === name ? undefined : source.types.get(known)) ?? [];
  if (declaration?.type !== "enum_declaration") return null;
  const value = enumMembers(declaration, source).get(member) ?? null;
  return value === null ? null : literal(value);
}

function generic(node: SyntaxNode, reading: Reading, at: At): ValueType | null {
  const { source, typeOf } = reading;
  const nameNode = node.childForFieldName("name");
  const written = partsOf(node.childForFieldName("type_arguments"));
  if (nameNode === null) return null;
  const name = source.text(nameNode).replace(/\s/g, "");
  const zod = /^([\w$]+)\.(infer|output|TypeOf|input)$/.exec(name);
  if (zod !== null && source.zod.has(zod[1] as string))
    return queried(written[0], reading, zod[2] === "input" ? "input" : "output");
  if (source.typeBox.get(name) === "Static") return queried(written[0], reading, "output");
  const args = written.map((arg) => typeOf(arg, at));
  if (isOwn(name, reading)) return named(name, ...args);
  const container = Object.hasOwn(CONTAINERS, name) ? CONTAINERS[name] : undefined;
  if (container !== undefined) return named(container, ...args);
  if (name === "Readonly") return args[0] ?? null;
  const [first, second] = args;
  if (name === "Record" && first !== undefined && second !== undefined)
    return recordOf(first, second, false, source.line(node));
  if (OPERATORS.has(name)) return operatedOn(name, args, reading);
  const own = reference(nameNode, reading, at);
  return own?.kind === "name" ? named(own.name, ...args) : null;
}

function operatedOn(name: string, args: readonly (ValueType | null)[], { known }: Reading): ValueType | null {
  return args.every((arg) => arg !== null) ? operated(named(name, ...args), known) : null;
}

function literalType(node: SyntaxNode, { source }: Reading): ValueType | null {
  const [value] = partsOf(node);
  if (value === undefined) return null;
  if (value.type === "null" || value.type === "undefined") return named(value.type);
  const plain = literalIn(value, source);
  return plain === null ? null : literal(plain);
}

/** The names of elements say nothing, that one may be left out does. */
function tuple(node: SyntaxNode, { typeOf }: Reading, at: At): ValueType {
  const types = partsOf(node).map((item) => {
    const annotation = item.childForFieldName("type");
    const type = typeOf(annotation ?? item, at);
    const isOptional =
      item.type === "optional_type" || item.type === "optional_parameter" || hasSign(item, "?");
    return isOptional ? unionOf([type, named("undefined")]) : type;
  });
  return named("tuple", ...types);
}

/** `(typeof X)[keyof typeof X]`, `(typeof X)[number]`, `Order["status"]`. */
function lookup(node: SyntaxNode, reading: Reading, at: At): ValueType | null {
  const [of, by] = partsOf(node);
  if (of === undefined || by === undefined) return null;
  const isBare = of.type === "parenthesized_type" || of.type === "type_query";
  const query = isBare ? queryIn(of) : null;
  const { text } = reading.source;
  const every = query === null ? null : [`keyof typeof ${text(query)}`, "number"];
  // The values of a constant elsewhere are what its name stands for there.
  if (query !== null && every?.includes(text(by).replace(/\s+/g, " ")) && isElsewhere(text(query), reading))
    return named(text(query));
  return operatedOn("lookup", [reading.typeOf(of, at), reading.typeOf(by, at)], reading);
}

function queryIn(node: SyntaxNode): SyntaxNode | null {
  const [inside] = partsOf(node);
  if (inside === undefined) return null;
  return node.type === "type_query" ? inside : queryIn(inside);
}

const isElsewhere = (name: string, { source }: Reading): boolean =>
  source.imported.has(name) && !source.constants.has(name);

/** What a schema lets through: `typeof order` in `z.infer<typeof order>`. */
function queried(node: SyntaxNode | undefined, reading: Reading, side: Side): ValueType | null {
  const [asked] = node?.type === "type_query" ? partsOf(node) : [];
  if (asked?.type !== "identifier") return null;
  const name = reading.source.text(asked);
  if (isElsewhere(name, reading)) return side === "output" ? named(name) : null;
  return reading.schemaValues(name, side);
}
