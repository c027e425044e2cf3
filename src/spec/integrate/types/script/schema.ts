import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { Field, ValueType } from "../shape.ts";
import { named } from "../value-types.ts";
import { bare, keyName } from "./constants.ts";
import { withoutUndefined } from "./members.ts";
import { type At, deeper, isTooDeep, type Reading, type Side } from "./reading.ts";
import { constructed } from "./schema-constructors.ts";
import { opened, overlaid, type Schema, type Schemas, type Step, schemaFor } from "./schema-form.ts";
import { isOpening, stepped } from "./schema-steps.ts";
import { unknown } from "./value.ts";

/** `z.object({ … }).partial()`, from the inside outwards; null where the expression is no schema. */
export function readSchema(node: SyntaxNode, reading: Reading, side: Side, at: At): Schema | null {
  if (isTooDeep(at)) return null;
  const schemas = schemasAt(reading, side, at);
  const { base, steps: written } = chainOf(bare(node).node, reading);
  if (base.type !== "identifier") return null;
  const name = reading.source.text(base);
  const isOwn = reading.source.constants.has(name);
  const isTypeBox = !isOwn && /^(?:Type|default|\*)$/.test(reading.source.typeBox.get(name) ?? "");
  const steps = isTypeBox ? fromTypeBox(written) : written;
  const start =
    isTypeBox || (!isOwn && reading.source.zod.has(name))
      ? constructed(steps, schemas)
      : { schema: referred(name, schemas, steps.some(isOpening)), used: 0 };
  let schema = start.schema;
  for (const step of steps.slice(start.used)) {
    if (schema === null) return null;
    schema = stepped(schema, step, schemas);
  }
  return schema;
}

function schemasAt(reading: Reading, side: Side, at: At): Schemas {
  const inside = deeper(at);
  const schemas: Schemas = {
    ...{ reading, side, at },
    schemaOf: (node) => readSchema(node, reading, side, inside),
    fieldsIn: (node) => fieldsIn(node, schemasAt(reading, side, inside)),
  };
  return schemas;
}

const MOST = 200;

/** Calls hang on each other like links, and the first is the innermost. */
function chainOf(node: SyntaxNode, { source }: Reading) {
  const steps: Step[] = [];
  let base = node;
  while (steps.length < MOST) {
    const call = base.type === "call_expression" ? base : null;
    const member = call === null ? base : call.childForFieldName("function");
    const object = member?.type === "member_expression" ? member.childForFieldName("object") : null;
    const property = member?.childForFieldName("property");
    if (!member || !object || !property) break;
    const args = partsOf(call?.childForFieldName("arguments") ?? null);
    steps.push({ name: source.text(property), call, args });
    base = bare(object).node;
  }
  return { base, steps: steps.toReversed() };
}

/**
 * A schema by its name. In the same file it is read in its place, unless a type has its values or its own name is that of a type:
 * then both sides of a comparison call it the same.
 */
function referred(name: string, { reading, side }: Schemas, isOpened: boolean): Schema | null {
  const { source, schemaValues } = reading;
  if (!source.constants.has(name)) {
    return source.imported.has(name) ? { ...schemaFor(elsewhere(name)), isElsewhere: true } : null;
  }
  const values = schemaValues(name, side);
  const typeName = source.inferred.get(name) ?? (/^[A-Z]/.test(name) ? name : null);
  if (values === null) return typeName === null ? null : schemaFor(named(typeName));
  const { type, isOptional } = withoutUndefined(values, false);
  const isRead = isOpened || isOptional || typeName === null;
  return { ...schemaFor(isRead ? type : named(typeName)), isOptional };
}

/** A name that means something else in all languages cannot be told from it any more. */
function elsewhere(name: string): ValueType {
  return COMMON.test(name) ? unknown(name) : named(name);
}

const COMMON =
  /^(?:string|integer|number|boolean|null|bytes|any|object|datetime|date|time|duration|decimal|uuid|list|set|map|tuple|function)$/;

