import { hasSign, partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import { reasons } from "../../reasons.ts";
import type { Field, ValueType } from "../shape.ts";
import { isNamed, named, unionMembers } from "../value-types.ts";
import { bare, constantType, keyName } from "./constants.ts";
import type { At, Reading } from "./reading.ts";
import { textsOf, unionOf } from "./value.ts";

/** The fields between brackets, and why there may be more than can be seen. */
export type Members = { readonly fields: readonly Field[]; readonly more: string | null };

/**
 * The members of an interface, of an object type or of a class. A method is a field of type `function`, because `run(): void` and
 * `run: () => void` say the same. Of a class, methods and getters are not counted as too many. What is private, protected or static
 * is no field, nor is what has no name: calls, constructors, symbols.
 */
export function readMembers(body: SyntaxNode | null, reading: Reading, at: At): Members {
  const all = partsOf(body).map((member) => readMember(member, reading, at));
  const fields = new Map<string, Field>();
  // Overloads, and a getter with its setter, are one field.
  for (const field of all.flatMap((one) => one.fields))
    if (!fields.has(field.name)) fields.set(field.name, field);
  return { fields: [...fields.values()], more: all.find(({ more }) => more !== null)?.more ?? null };
}

const NONE: Members = { fields: [], more: null };

function readMember(member: SyntaxNode, reading: Reading, at: At): Members {
  if (member.type === "index_signature") return indexed(member, reading, at);
  const name = member.childForFieldName("name") ?? member.childForFieldName("property");
  if (name === null || isHidden(member, name)) return NONE;
  const key = keyName(name, reading.source);
  if (key === "constructor" && member.type === "method_definition")
    return { fields: constructed(member, reading, at), more: null };
  if (key === null) {
    const text = reading.source.text(name);
    const more = reasons.computedField(text);
    return { fields: [], more: /^\[\s*Symbol\./.test(text) ? null : more };
  }
  return { fields: [fieldOf(member, key, { reading, at, place: name })], more: null };
}

function isHidden(member: SyntaxNode, name: SyntaxNode): boolean {
  if (name.type === "private_property_identifier" || hasSign(member, "static")) return true;
  return partsOf(member).some(isHiding);
}

const isHiding = (part: SyntaxNode): boolean =>
  part.type === "accessibility_modifier" && !hasSign(part, "public");

type Place = { readonly reading: Reading; readonly at: At; readonly place: SyntaxNode };

function fieldOf(member: SyntaxNode, name: string, { reading, at, place }: Place): Field {
  const line = reading.source.line(place);
  const isDecorated = isMarkedOptional(member, reading);
  const mark = hasSign(member, "?") || isDecorated;
  const isMethod = /^(?:method_definition|method_signature|abstract_method_signature)$/.test(member.type);
  if (isMethod && !hasSign(member, "get") && !hasSign(member, "set"))
    return { name, type: named("function"), isOptional: mark, ...aside(member), line };
  const annotation = annotationOf(member, isMethod);
  const value = member.childForFieldName("value");
  const given = typeOfMember(annotation, value, reading, at);
  const isAside = isMethod || (value !== null && isFunction(value)) || isRelation(member, reading);
  // Such a decorator lets null through as well, and may be there for that only.
  const isForNull =
    isDecorated && !hasSign(member, "?") && unionMembers(given).some((one) => isNamed(one, "null"));
  const either = (value === null || isAside) && !isForNull ? {} : ({ leftOutUnclear: true } as const);
  return {
    ...{ name, ...withoutUndefined(given, mark), ...either },
    ...(isAside ? aside(member) : {}),
    line,
  };
}

/** What a getter returns, what a setter takes. */
function annotationOf(member: SyntaxNode, isMethod: boolean): SyntaxNode | null {
  if (!isMethod) return member.childForFieldName("type");
  const taken = hasSign(member, "set") ? partsOf(member.childForFieldName("parameters"))[0] : undefined;
  return taken === undefined ? member.childForFieldName("return_type") : taken.childForFieldName("type");
}

const isFunction = (value: SyntaxNode): boolean =>
  /^(?:arrow_function|function_expression)$/.test(value.type);

/** In an interface a method is as good as a field: only who has a class has methods besides. */
function aside(member: SyntaxNode): { readonly isImplied?: true } {
  return member.parent?.type === "class_body" ? { isImplied: true } : {};
}

/** Decorators that let who writes leave a field out, whatever its type says. */
function isMarkedOptional(member: SyntaxNode, { source }: Reading): boolean {
  return partsOf(member).some(
    (part) =>
      part.type === "decorator" && /^@\s*(?:IsOptional|ApiPropertyOptional)\b/.test(source.text(part)),
  );
}

/** The other side of a relation between tables is there when somebody asks for it. */
function isRelation(member: SyntaxNode, { source }: Reading): boolean {
  return partsOf(member).some(
    (part) => part.type === "decorator" && /^@\s*(?:One|Many)To(?:One|Many)\b/.test(source.text(part)),
  );
}

function typeOfMember(
  annotation: SyntaxNode | null,
  value: SyntaxNode | null,
  reading: Reading,
  at: At,
): ValueType {
  if (annotation !== null) return reading.typeOf(annotation, at);
  if (value === null) return named("any");
  if (isFunction(value)) return named("function");
  const plain = constantType(bare(value).node, { ...reading.source, isJavaScript: false });
  return plain ?? { kind: "unknown", text: reading.source.text(value).slice(0, 80) };
}

/**
 * `x?: T` and `x: T | undefined` are the same here: what is handed over, as JSON or between parts, knows no undefined, and who
 * reads the field sees no difference. So undefined is no part of a field's type, but that it may be left out.
 */
export function withoutUndefined(type: ValueType, isMarked: boolean): Pick<Field, "type" | "isOptional"> {
  const all = unionMembers(type);
  const left = all.filter((one) => !isNamed(one, "undefined"));
  return left.length === all.length || left.length === 0
    ? { type, isOptional: isMarked }
    : { type: unionOf(left), isOptional: true };
}

/** `constructor(readonly id: string, public name?: string)`. */
function constructed(member: SyntaxNode, reading: Reading, at: At): Field[] {
  return partsOf(member.childForFieldName("parameters")).flatMap((parameter): Field[] => {
    const name = parameter.childForFieldName("pattern");
    const isField =
      hasSign(parameter, "readonly") ||
      partsOf(parameter).some(({ type }) => type === "accessibility_modifier");
    if (!isField || name === null || partsOf(parameter).some(isHiding)) return [];
    const value = parameter.childForFieldName("value");
    const type = typeOfMember(parameter.childForFieldName("type"), value, reading, at);
    const field = withoutUndefined(type, parameter.type === "optional_parameter");
    const either = value === null ? {} : ({ leftOutUnclear: true } as const);
    return [{ name: reading.source.text(name), ...field, ...either, line: reading.source.line(name) }];
  });
}

/** `[key: string]: T` beside fields is one more, whose name no field can have. */
function indexed(member: SyntaxNode, reading: Reading, at: At): Members {
  const key = member.childForFieldName("index_type");
  const annotation = member.childForFieldName("type");
  if (key === null || annotation === null) return { fields: [], more: reasons.mappedFields };
  const type = reading.typeOf(annotation, at);
  const name = `[${reading.source.text(key)}]`;
  return { fields: [{ name, type, isOptional: true, line: reading.source.line(member) }], more: null };
}

/** `{ a: string }`, or a map where any key will do. */
export function objectType(node: SyntaxNode, reading: Reading, at: At): ValueType | null {
  const { fields, more } = readMembers(node, reading, at);
  if (more !== null) return null;
  const [only] = fields;
  const key = /^\[(.*)\]$/.exec(only?.name ?? "")?.[1];
  if (fields.length === 1 && only !== undefined && key !== undefined)
    return named("map", named(key), only.type);
  return { kind: "fields", fields };
}

/** `{ [K in "a" | "b"]?: T }`, where T does not depend on K; null where it is none of these. */
export function mappedType(node: SyntaxNode, reading: Reading, at: At): ValueType | null {
  const { text, line } = reading.source;
  const signature = partsOf(node)[0] ?? null;
  const clause = partsOf(signature).find(({ type }) => type === "mapped_type_clause");
  const annotation = signature?.childForFieldName("type") ?? null;
  const [name, keys] = [clause?.childForFieldName("name"), clause?.childForFieldName("type")];
  if (!signature || !annotation || !name || !keys || clause?.childForFieldName("alias")) return null;
  const isDependent = text(annotation)
    .split(/[^\w$]+/)
    .includes(text(name));
  if (isDependent) return null;
  const isOptional = annotation.type === "opting_type_annotation";
  return recordOf(reading.typeOf(keys, at), reading.typeOf(annotation, at), isOptional, line(signature));
}

/** With keys that are told one by one, it has these fields; a type of the project may be such keys, too. */
export function recordOf(
  key: ValueType,
  type: ValueType,
  isOptional: boolean,
  line: number,
): ValueType | null {
  const names = textsOf(key);
  if (names !== null)
    return { kind: "fields", fields: names.map((name) => ({ name, type, isOptional, line })) };
  const map = key.kind === "name" && key.args.length === 0 ? named("map", key, type) : null;
  return map === null || !isOptional ? map : named("Partial", map);
}
