import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { partsOf } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import { named } from "../value-types.ts";
import { bare, constantType } from "./constants.ts";
import { operated } from "./operators.ts";
import { loosened, type Schema, type Schemas, type Step, schemaFor, valuesIn } from "./schema-form.ts";
import { isStep, stepped } from "./schema-steps.ts";
import { textsOf, unionOf, unknown } from "./value.ts";

type Constructed = { readonly schema: Schema | null; readonly used: number };

/** What `z.…` begins with, and how many steps that took: `z.coerce.number()` takes two. Null: it is no schema. */
export function constructed(steps: readonly Step[], schemas: Schemas): Constructed {
  const at = steps.findIndex(({ call }) => call !== null);
  const step = steps[at];
  if (step === undefined) return { schema: null, used: steps.length };
  const within = steps.slice(0, at).map(({ name }) => name);
  const used = at + 1;
  // `z.iso.datetime()` is a text that must look like one.
  if (within.includes("iso")) return { schema: schemaFor(named("string")), used };
  const common = PLAIN[step.name];
  // Version 3 of Zod lets out what may be anything, and version 4 does not.
  const leftOutUnclear = common === "any";
  if (common !== undefined) return { schema: { ...schemaFor(named(common)), leftOutUnclear }, used };
  const type = FORMS[step.name]?.(step, schemas) ?? null;
  if (type !== null) return { schema: schemaFor(type), used };
  const [first, ...rest] = step.args;
  // The functional form of a step: `z.optional(z.string())`, `z.partial(schema)`.
  if (first !== undefined && isStep(step.name)) {
    const inner = schemas.schemaOf(first);
    return { schema: inner === null ? null : stepped(inner, { ...step, args: rest }, schemas), used };
  }
  return { schema: schemaFor(unknown(textOf(step.call, schemas))), used };
}

const textOf = (node: SyntaxNode | null, { reading }: Schemas): string =>
  node === null ? "" : reading.source.text(node);

const TEXTS = [
  ...["string", "email", "uuid", "uuidv4", "uuidv6", "uuidv7", "guid", "url", "httpUrl", "hostname", "emoji"],
  ...["base64", "base64url", "hex", "jwt", "nanoid", "cuid", "cuid2", "ulid", "xid", "ksuid", "ip", "ipv4"],
  ...["ipv6", "mac", "cidr", "cidrv4", "cidrv6", "e164", "hash", "stringFormat"],
];
const NUMBERS = ["number", "int", "int32", "uint32", "float32", "float64", "nan"];

/** What an output of it is. A coerced value is of the type that it becomes. */
const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TEXTS.map((name) => [name, "string"])),
  ...Object.fromEntries(NUMBERS.map((name) => [name, "number"])),
  ...{ bigint: "integer", int64: "integer", uint64: "integer", boolean: "boolean", stringbool: "boolean" },
  ...{ date: "datetime", null: "null", undefined: "undefined", void: "undefined" },
  ...{ any: "any", unknown: "any", json: "any", never: "never", symbol: "symbol" },
};

type Form = (step: Step, schemas: Schemas) => ValueType | null;

