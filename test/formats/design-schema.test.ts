import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { designSchema } from "../../src/app/json-schemas.ts";
import { strictJsonSchema } from "../../src/spec/design/json-schema.ts";
import { strictPatchJsonSchema } from "../../src/spec/design/patch-schema.ts";
import { fullDesign, sampleDesign } from "../support/designs.ts";

/** UPDATE=1 writes the schema anew; the formatter then has its say about line breaks, so those are not compared. */
const { UPDATE } = process.env;
const committed = new URL("../../schema/design.schema.json", import.meta.url);

test("the schema in the package is the one that designs are checked with", async () => {
  const schema = await designSchema();
  if (UPDATE === "1") writeFileSync(committed, `${JSON.stringify(schema, null, 2)}\n`);
  expect(JSON.parse(readFileSync(committed, "utf8"))).toEqual(schema);
});

type Node = { readonly [keyword: string]: unknown };

/** Every schema in a schema. */
function nodes(schema: Node): Node[] {
  const inner = [
    ...((schema["anyOf"] as Node[]) ?? []),
    ...Object.values((schema["properties"] as Node) ?? {}),
  ];
  const items = schema["items"] === undefined ? [] : [schema["items"]];
  return [schema, ...[...inner, ...items].flatMap((one) => nodes(one as Node))];
}

test("every key is described", async () => {
  const undescribed = nodes((await designSchema()) as Node).flatMap(({ properties = {} }) =>
    Object.entries(properties as Record<string, Node>).flatMap(([key, { description }]) =>
      description ? [] : [key],
    ),
  );
  expect(undescribed).toEqual([]);
});

test("the schema takes good designs, and no others", async () => {
  const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(await designSchema())));
  for (const design of [sampleDesign, fullDesign]) {
    expect(schema.safeParse(design).success).toBe(true);
    expect(schema.safeParse({ ...design, taks: [] }).success).toBe(false);
  }
});

test.each([
  ["a design", strictJsonSchema()],
  ["a patch of one", strictPatchJsonSchema()],
])(
  "for structured output of %s every key is required, nothing else may be there, and few keywords are used",
  (_, schema) => {
    const all = nodes(schema as Node);
    const keywords = new Set(all.flatMap((node) => Object.keys(node)));
    expect([...keywords].sort()).toEqual(
      [
        "additionalProperties",
        "anyOf",
        "description",
        "enum",
        "items",
        "properties",
        "required",
        "type",
      ].sort(),
    );
    const maps = all.filter(({ type }) => type === "object");
    expect(maps.length).toBeGreaterThan(8);
    for (const { properties, required, additionalProperties } of maps)
      expect([required, additionalProperties]).toEqual([Object.keys(properties as object), false]);
    // Some vendors take at most 16 alternatives.
    expect(all.filter(({ anyOf }) => anyOf !== undefined).length).toBeLessThanOrEqual(16);
    expect(all.every(({ type, anyOf }) => typeof type === "string" || anyOf !== undefined)).toBe(true);
  },
);