/** `{ a: z.string(), b, ...Other.shape }`, or a constant that is such; null where not all of it can be seen. */
function fieldsIn(node: SyntaxNode | undefined, schemas: Schemas): ValueType | null {
  const { reading } = schemas;
  const object = node === undefined ? null : bare(node).node;
  if (object === null || isTooDeep(schemas.at)) return null;
  if (object.type === "identifier") {
    const constant = reading.source.constants.get(reading.source.text(object));
    return constant === undefined ? null : schemas.fieldsIn(constant.value);
  }
  if (object.type === "member_expression") return shapeOf(object, schemas);
  if (object.type !== "object") return null;
  const parts: ValueType[] = [];
  let fields: Field[] = [];
  for (const member of partsOf(object)) {
    if (member.type === "spread_element") {
      const spread = schemas.fieldsIn(partsOf(member)[0]);
      if (spread === null) return null;
      parts.push({ kind: "fields", fields }, spread);
      fields = [];
    } else {
      const field = fieldIn(member, schemas);
      if (field === null) return null;
      fields.push(field);
    }
  }
  return overlaid([...parts, { kind: "fields", fields }]);
}

/** `Other.shape`. */
function shapeOf(node: SyntaxNode, schemas: Schemas): ValueType | null {
  const [object, property] = [node.childForFieldName("object"), node.childForFieldName("property")];
  if (object === null || property === null || schemas.reading.source.text(property) !== "shape") return null;
  const type = schemas.schemaOf(object)?.type ?? null;
  return type === null ? null : opened(type, schemas.reading);
}

function fieldIn(member: SyntaxNode, schemas: Schemas): Field | null {
  const { source } = schemas.reading;
  const isShort = member.type === "shorthand_property_identifier";
  const key = isShort ? member : (member.childForFieldName("key") ?? member.childForFieldName("name"));
  const name = key === null ? null : keyName(key, source);
  const value = isShort ? null : (member.childForFieldName("value") ?? returned(member));
  if (name === null || key === null || (value === null && !isShort)) return null;
  const schema = value === null ? referred(source.text(member), schemas, false) : schemas.schemaOf(value);
  const line = source.line(key);
  const unclear = { leftOutUnclear: true } as const;
  if (schema === null)
    return { name, type: unknown(source.text(value ?? member)), isOptional: false, ...unclear, line };
  const field = withoutUndefined(schema.type, schema.isOptional);
  if (field.isOptional) return { name, ...field, line };
  const isAny = field.type.kind === "name" && field.type.name === "any";
  if (schema.isElsewhere === true || (isAny && schema.leftOutUnclear))
    return { name, ...field, ...unclear, line };
  if (!schema.leftOutUnclear || schemas.side === "output") return { name, ...field, line };
  return { name, ...field, ...(schemas.side === "input" ? { isOptional: true } : unclear), line };
}

/** `get children() { return z.array(Node); }`, how a schema contains itself. */
function returned(member: SyntaxNode): SyntaxNode | null {
  const statement = partsOf(member.childForFieldName("body"))[0];
  return statement?.type === "return_statement" ? (partsOf(statement)[0] ?? null) : null;
}

/**
 * Schemas of TypeBox as those of Zod that say the same: `Type.Array(item, { minItems: 1 })` is `z.array(item)`. Both have calls for
 * the same things, mostly by the same names; TypeBox has options behind what the call is about.
 */
function fromTypeBox(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    const name = NAMES[step.name] ?? step.name.slice(0, 1).toLowerCase() + step.name.slice(1);
    const args = step.args.slice(0, PAIRS.has(name) ? 2 : 1);
    const [first] = args;
    const list = name === "intersection" && first !== undefined ? partsOf(bare(first).node) : args;
    const said = { ...step, name, args: PLAIN.test(name) ? [] : list };
    return hasDefault(step) ? [said, { ...step, name: "default", args: [] }] : [said];
  });
}

/** In the options, which come last. Validators fill it in. */
function hasDefault({ args }: Step): boolean {
  const options = args.at(-1);
  const isOptions = options?.type === "object";
  return isOptions && partsOf(options).some((pair) => pair.childForFieldName("key")?.text === "default");
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ Integer: "int", KeyOf: "keyof", ReadonlyOptional: "optional", Ref: "readonly" },
  ...{ Intersect: "intersection", Composite: "intersection", Enum: "nativeEnum" },
};
const PAIRS: ReadonlySet<string> = new Set(["record", "pick", "omit", "extract", "exclude"]);
/** These have nothing but options. */
const PLAIN = /^(?:string|int|number|boolean|null|undefined|any|unknown|never|date|bigInt|symbol|void)$/;
