import * as z from "zod";
import { designSchema } from "./schema.ts";

/** JSON Schema (draft 2020-12) of a design, for people and their editors. */
export function designJsonSchema(): object {
  return z.toJSONSchema(designSchema, { io: "input", target: "draft-2020-12" });
}

/** The same for structured output. */
export function strictJsonSchema(): object {
  return strictSchema(designJsonSchema());
}

/**
 * A schema in the dialect that vendors take for structured output: every key is required, nothing else may be there, and no keyword
 * that any of them refuses; what those would say is checked anyway. An optional text or number may be null. Optional lists and
 * maps are simply there: an empty one says the same, and some vendors take few alternatives only.
 */
export function strictSchema(schema: object): object {
  return strict(schema as Schema, false);
}

type Schema = {
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
};

function strict(schema: Schema, isOptional: boolean): Schema {
  const meant = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const text = schema.description ?? meant.description;
  const said = text === undefined ? {} : { description: text };
  const type = typeof meant.type === "object" ? meant.type.find((one) => one !== "null") : meant.type;
  if (type === "object") return { type, ...said, ...strictMap(meant) };
  if (type === "array") return { type, ...said, items: strict(meant.items ?? {}, false) };
  const value = { type, ...(meant.enum && { enum: meant.enum }) };
  return isOptional ? { ...said, anyOf: [value, { type: "null" }] } : { ...value, ...said };
}

/** A key whose value may be anything has no meaning here: it is left out. */
function strictMap({ properties = {}, required = [] }: Schema): Schema {
  const named = Object.entries(properties).filter(([, { type, anyOf }]) => type !== undefined || anyOf);
  return {
    properties: Object.fromEntries(
      named.map(([key, schema]) => [key, strict(schema, !required.includes(key))]),
    ),
    required: named.map(([key]) => key),
    additionalProperties: false,
  };
}
