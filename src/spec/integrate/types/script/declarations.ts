import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import { reasons } from "../../reasons.ts";
import type { DeclaredShape, ValueType } from "../shape.ts";
import { named, shapeOf } from "../value-types.ts";
import { bare, constantType } from "./constants.ts";
import { enumValues } from "./enums.ts";
import { type Members, readMembers } from "./members.ts";
import { isParameter, OPERATORS, operated, projectName } from "./operators.ts";
import { type At, type Reading, within } from "./reading.ts";
import { overlaid, valuesIn } from "./schema-form.ts";
import { unionOf, unknown } from "./value.ts";

/** What a type is, as far as its own file tells. */
export type Declaration = Pick<DeclaredShape, "shape" | "bases" | "baseArguments" | "sort">;

/** A name may be declared in several pieces: interfaces, and classes with them, are one type then. */
export function declarationOf(name: string, nodes: readonly SyntaxNode[], reading: Reading): Declaration {
  const [first] = nodes;
  const namespace = name.replace(/[^.]*$/, "");
  if (first?.type === "enum_declaration") {
    const values = nodes.flatMap((node) => enumValues(node, reading.source));
    return { shape: { kind: "values", values }, bases: [], sort: "enum" };
  }
  const at: At = { namespace, parameters: [], depth: 0 };
  if (first?.type === "type_alias_declaration") return aliasOf(first, reading, at);
  const pieces = nodes.filter(({ type }) => /class|interface/.test(type));
  const inner = pieces.map((node) => membersOf(node, reading, within(node, at, reading.source.text)));
  const own: Members = {
    fields: inner.flatMap(({ fields }) => fields),
    more: inner.find(({ more }) => more !== null)?.more ?? null,
  };
  const bases = pieces.flatMap((node) => heritageOf(node, reading, within(node, at, reading.source.text)));
  const sort = pieces.some(isTable(reading)) ? "entity" : "class";
  return { ...withBases(own, bases), sort: first?.type === "interface_declaration" ? "interface" : sort };
}

/** `@Entity()`, which stands before `export` or behind it. */
const isTable =
  ({ source }: Reading) =>
  (node: SyntaxNode): boolean =>
    [node, ...(node.parent?.type === "export_statement" ? [node.parent] : [])]
      .flatMap((one) => partsOf(one))
      .some((part) => part.type === "decorator" && /^@\s*(?:Entity|Table)\b/.test(source.text(part)));

/** Without types, fields are there when the constructor has made them. */
function membersOf(node: SyntaxNode, reading: Reading, at: At): Members {
  const body = node.childForFieldName("body");
  const members = readMembers(body, reading, at);
  const isMade =
    reading.source.isJavaScript && partsOf(body).some((member) => isConstructor(member, reading));
  return isMade ? { ...members, more: members.more ?? reasons.constructorFields } : members;
}

function isConstructor(member: SyntaxNode, { source }: Reading): boolean {
  const name = member.childForFieldName("name");
  return member.type === "method_definition" && name !== null && source.text(name) === "constructor";
}

function aliasOf(node: SyntaxNode, reading: Reading, at: At): Declaration {
  const value = node.childForFieldName("value");
  const type = value === null ? named("any") : reading.typeOf(value, within(node, at, reading.source.text));
  const sort =
    value?.type === "generic_type" && /^[\w$]+\.\w+</.test(reading.source.text(value)) ? "z.infer" : "type";
  const isOpen = type.kind === "name" && type.args.some(isParameter);
  if (type.kind !== "name" || type.name !== "intersection" || isOpen)
    return { shape: shapeOf(type), bases: [], sort };
  const own = overlaid(type.args.filter(({ kind }) => kind === "fields"));
  const bases = type.args.filter(({ kind }) => kind !== "fields");
  return { ...withBases({ fields: own.kind === "fields" ? own.fields : [], more: null }, bases), sort };
}

