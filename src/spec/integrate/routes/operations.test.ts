import { expect, test } from "vitest";
import { operationsOf } from "./operations.ts";
import type { ModelUse } from "./route.ts";

const said = (uses: readonly ModelUse[]) =>
  uses
    .map((use) => {
      if (use.kind === "declared") return use.isList ? `[${use.model}]` : use.model;
      return use.kind === "unclear" ? `?${use.text}` : use.kind === "none" ? "none" : "-";
    })
    .join(" or ");

const read = (text: string, path = "contracts/api-schema.yaml") => operationsOf({ path, file: path, text });
const told = (text: string, path?: string) =>
  read(text, path).operations.map(
    ({ method, prefixes, route, request, response, line }) =>
      `${line} ${method} ${prefixes.join("|")}${route} ${said(request)} -> ${said(response)}`,
  );

const HEAD = 'openapi: 3.0.3\ninfo: { title: a, version: "1" }\n';

test("operations have their server's path, their models by name, and their line", () => {
  const text = `${HEAD}servers: [{ url: "https://{host}.example/{base}/", variables: { base: { default: api } } }, { url: / }]
paths:
  /a/{id}:
    summary: about one
    get:
      operationId: get_a
      responses: { default: { description: e }, "200": { $ref: "#/components/responses/A" } }
    delete:
      servers: [{ url: v2 }]
      responses: { "204": { description: gone } }
  /b:
    servers: [{ url: /b-api }]
    post:
      requestBody: { $ref: "#/components/requestBodies/B" }
      responses: { "201": { description: x }, "4XX": { description: y } }
  /c: { $ref: "#/components/pathItems/C" }
components:
  responses: { A: { description: a, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } }
  requestBodies: { B: { content: { application/vnd.x+json: { schema: { type: array, items: { $ref: "#/components/schemas/B" } } } } } }
  pathItems: { C: { put: { responses: { "200": { description: c } } } } }
`;
  expect(told(text)).toEqual([
    "7 GET /api|/a/{id} none -> A",
    "10 DELETE /v2/a/{id} none -> none",
    "15 POST /b-api/b [B] -> -",
    "18 PUT /api|/c none -> -",
  ]);
  expect(read(text).operations[0]?.operationId).toBe("get_a");
});

test("a variable of a server may have each of its values; a document without any body says nothing about bodies", () => {
  const text = `${HEAD}servers: [{ url: "https://a.example/{v}", variables: { v: { default: v2, enum: [v1, v2] } } }]
paths:
  /a: { get: { responses: {} }, post: { responses: {} } }
`;
  expect(told(text)).toEqual(["5 GET /v2|/v1/a none -> -", "5 POST /v2|/v1/a - -> -"]);
});

test.each([
  ['{ $ref: "#/components/schemas/A" }', "A"],
  ['{ allOf: [{ $ref: "#/components/schemas/A" }], nullable: true }', "A"],
  ['{ anyOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] }', "A"],
  ['{ oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] }', "?A | B"],
  ['{ allOf: [{ $ref: "#/components/schemas/A" }, { properties: { x: { type: string } } }] }', "-"],
  ['{ type: array, items: { $ref: "#/components/schemas/A" } }', "[A]"],
  ['{ type: [array, "null"], items: { $ref: "#/components/schemas/A" } }', "[A]"],
  ['{ $ref: "#/components/schemas/As" }', "As or [A]"],
  ['{ $ref: "#/components/schemas/Other" }', "Other or A"],
  ['{ $ref: "#/components/schemas/Circle" }', "Circle"],
  ['{ $ref: "./models.yaml#/Order" }', "Order"],
  ["{ type: object, properties: { x: { type: string } } }", "-"],
  ["{ type: array, items: { type: string } }", "-"],
  ["7", "-"],
])("the schema %s is the model %s", (schema, model) => {
  const text = `${HEAD}paths: { /a: { get: { responses: { "200": { description: a, content: { application/json: { schema: ${schema} } } } } } } }
components: { schemas: { A: { type: object }, B: {}, As: { type: array, items: { $ref: "#/components/schemas/A" } }, Other: { $ref: "#/components/schemas/A" }, Circle: { $ref: "#/components/schemas/Circle" } } }
`;
  expect(told(text)).toEqual([`3 GET /a none -> ${model}`]);
});

test.each([
  ["paths: {\n", "contracts/api-schema.yaml", 2],
  ["", "contracts/api-schema.yaml", 1],
  ["- a\n", "contracts/api-schema.yaml", 1],
  ['swagger: "2.0"\npaths: {}\n', "contracts/api-schema.yaml", 1],
  ['{ "openapi": "3.0.3", }', "contracts/api-schema.json", 1],
  [`${HEAD}paths: {}\npaths: {}\n`, "contracts/api-schema.yaml", 4],
])("%j in %s cannot be compared, and line %i says why", (text, path, line) => {
  const { operations, problem } = read(text, path);
  expect(operations).toEqual([]);
  expect(problem?.severity).toBe("error");
  expect(problem?.at?.start.line).toBe(line);
});

test("what is no map where one is expected is no operation", () => {
  expect(told(`${HEAD}paths: { /a: 3, /b: { get: [], parameters: [] }, x-c: {} }\n`)).toEqual([]);
  expect(told(`${HEAD}paths: []\n`)).toEqual([]);
});