const FORMS: Readonly<Record<string, Form>> = {
  object: ({ args }, { fieldsIn }) =>
    args.length === 0 ? { kind: "fields", fields: [] } : fieldsIn(args[0]),
  strictObject: ({ args }, { fieldsIn }) => fieldsIn(args[0]),
  looseObject: ({ args }, schemas) => loosened(schemas.fieldsIn(args[0])),
  literal: ({ args }, schemas) => literals(args[0], schemas),
  enum: ({ args }, schemas) => enumerated(args[0], schemas),
  nativeEnum: ({ args }, schemas) => enumerated(args[0], schemas),
  array: ({ args }, schemas) => listOf("list", args, schemas),
  set: ({ args }, schemas) => listOf("set", args, schemas),
  map: ({ args }, schemas) => listOf("map", args, schemas),
  tuple: ({ args }, schemas) => listOf("tuple", itemsOf(args[0]), schemas),
  record: (step, schemas) => recordOf(step, schemas, false),
  partialRecord: (step, schemas) => recordOf(step, schemas, true),
  union: ({ args }, schemas) => anyOf(itemsOf(args[0]), schemas),
  xor: ({ args }, schemas) => anyOf(itemsOf(args[0]), schemas),
  discriminatedUnion: ({ args }, schemas) => anyOf(itemsOf(args[1]), schemas),
  intersection: ({ args }, schemas) => {
    const types = typesOf(args, schemas);
    return types === null ? null : operated(named("intersection", ...types), schemas.reading.known);
  },
  lazy: ({ args }, schemas) => {
    const body = args[0]?.childForFieldName("body");
    return body === null || body === undefined ? null : (schemas.schemaOf(body)?.type ?? null);
  },
  // What it is given may be anything.
  preprocess: ({ args: [, schema] }, schemas) => {
    if (schemas.side === "input") return named("any");
    return schema === undefined ? null : (schemas.schemaOf(schema)?.type ?? null);
  },
  custom: ({ call }, { reading, at }) => {
    const [type] = partsOf(call?.childForFieldName("type_arguments") ?? null);
    return type === undefined ? null : reading.typeOf(type, at);
  },
  instanceof: ({ args: [type] }, { reading, at }) => (type === undefined ? null : reading.typeOf(type, at)),
};

/** `z.literal("a")`, `z.literal(["a", "b"])`. */
function literals(node: SyntaxNode | undefined, { reading, at }: Schemas): ValueType | null {
  if (node === undefined) return null;
  const { source } = reading;
  const item = bare(node).node;
  const all = item.type === "array" ? partsOf(item) : [item];
  const types = all.map((one): ValueType | null => {
    if (one.type === "undefined" || one.type === "null") return named(one.type);
    const type = constantType(one, { ...source, isJavaScript: true });
    if (type !== null) return type;
    const meant = reading.typeOf(one, at);
    return meant.kind === "literal" ? meant : null;
  });
  return types.every((type) => type !== null) ? unionOf(types) : null;
}

/** `z.enum(["a", "b"])`, of a constant, or of an enum. */
function enumerated(node: SyntaxNode | undefined, { reading }: Schemas): ValueType | null {
  if (node === undefined) return null;
  const item = bare(node).node;
  const name = reading.source.text(item);
  if (item.type === "identifier") {
    if (reading.source.types.has(name)) return named(name);
    const constant = reading.source.constants.has(name);
    if (!constant) return reading.source.imported.has(name) ? named(name) : null;
    return valuesIn(reading.constant(name));
  }
  return valuesIn(constantType(item, { ...reading.source, isJavaScript: true }));
}

const itemsOf = (node: SyntaxNode | undefined): readonly SyntaxNode[] =>
  node?.type === "array" ? partsOf(node) : [];

function typesOf(nodes: readonly SyntaxNode[], schemas: Schemas): ValueType[] | null {
  const types = nodes.map((node) => {
    const schema = schemas.schemaOf(node);
    return schema?.isOptional ? unionOf([schema.type, named("undefined")]) : (schema?.type ?? null);
  });
  return types.length > 0 && types.every((type) => type !== null) ? types : null;
}

function listOf(name: string, nodes: readonly SyntaxNode[], schemas: Schemas): ValueType | null {
  const types = typesOf(nodes, schemas);
  return types === null ? null : named(name, ...types);
}

function anyOf(nodes: readonly SyntaxNode[], schemas: Schemas): ValueType | null {
  const types = typesOf(nodes, schemas);
  return types === null ? null : unionOf(types);
}

/** Before version 4 the key could be left out. */
function recordOf({ args, call }: Step, schemas: Schemas, isOptional: boolean): ValueType | null {
  const types = typesOf(args, schemas);
  if (types === null || types.length > 2) return null;
  const [key, value] = types.length === 1 ? [named("string"), types[0]] : types;
  const names = textsOf(key as ValueType);
  if (names === null) return named("map", key as ValueType, value as ValueType);
  const line = call === null ? 1 : schemas.reading.source.line(call);
  return {
    kind: "fields",
    fields: names.map((name) => ({ name, type: value as ValueType, isOptional, line })),
  };
}