/** Own fields take the place of those of bases. What is made from types that cannot be seen yet stays an operation. */
function withBases(own: Members, bases: readonly ValueType[]): Omit<Declaration, "sort"> {
  const taken = bases.flatMap((base) => (base.kind === "name" && projectName(base) !== null ? [base] : []));
  const others = bases.filter((base) => projectName(base) === null);
  const isLater = others.some((base) => base.kind === "name" && OPERATORS.has(base.name));
  const fields: ValueType = { kind: "fields", fields: own.fields };
  if (isLater && own.more === null && others.every(isCombinable)) {
    const all = [...bases, ...(own.fields.length === 0 ? [] : [fields])];
    const type = all.length === 1 ? (all[0] as ValueType) : named("intersection", ...all);
    return { shape: { kind: "alias", type }, bases: [] };
  }
  const hidden = others.find((base) => base.kind !== "fields");
  const why = hidden === undefined ? null : reasons.unreadParent(nameOf(hidden));
  const told = overlaid([...others.filter(({ kind }) => kind === "fields"), fields]);
  const all = told.kind === "fields" ? told.fields : own.fields;
  return {
    shape: { kind: "fields", fields: all, more: own.more ?? why },
    bases: taken.map(({ name }) => name),
    ...(taken.some(({ args }) => args.length > 0) ? { baseArguments: taken.map(({ args }) => args) } : {}),
  };
}

const isCombinable = (type: ValueType): boolean =>
  type.kind === "fields" || (type.kind === "name" && OPERATORS.has(type.name));

const nameOf = (type: ValueType): string | null =>
  type.kind === "unknown" ? type.text : type.kind === "name" ? type.name : null;

/** What a declaration stands for, with the fields of its bases; null where not all of it can be seen. */
export function meaningOf({ shape, bases }: Declaration, known: Reading["known"]): ValueType | null {
  if (shape.kind === "unknown") return null;
  if (shape.kind === "alias") return shape.type;
  if (shape.kind === "values") return unionOf(shape.values.map((value) => ({ kind: "literal", value })));
  if (shape.more !== null) return null;
  const parts = bases.map((base) => known(base));
  const own: ValueType = { kind: "fields", fields: shape.fields };
  return parts.every((part) => part?.kind === "fields") ? overlaid([...parts, own]) : null;
}

/** What an interface or a class takes fields from. What a class only promises (`implements`) it has of its own. */
function heritageOf(node: SyntaxNode, reading: Reading, at: At): ValueType[] {
  return partsOf(node).flatMap((part) => {
    if (part.type === "extends_type_clause") return partsOf(part).map((base) => reading.typeOf(base, at));
    if (part.type !== "class_heritage") return [];
    const clause = partsOf(part).find(({ type }) => type === "extends_clause");
    const isPlain = !partsOf(part).some(({ type }) => /_clause$/.test(type));
    const base = clause?.childForFieldName("value") ?? (isPlain ? partsOf(part)[0] : undefined);
    if (base === undefined) return [];
    const args = partsOf(clause?.childForFieldName("type_arguments") ?? null);
    const type = baseOf(base, reading, at);
    return [
      type.kind === "name" && args.length > 0
        ? { ...type, args: args.map((one) => reading.typeOf(one, at)) }
        : type,
    ];
  });
}

/** NestJS makes classes of classes by calls, which say the same as operations on types. */
const CALLS: Readonly<Record<string, string>> = {
  ...{ PartialType: "Partial", PickType: "Pick", OmitType: "Omit", IntersectionType: "intersection" },
};

function baseOf(node: SyntaxNode, reading: Reading, at: At): ValueType {
  const { source, typeOf } = reading;
  const text = source.text(node);
  if (node.type === "identifier") return typeOf(node, at);
  if (node.type === "member_expression") return /^[\w$.]+$/.test(text) ? named(text) : unknown(text);
  const called = node.type === "call_expression" ? node.childForFieldName("function") : null;
  const args = partsOf(node.childForFieldName("arguments"));
  if (called === null || at.depth > DEEPEST) return unknown(text);
  const name = source.text(called).replace(/^.*\./, "");
  const inside = { ...at, depth: at.depth + 1 };
  if (name === "createZodDto" && args[0]?.type === "identifier")
    return schemaIn(args[0], reading) ?? unknown(text);
  const operator = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (operator === undefined) return unknown(text);
  const types = args.map((arg, i) =>
    i === 1 && /^(?:Pick|Omit)$/.test(operator) ? keysIn(arg, reading) : baseOf(arg, reading, inside),
  );
  const isWhole = types.length > 0 && types.every((type) => type !== null && type.kind !== "unknown");
  return isWhole ? operated(named(operator, ...(types as ValueType[])), reading.known) : unknown(text);
}

const DEEPEST = 10;

/** `["id", "createdAt"] as const`. */
function keysIn(node: SyntaxNode, { source }: Reading): ValueType | null {
  return valuesIn(constantType(bare(node).node, { ...source, isJavaScript: true }));
}

function schemaIn(node: SyntaxNode, { source, schemaValues }: Reading): ValueType | null {
  const name = source.text(node);
  return source.constants.has(name) ? schemaValues(name, "output") : named(name);
}
