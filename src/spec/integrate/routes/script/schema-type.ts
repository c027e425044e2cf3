// What a schema in a route says: of Zod, of TypeBox, or JSON Schema that is written out. Under a name, it is what its file declares.

import type { Import } from "../../../../syntax/imports.ts";
import { createSchemaReader } from "../../types/openapi.ts";
import type { Field, ValueType } from "../../types/shape.ts";
import { anyType, named, nullType, unionOf } from "../../types/value-types.ts";
import {
  type DeclaredParameters,
  type ModelUse,
  type ParameterPlace,
  type RouteSurface,
  statusName,
} from "../route.ts";
import type { Chain, Expr } from "./facts.ts";
import { type ObjectValue, objectAt, objectIn, single } from "./member.ts";
import { UNDECLARED } from "./models.ts";
import { foreignName, type Place, type World } from "./world.ts";

const HIDDEN: ValueType = { kind: "unknown", text: "" };
const DEEPEST = 12;

export function schemaType(world: World, schema: Expr | undefined, at: Place, depth = 0): ValueType {
  if (schema === undefined || depth > DEEPEST) return HIDDEN;
  return read(world, schema, at, depth).type;
}

/** What each place of a request is checked by, where a framework has the schemas beside each other. */
export function readSpread(
  world: World,
  schemas: ObjectValue | null,
  places: { readonly [key: string]: ParameterPlace },
): NonNullable<DeclaredParameters["spread"]> {
  return [...(schemas?.fields ?? [])].flatMap(([key, one]) => {
    const place = places[key];
    return place === undefined || schemas === null
      ? []
      : [{ in: place, type: schemaType(world, one, schemas.at) }];
  });
}

/** By status, where all of them are written there. */
export function readResponses(
  responses: ObjectValue | null,
  typeOf: (one: Expr, at: Place) => ValueType | null,
): RouteSurface["responses"] {
  if (responses === null || responses.hasMore) return null;
  const byStatus = [...responses.fields].map(
    ([status, one]) => [statusName(status), typeOf(one, responses.at)] as const,
  );
  return { byStatus: new Map(byStatus), isWhole: true };
}

/** What a schema says of the field that has it. */
type Said = { readonly type: ValueType; readonly isOptional: boolean; readonly isUnclear: boolean };

const said = (type: ValueType): Said => ({ type, isOptional: false, isUnclear: false });

function read(world: World, schema: Expr, at: Place, depth: number): Said {
  if (depth > DEEPEST) return said(HIDDEN);
  if (schema.kind === "typed") return read(world, schema.of, at, depth + 1);
  const value = single(world.evaluate(schema, at));
  const written = objectIn([value]);
  if (written !== null) return said(readJsonSchema(world, written, at));
  if (value.kind !== "foreign") return said(HIDDEN);
  if (schema.kind === "name") {
    const [file, name] = declaredAt(world, at.file, schema.name);
    return said(MAKERS.test(value.from) ? named(`${file}#${name}`) : HIDDEN);
  }
  if (schema.kind !== "chain") return said(HIDDEN);
  const calls = callsIn(schema);
  const root = single(world.evaluate(schema.base, at));
  // `order.partial()`: what is made of a schema under a name is not followed.
  if (root.kind !== "foreign" || !/^(?:z|Type|T)?$/.test(foreignName(root))) return said(HIDDEN);
  if (/typebox/.test(root.from)) return typeBox({ world, at, depth }, calls);
  return /zod/.test(root.from) ? zod({ world, at, depth }, calls) : said(HIDDEN);
}

const MAKERS = /^(?:zod|zod\/.*|@hono\/zod-openapi|@sinclair\/typebox|typebox)$/;

type Around = { readonly world: World; readonly at: Place; readonly depth: number };
type NamedCall = { readonly name: string; readonly given: readonly Expr[] };

/** `z.coerce.number().min(1)` is `number()` and `min(1)`. */
function callsIn({ steps }: Chain): NamedCall[] {
  return steps.flatMap((step, i): NamedCall[] => {
    const before = steps[i - 1];
    if (step.kind !== "call") return [];
    return [{ name: before?.kind === "member" ? before.name : "", given: step.arguments }];
  });
}

const PLAIN: { readonly [name: string]: ValueType } = {
  ...{ string: named("string"), email: named("string"), url: named("string"), uuid: named("string") },
  ...{ cuid: named("string"), ulid: named("string"), datetime: named("string"), date: named("datetime") },
  ...{ number: named("number"), int: named("integer"), bigint: named("integer"), boolean: named("boolean") },
  ...{ any: anyType, unknown: anyType, null: nullType, stringbool: named("boolean") },
};

function zod(around: Around, calls: readonly NamedCall[]): Said {
  const [first, ...rest] = calls;
  const start = first === undefined ? null : zodStart(around, first);
  if (start === null) return said(HIDDEN);
  return rest.reduce((schema, call) => zodStep(around, schema, call), start);
}

