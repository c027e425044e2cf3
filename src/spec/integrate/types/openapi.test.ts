import { expect, test } from "vitest";
import { indexText } from "../../../formats/text-index.ts";
import { parseYaml } from "../../../formats/yaml/parse.ts";
import { linkTypes } from "./link.ts";
import { createSchemaReader, type JsonObject, toJson } from "./openapi.ts";
import { operated } from "./script/operators.ts";
import type { Field, ValueType } from "./shape.ts";
import { typeInWords } from "./words.ts";

const words = (type: ValueType) => typeInWords(type, "script");
const read = (schema: unknown, document: JsonObject = {}) =>
  words(createSchemaReader({ document }).readSchema(schema));

test.each<[schema: unknown, said: string]>([
  [{ type: "string" }, "string"],
  [{ type: "string", format: "date-time" }, "Date"],
  [{ type: "string", format: "email" }, "string"],
  [{ type: ["integer", "null"] }, "bigint | null"],
  [{ type: "string", nullable: true }, "string | null"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  [{ enum: ["a", "b", null] }, '"a" | "b" | null'],
  [{ const: 3 }, "3"],
  [{ type: "array", items: { type: "number" } }, "number[]"],
  [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ properties: { a: { type: "string" }, b: {} }, required: ["a"] }, "{ a: string; b?: unknown }"],
  [{ $ref: "#/components/schemas/Order" }, "Order"],
  [{ allOf: [{ $ref: "#/components/schemas/Order" }], description: "one" }, "Order"],
  [{ $ref: "other.yaml#/Order" }, "other.yaml#/Order"],
  [{ $ref: "#/components/schemas/100%" }, "100%"],
  [{ $ref: "#/components/schemas/a~1b%20c" }, "a/b c"],
  [{}, "unknown"],
  ["nothing", "unknown"],
])("%j is %s", (schema, said) => {
  expect(read(schema)).toBe(said);
});

test("a reference into the document leads to what stands there, and one in a circle ends", () => {
  const document = { $defs: { Sku: { type: "string" }, Loop: { $ref: "#/$defs/Loop" } } };
  expect(read({ $ref: "#/$defs/Sku" }, document)).toBe("string");
  expect(read({ $ref: "#/$defs/Loop" }, document)).toBe("unknown");
});

test("components are types with their lines, bases put together, and directions kept", () => {
  const text = [
    "components:",
    "  schemas:",
    "    Base:",
    "      type: object",
    "      required: [id]",
    "      properties:",
    "        id: { type: integer, readOnly: true }",
    "        secret: { type: string, writeOnly: true }",
    "    Order:",
    "      allOf:",
    "        - $ref: '#/components/schemas/Base'",
    "        - properties: { lines: { type: array, items: { $ref: '#/components/schemas/Line' } } }",
    "        - required: [secret]",
    "    Line: { type: object, properties: { sku: { type: string } } }",
    "    State: { enum: [open, done] }",
  ].join("\n");
  const caps = { maxDepth: 100, maxPlanBytes: 1e9, maxTasks: 1e9, maxPromptBytes: 1e9 };
  const index = indexText("api.yaml", text);
  const { tree } = parseYaml(index, { part: { start: 0, end: text.length }, caps, json: false });
  const document = toJson(tree as NonNullable<typeof tree>) as JsonObject;
  const reader = createSchemaReader({ document, findLine: (path) => path.length * 10 });
  const types = reader.readComponents();
  expect(types.types.map(({ name, line, shape }) => `${name}:${line} ${shape.kind}`)).toEqual([
    "Base:30 fields",
    "Order:30 alias",
    "Line:30 fields",
    "State:30 values",
  ]);
  const linked = linkTypes(new Map([["api.yaml", { types, imports: [] }]]), () => null, operated);
  const order = linked.effective(linked.byKey("api.yaml#Order") as never);
  const fields = order.shape.kind === "fields" ? order.shape.fields : [];
  const said = ({ name, type, isOptional, only }: Field) =>
    `${name}${isOptional ? "?" : ""}: ${words(type)}${only === undefined ? "" : ` in the ${only}`}`;
  expect(fields.map(said)).toEqual([
    "id: bigint in the response",
    "secret: string in the request",
    "lines?: Line[]",
  ]);
});
