import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { planSchema } from "../../src/app/json-schemas.ts";
import { frontMatter } from "../../src/formats/front-matter.ts";
import { examples } from "./examples.ts";

/** UPDATE=1 writes the schema anew; the formatter then has its say about line breaks, so those are not compared. */
const { UPDATE } = process.env;
const committed = new URL("../../schema/plan.schema.json", import.meta.url);

test("the schema in the package is the one that plans are checked with", async () => {
  const schema = await planSchema();
  if (UPDATE === "1") writeFileSync(committed, `${JSON.stringify(schema, null, 2)}\n`);
  expect(JSON.parse(readFileSync(committed, "utf8"))).toEqual(schema);
});

/** The rule that a task has exactly one kind of work is left out: zod reads no schema that only requires keys. */
async function acceptedBySchema(): Promise<(value: unknown) => boolean> {
  const withoutRule = JSON.stringify(await planSchema(), (key, value) =>
    key === "oneOf" ? undefined : value,
  );
  const schema = z.fromJSONSchema(JSON.parse(withoutRule));
  return (value) => schema.safeParse(value).success;
}

test("the schema accepts every example, and refuses what the examples do not say", async () => {
  const isAccepted = await acceptedBySchema();
  expect(examples.length).toBeGreaterThanOrEqual(4);
  for (const { name, text } of examples.filter(({ isNative }) => isNative)) {
    const part = frontMatter(name, text);
    const value = parse(part ? text.slice(part.start, part.end) : text);
    expect([name, isAccepted(value)]).toEqual([name, true]);
    expect([name, isAccepted({ ...value, taks: [] })]).toEqual([name, false]);
    expect([name, isAccepted({ ...value, tasks: [{ ...value.tasks[0], timeout: 45 }] })]).toEqual([
      name,
      false,
    ]);
  }
});

type Schema = { readonly description?: unknown; readonly properties?: Record<string, Schema> };

test("every key is described", async () => {
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, schema] of Object.entries((node as Schema).properties ?? {})) {
      if (typeof schema.description !== "string") undescribed.push(`${path}.${key}`);
    }
    for (const [key, inner] of Object.entries(node)) visit(inner, `${path}.${key}`);
  };
  visit(await planSchema(), "");
  expect(undescribed).toEqual([]);
});
