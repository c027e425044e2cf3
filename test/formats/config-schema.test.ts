import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/app/json-schemas.ts";
import { readConfig } from "../../src/app/read-config.ts";

/** UPDATE=1 writes the schema anew; the formatter then has its say about line breaks, so those are not compared. */
const { UPDATE } = process.env;
const committed = new URL("../../schema/config.schema.json", import.meta.url);

test("the schema in the package is the one that configurations are checked with", async () => {
  const schema = await configSchema();
  if (UPDATE === "1") writeFileSync(committed, `${JSON.stringify(schema, null, 2)}\n`);
  expect(JSON.parse(readFileSync(committed, "utf8"))).toEqual(schema);
});

test("what the guide shows is a good configuration", () => {
  const guide = readFileSync(new URL("../../docs/guide/config.md", import.meta.url), "utf8");
  const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(examples.length).toBeGreaterThanOrEqual(2);
  for (const text of examples)
    expect(readConfig({ file: "guide", origin: "user", text }).diagnostics).toEqual([]);
  expect(examples.map((text) => parse(text))).toContainEqual(expect.objectContaining({ concurrency: 6 }));
});