function zodStart(around: Around, { name, given }: NamedCall): Said | null {
  const [inner] = given;
  const of = (expr: Expr | undefined) =>
    expr === undefined ? said(anyType) : read(around.world, expr, around.at, around.depth + 1);
  if (Object.hasOwn(PLAIN, name)) return said(PLAIN[name] as ValueType);
  if (/^(?:object|strictObject)$/.test(name)) return said(fieldsIn(around, inner));
  if (name === "array") return said(named("list", of(inner).type));
  if (name === "record") return said(named("map", anyType, of(given[1]).type));
  if (name === "optional") return { ...of(inner), isOptional: true };
  if (name === "nullable") return said(unionOf([of(inner).type, nullType]));
  if (/^(?:enum|literal)$/.test(name)) return said(literalsIn(inner));
  return /^(?:union|discriminatedUnion)$/.test(name) ? said(HIDDEN) : null;
}

/** Checks change nothing; what makes something else of it is not followed. */
function zodStep({ world, at, depth }: Around, schema: Said, { name, given }: NamedCall): Said {
  if (/^(?:optional|exactOptional)$/.test(name)) return { ...schema, isOptional: true };
  if (/^(?:default|catch|prefault)$/.test(name)) return { ...schema, isOptional: true };
  if (name === "nullable") return { ...schema, type: unionOf([schema.type, nullType]) };
  if (name === "nullish") return { ...schema, type: unionOf([schema.type, nullType]), isOptional: true };
  if (name === "array") return said(named("list", schema.type));
  if (name === "int") return { ...schema, type: named("integer") };
  if (/^(?:transform|pipe|preprocess)$/.test(name)) return { ...schema, type: HIDDEN };
  if (!/^(?:extend|merge|pick|omit|partial|required|and|or|passthrough|loose|catchall)$/.test(name))
    return schema;
  const more = name === "extend" ? fieldsIn({ world, at, depth }, given[0]) : HIDDEN;
  const isBoth = schema.type.kind === "fields" && more.kind === "fields";
  return isBoth ? said({ kind: "fields", fields: overlaid(schema.type.fields, more.fields) }) : said(HIDDEN);
}

const overlaid = (fields: readonly Field[], more: readonly Field[]): Field[] => [
  ...fields.filter(({ name }) => !more.some((one) => one.name === name)),
  ...more,
];

function fieldsIn({ world, at, depth }: Around, object: Expr | undefined): ValueType {
  const written = objectAt(world, object, at);
  if (written === null || written.hasMore) return HIDDEN;
  const fields = [...written.fields].map(([name, expr]): Field => {
    const { type, isOptional, isUnclear } = read(world, expr, written.at, depth + 1);
    const isElsewhere = expr.kind === "name" || isUnclear;
    return { name, type, isOptional, line: 0, ...(isElsewhere ? { leftOutUnclear: true } : {}) };
  });
  return { kind: "fields", fields };
}

function literalsIn(expr: Expr | undefined): ValueType {
  const all = expr?.kind === "list" ? expr.of : expr === undefined ? [] : [expr];
  const values = all.flatMap((one): ValueType[] => {
    if (one.kind === "text") return [{ kind: "literal", value: JSON.stringify(one.text) }];
    return one.kind === "number" ? [{ kind: "literal", value: String(one.value) }] : [];
  });
  return values.length === all.length && values.length > 0 ? unionOf(values) : HIDDEN;
}

/** What has a default is filled in where it is left out. */
function typeBox(around: Around, calls: readonly NamedCall[]): Said {
  const options = calls[0]?.given.at(-1);
  const isFilled = options?.kind === "object" && options.fields.has("default");
  const schema = typeBoxType(around, calls);
  return isFilled ? { ...schema, isOptional: true } : schema;
}

function typeBoxType(around: Around, [call]: readonly NamedCall[]): Said {
  const [inner] = call?.given ?? [];
  const name = (call?.name ?? "").toLowerCase();
  const of = () =>
    inner === undefined ? said(anyType) : read(around.world, inner, around.at, around.depth + 1);
  if (name === "object") return said(fieldsIn(around, inner));
  if (name === "array") return said(named("list", of().type));
  if (name === "optional") return { ...of(), isOptional: true };
  if (name === "literal") return said(literalsIn(inner));
  if (name === "integer") return said(named("integer"));
  return said(Object.hasOwn(PLAIN, name) ? (PLAIN[name] as ValueType) : HIDDEN);
}

/** A schema that is written out, as data. What is not written there hides what it stands in. One of another file is wrong in that. */
function readJsonSchema(world: World, written: ObjectValue, { file }: Place): ValueType {
  const type = createSchemaReader({ document: {} }).readSchema(toData(world, written, 0));
  if (type.kind !== "fields" || written.at.file === file) return type;
  return { ...type, fields: type.fields.map((field) => ({ ...field, file: written.at.file })) };
}

