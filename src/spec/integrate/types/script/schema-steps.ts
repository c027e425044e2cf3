import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import { isNamed, named, unionMembers } from "../value-types.ts";
import { bare, constantType, keyName } from "./constants.ts";
import { operated } from "./operators.ts";
import {
  loosened,
  opened,
  overlaid,
  type Schema,
  type Schemas,
  type Step,
  schemaFor,
  tightened,
  valuesIn,
} from "./schema-form.ts";
import { literal, unionOf, unknown } from "./value.ts";

/** A schema after one more step; null where it is none any more. Checks, and what only describes, change nothing. */
export function stepped(schema: Schema, step: Step, schemas: Schemas): Schema | null {
  if (step.call === null) return part(schema, step.name, schemas);
  if (USES.has(step.name)) return null;
  const change = Object.hasOwn(STEPS, step.name) ? STEPS[step.name] : undefined;
  if (change === undefined) return schema;
  return (
    change(schema, step, schemas) ?? { ...schema, type: unknown(schemas.reading.source.text(step.call)) }
  );
}

export const isStep = (name: string): boolean => Object.hasOwn(STEPS, name);

/** Steps that need to see what is inside. */
export const isOpening = ({ name }: Step): boolean => OPENING.has(name);

const OPENING: ReadonlySet<string> = new Set([
  ...["extend", "safeExtend", "augment", "merge", "pick", "omit", "partial", "required", "keyof", "shape"],
  ...["loose", "passthrough", "catchall", "strict", "strip", "unwrap", "element", "exclude", "extract"],
]);

/** What gives something else than a schema. */
const USES: ReadonlySet<string> = new Set([
  ...["parse", "parseAsync", "safeParse", "safeParseAsync", "spa", "decode", "encode", "toJSONSchema"],
  ...["isOptional", "isNullable", "implement"],
]);

type Change = (schema: Schema, step: Step, schemas: Schemas) => Schema | null;

const typed =
  (change: (type: ValueType, step: Step, schemas: Schemas) => ValueType | null): Change =>
  (schema, step, schemas) => {
    const type = change(schema.type, step, schemas);
    return type === null ? null : { ...schema, type };
  };

const optional: Change = ({ type }) => ({ type, isOptional: true, leftOutUnclear: false });
const withDefault: Change = ({ type }) => ({ type, isOptional: false, leftOutUnclear: true });
const orNull = (type: ValueType) => unionOf([type, named("null")]);

const extended = typed((type, { args }, { fieldsIn }) => {
  const more = fieldsIn(args[0]);
  return more === null ? null : overlaid([type, more]);
});
const loose = typed((type) => loosened(type));
const strict = typed(tightened);

const STEPS: Readonly<Record<string, Change>> = {
  ...{ optional, exactOptional: optional },
  ...{ default: withDefault, _default: withDefault, prefault: withDefault, catch: withDefault },
  nullable: typed(orNull),
  nullish: ({ type }) => ({ type: orNull(type), isOptional: true, leftOutUnclear: false }),
  nonoptional: ({ type }) => schemaFor(type),
  readonly: (schema) => schema,
  unwrap: ({ type }) => schemaFor(unwrapped(type)),
  array: ({ type, isOptional }) =>
    schemaFor(named("list", isOptional ? unionOf([type, named("undefined")]) : type)),
  or: ({ type }, step, schemas) => withOther(step, schemas, (other) => unionOf([type, other])),
  and: ({ type }, step, schemas) =>
    withOther(step, schemas, (other) => operated(named("intersection", type, other), schemas.reading.known)),
  ...{ extend: extended, safeExtend: extended, augment: extended },
  merge: ({ type }, step, schemas) =>
    withOther(step, schemas, (other) => overlaid([type, opened(other, schemas.reading)])),
  pick: typed((type, step, schemas) => ofKeys("Pick", type, step, schemas)),
  omit: typed((type, step, schemas) => ofKeys("Omit", type, step, schemas)),
  partial: typed((type, step, schemas) => changedKeys("Partial", type, step, schemas)),
  required: typed((type, step, schemas) => changedKeys("Required", type, step, schemas)),
  exclude: typed((type, step, schemas) => ofValues("Exclude", type, step, schemas)),
  extract: typed((type, step, schemas) => ofValues("Extract", type, step, schemas)),
  keyof: typed((type, _, { reading }) => operated(named("keyof", type), reading.known)),
  ...{ loose, passthrough: loose, strict, strip: strict },
  catchall: typed((type, { args: [more] }, { schemaOf }) =>
    more === undefined ? null : loosened(type, schemaOf(more)?.type),
  ),
  deepPartial: () => null,
  // What comes out is what a function returns.
  transform: (schema, _, { side }) => (side === "input" ? schema : null),
  pipe: (schema, step, { side, schemaOf }) => {
    if (side === "input") return schema;
    const [into] = step.args;
    return into === undefined ? null : schemaOf(into);
  },
};

