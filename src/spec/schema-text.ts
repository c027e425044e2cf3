/** A JSON schema as a list that people and agents read: every key with its type, and what it is for. `levels`: how deep it is followed. */
export function schemaWords(schema: object, levels = Number.POSITIVE_INFINITY): string {
  return linesOf(schema as Schema, { depth: 0, levels }).join("\n");
}

type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [key: string]: Schema };
};

type Level = { readonly depth: number; readonly levels: number };

function linesOf(schema: Schema, { depth, levels }: Level): string[] {
  if (depth === levels) return [];
  const { properties = {} } = innermost(schema);
  return Object.entries(properties).flatMap(([key, one]) => {
    const about = one.description ?? meant(one).description;
    const line = `${"  ".repeat(depth)}- \`${key}\` (${typeOf(one)})${about === undefined ? "" : `: ${about}`}`;
    return [line, ...linesOf(one, { depth: depth + 1, levels })];
  });
}

/** Without the alternative that there is none. */
function meant(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
}

/** The map that a list is of, however deep. */
function innermost(schema: Schema): Schema {
  const { items, ...rest } = meant(schema);
  return items === undefined ? rest : innermost(items);
}

function typeOf(schema: Schema): string {
  const { type = "any", enum: choices, items } = meant(schema);
  const or = schema.anyOf?.some((one) => one.type === "null") ? " or null" : "";
  if (choices !== undefined) return `${choices.map((choice) => JSON.stringify(choice)).join(" | ")}${or}`;
  if (type === "array") return `list of ${items === undefined ? "anything" : typeOf(items)}${or}`;
  return `${WORDS[type] ?? type}${or}`;
}

const WORDS: { readonly [type: string]: string } = { object: "map", integer: "whole number" };