const UNSEEN = { $ref: "unseen" };

function toData(world: World, written: ObjectValue, depth: number): object {
  if (written.hasMore || depth > DEEPEST) return UNSEEN;
  const entries = [...written.fields].map(([name, expr]) => [
    name,
    dataOf(world, expr, written.at, { name, depth }),
  ]);
  return Object.fromEntries(entries);
}

type InData = { readonly name: string; readonly depth: number };

function dataOf(world: World, expr: Expr, at: Place, { name, depth }: InData): unknown {
  if (expr.kind === "list")
    return expr.of.map((one) => dataOf(world, one, at, { name: "", depth: depth + 1 }));
  const value = single(world.evaluate(expr, at));
  if (value.kind === "text") return value.text;
  if (value.kind === "number") return value.value;
  if (value.kind === "false") return false;
  const written = objectIn([value]);
  if (written !== null) return toData(world, written, depth + 1);
  if (value.kind === "literal" && value.of.kind === "list")
    return value.of.of.map((one) => dataOf(world, one, value.at, { name: "", depth: depth + 1 }));
  // `true` is the only thing that these can be.
  if (/^(?:nullable|readOnly|writeOnly|additionalProperties|uniqueItems)$/.test(name)) return true;
  return UNSEEN;
}

const INFERS = /^(?:(?:\w+\.)?(?:infer|output|input|TypeOf)|Static|FromSchema|InferOutput|InferInput)$/;

/**
 * The type that a schema describes, where the project gives it a name: `type Order = z.infer<typeof orderSchema>`. The name of the
 * schema itself is no name of a type.
 */
export function schemaModel(world: World, schema: Expr | undefined, at: Place): ModelUse {
  if (schema?.kind === "chain") return schemaCall(world, schema, at);
  if (schema?.kind !== "name") return UNDECLARED;
  const [file, name] = declaredAt(world, at.file, schema.name);
  const value = world.modules.get(file)?.facts.scopes[0]?.names.get(name)?.[0];
  const registered = value?.kind === "chain" ? registeredName(value) : null;
  if (registered !== null) return { kind: "declared", model: registered, isList: false };
  const types = typesOf(world, file, name);
  const [only] = types;
  return types.length === 1 && only !== undefined
    ? { kind: "declared", model: only, isList: false }
    : UNDECLARED;
}

/** `z.array(order)`, `order.array()`. */
function schemaCall(world: World, { base, steps }: Chain, at: Place): ModelUse {
  const [first, second] = steps;
  const isCall = steps.length === 2 && first?.kind === "member" && second?.kind === "call";
  if (!isCall || !/^[aA]rray$/.test(first.name)) return UNDECLARED;
  const inner = second.arguments.length === 0 ? base : second.arguments[0];
  const use = schemaModel(world, inner, at);
  return use.kind === "declared" && !use.isList ? { ...use, isList: true } : UNDECLARED;
}

/** `z.object({ … }).openapi("Order")` is called so in the API. */
function registeredName({ steps }: Chain): string | null {
  const [member, call] = steps.slice(-2);
  if (member?.kind !== "member" || member.name !== "openapi" || call?.kind !== "call") return null;
  const [name] = call.arguments;
  return name?.kind === "text" ? name.text : null;
}

const MOST_IMPORTS = 10;

/** Where a name is declared, through imports. */
function declaredAt(world: World, file: string, name: string, depth = 0): readonly [string, string] {
  const module = world.modules.get(file);
  if (module?.facts.scopes[0]?.names.has(name) || depth > MOST_IMPORTS) return [file, name];
  const found =
    module?.imports.find(({ local }) => local === name) ??
    module?.imports.find((one) => isHandedOn(world, file, one, name));
  const target = found === undefined ? null : world.resolve(found.from, file);
  if (found?.imported == null || target === null) return [file, name];
  const wanted = found.imported === "*" ? name : found.imported;
  const there = world.modules.get(target)?.facts.exports.get(wanted);
  return declaredAt(world, target, there?.kind === "name" ? there.name : wanted, depth + 1);
}

/** `export * from "./order"`. */
function isHandedOn(world: World, file: string, { isExported, local, imported, from }: Import, name: string) {
  const target = isExported && local === null && imported === "*" ? world.resolve(from, file) : null;
  return target !== null && world.modules.get(target)?.facts.exports.has(name) === true;
}

function typesOf({ modules }: World, file: string, schema: string): string[] {
  return [...(modules.get(file)?.facts.types ?? [])].flatMap(([name, type]) => {
    const of = type.kind === "name" && INFERS.test(type.name) ? type.arguments[0] : undefined;
    return of?.kind === "typeof" && of.name === schema ? [name] : [];
  });
}