function withOther({ args }: Step, schemas: Schemas, join: (other: ValueType) => ValueType): Schema | null {
  const other = args[0] === undefined ? null : schemas.schemaOf(args[0]);
  return other === null ? null : schemaFor(join(other.type));
}

function unwrapped(type: ValueType): ValueType {
  if (isNamed(type, "list") && type.kind === "name") return type.args[0] ?? named("any");
  return unionOf(unionMembers(type).filter((one) => !isNamed(one, "null") && !isNamed(one, "undefined")));
}

/** `{ id: true, name: true }`, `["id", "name"]`; null where it is written otherwise. */
function keysIn(node: SyntaxNode | undefined, { reading }: Schemas): ValueType | null {
  const object = node === undefined ? null : bare(node).node;
  if (object?.type === "array")
    return valuesIn(constantType(object, { ...reading.source, isJavaScript: true }));
  if (object?.type !== "object") return null;
  const names = partsOf(object).map((pair) => {
    const key = pair.childForFieldName("key");
    return key === null ? null : keyName(key, reading.source);
  });
  return names.every((name) => name !== null) ? unionOf(names.map((name) => literal(name))) : null;
}

function ofKeys(name: string, type: ValueType, { args }: Step, schemas: Schemas): ValueType | null {
  const keys = keysIn(args[0], schemas);
  return keys === null ? null : operated(named(name, type, keys), schemas.reading.known);
}

/** All fields, or those that are named. */
function changedKeys(name: string, type: ValueType, step: Step, schemas: Schemas): ValueType | null {
  if (step.args.length === 0) return operated(named(name, type), schemas.reading.known);
  const changed = ofKeys("Pick", type, step, schemas);
  const kept = ofKeys("Omit", type, step, schemas);
  if (changed?.kind !== "fields" || kept?.kind !== "fields") return null;
  const done = operated(named(name, changed), schemas.reading.known);
  return done.kind === "fields" ? { kind: "fields", fields: [...kept.fields, ...done.fields] } : null;
}

function ofValues(name: string, type: ValueType, { args }: Step, { reading }: Schemas): ValueType | null {
  const item = args[0] === undefined ? null : bare(args[0]).node;
  const values =
    item === null ? null : valuesIn(constantType(item, { ...reading.source, isJavaScript: true }));
  return values === null ? null : operated(named(name, type, values), reading.known);
}

/** `.shape.name`, `.element`: a schema inside of a schema. */
function part(schema: Schema, name: string, { reading }: Schemas): Schema | null {
  const type = opened(schema.type, reading);
  if (name === "shape") return type.kind === "fields" ? { ...schema, type } : null;
  if (name === "element") return isNamed(type, "list") ? schemaFor(unwrapped(type)) : null;
  const field = type.kind === "fields" ? type.fields.find((one) => one.name === name) : undefined;
  if (field === undefined) return null;
  return { type: field.type, isOptional: field.isOptional, leftOutUnclear: field.leftOutUnclear === true };
}
