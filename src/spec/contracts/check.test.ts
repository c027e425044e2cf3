import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contractsOf } from "../contracts.ts";
import { technologies } from "../spec-contents.ts";
import { checkContracts } from "./check.ts";

/** `line:col severity code: message -> hint`. */
const check = async (path: string, text: string) =>
  (await checkContracts([{ path, file: `x/${path}`, text }])).map(
    ({ at, severity, code, message, hint }) =>
      `${at?.start.line}:${at?.start.col} ${severity} ${code}: ${message}${hint === null ? "" : ` -> ${hint}`}`,
  );
const api = (text: string) => check("api-schema.yaml", text);

const plainer = "use a simpler form if this compiles: plait does not support all TypeScript syntax yet";
const fence =
  "error contract-syntax: this is a Markdown fence, not part of the contract -> delete the fences, and everything outside them: ```";

describe("types", () => {
  test.each<[string, string, ...string[]]>([
    ["types.py", "class A:\n    x int\n", "2:5 error contract-syntax: invalid Python: `x int`"],
    ["a/types.ts", "type A = {\n", "1:10 error contract-syntax: `{` is never closed"],
    ["types.ts", "type A = ; // {", `1:9 error contract-syntax: a type is missing here -> ${plainer}`],
    ["types.py", "\n```python\nclass A: ...\n```\n", `2:1 ${fence}`],
    ["types.py", "Here it is:\n\n```python\nclass A: ...\n```\n", `3:1 ${fence}`],
    ["types.ts", "```ts\ntype A = 1;\n```\n", `1:1 ${fence}`],
    ["api-schema.yaml", "```yaml\nopenapi: 3.0.3\n```\n", `1:1 ${fence}`],
    [
      "types.ts",
      "type A = 1;\nexport type A = 2;\n",
      "2:13 warning contract-types: the type `A` is declared twice -> delete one `A`",
    ],
    [
      "models.py",
      "class A: ...\nclass B: ...\nclass A: ...\n",
      "3:7 warning contract-types: the type `A` is declared twice -> delete one `A`",
    ],
    [
      "types.go",
      "package x\n",
      "1:1 warning contract-types: this Go contract declares no types -> add the types that tasks share: `interface Order { … }`",
    ],
    [
      "types.py",
      "",
      "1:1 warning contract-types: this Python contract declares no types -> add the types that tasks share: `interface Order { … }`",
    ],
  ])("%s %j", async (path, text, ...said) => expect(await check(path, text)).toEqual(said));

  test.each([
    ["__init__.py", ""],
    ["types.py", 'UserId = NewType("UserId", int)\n'],
    ["types.ts", "interface A { a: 1 }\ninterface A { b: 1 }\nclass A {}\n"],
    ["types.ts", "export const A = z.object({});\nexport type A = z.infer<typeof A>;\n"],
    ["types.ts", "namespace A { type X = 1 }\nnamespace B { type X = 1 }\n"],
    ["types.js", "/** @typedef {{ id: number }} A */\n"],
    ["notes.md", "type A = {\n"],
    ["types.rs", "struct A {\n"],
    ["types.py", '"""Doc\n\n```python\nA()\n```\n"""\nclass A: ...\n'],
  ])("nothing is said about %s %j", async (path, text) => expect(await check(path, text)).toEqual([]));

  test("what new folders are given is right", async () => {
    for (const technology of technologies) {
      const made = contractsOf({ techSpecId: "TS-0042", name: "x", technology, generatedAt: "" });
      expect(await checkContracts(made.map((one) => ({ ...one, file: one.path })))).toEqual([]);
    }
  });
});

const head = "openapi: 3.0.3\ninfo: { title: Orders, version: 0.1.0 }\n";
const ok = "{ responses: { 200: { description: ok } } }";

describe("documents", () => {
  test.each<[string, string, ...string[]]>([
    [
      "Swagger",
      'swagger: "2.0"\n',
      "1:10 error api-version: this is Swagger 2.0; plait checks OpenAPI 3.0 and 3.1 -> convert the document, then set `openapi: 3.0.3`",
    ],
    [
      "a number",
      "openapi: 3.0\n",
      "1:10 error api-version: the OpenAPI version `3.0` is incomplete -> set `openapi: 3.0.3`",
    ],
    [
      "a newer one",
      "openapi: 3.2.0\nself: { $ref: '#/x' }\n",
      "1:10 warning api-version: the OpenAPI version `3.2.0` is newer than 3.1, so only references are checked -> set `openapi: 3.1.1` to check all of it",
      "2:15 error api-reference: `#/x` is not in this document -> add it, or correct the reference `#/x`",
    ],
    [
      "no version",
      "paths: {}\n",
      "1:1 error api-version: the API contract has no OpenAPI version -> set `openapi: 3.0.3`",
    ],
    ["nothing", "", "1:1 error api-version: the API contract is empty -> start it with `openapi: 3.0.3`"],
    [
      "a list",
      "- a\n",
      "1:1 error api-version: the API contract is not a map -> start it with `openapi: 3.0.3`",
    ],
    ["bad YAML", "a: [\n", '2:1 error yaml-syntax: missing "]" before this -> close the list: `]`'],
    [
      "two documents",
      `${head}paths: {}\n---\na: 1\n`,
      "4:1 error two-plans: second contract in one file -> move one contract to another file",
    ],
    ["no paths", head, "1:1 error missing-key: missing key `paths` in the API contract -> add `paths: {}`"],
    [
      "wrong values",
      "openapi: 3.0.3\ninfo: { title: Orders, version: 1 }\npaths: []\n",
      '2:33 error wrong-type: info.version must be a string, not the number 1 -> quote it: `"1"`',
      "3:8 error wrong-type: paths must be a map, not an empty list",
    ],
    [
      "a method in capitals, which nobody would find",
      `${head}paths: { /a: { PATCH: ${ok} } }\n`,
      "3:16 error unknown-key: unknown key `PATCH` in a path -> did you mean `patch`?",
    ],
    [
      "an unknown key",
      `${head}paths: {}\ncomponents: { schemas: { A: { type: int, requird: [a], x-own: 1 } } }\n`,
      "4:37 error bad-value: components.schemas.A.type must be one of array, boolean, integer, number, object, string, null, not `int` -> did you mean `integer`?",
      "4:42 warning unknown-key: unknown key `requird` in a schema -> did you mean `required`?",
    ],
  ])("%s", async (_, text, ...said) => expect(await api(text)).toEqual(said));

  test("JSON is JSON, and data of another kind is only read", async () => {
    expect(await check("openapi.json", '{ "openapi": "3.1.0", }')).toEqual([
      "1:21 error json-syntax: JSON allows no comma after the last item -> delete the comma: `,`",
    ]);
    expect(await check("events.json", '{ "type": "object" }')).toEqual([]);
    expect(await check("events.yaml", "a: [1\n")).toEqual([
      '2:1 error yaml-syntax: missing "]" before this -> close the list: `]`',
    ]);
  });
});

describe("operations", () => {
  test.each<[string, string, ...string[]]>([
    [
      "a path without a slash",
      `  orders: {}\n`,
      "4:3 error api-path: the path `orders` does not start with a slash -> use `/orders`",
    ],
    [
      "the same path twice",
      `  /a/{x}: {}\n  /a/{y}: {}\n`,
      "5:3 error api-path: the path `/a/{y}` is the same as `/a/{x}` -> move its operations to `/a/{x}`",
    ],
    [
      "a part that is not declared",
      `  /a/{id}:\n    get: ${ok}\n`,
      "5:5 error api-path: the path parameter `{id}` is not declared -> add `{ name: id, in: path, required: true, schema: { type: string } }`",
    ],
    [
      "a parameter that is not in the path",
      `  /a:\n    parameters:\n      - { name: id, in: path, required: true, schema: {} }\n    get: ${ok}\n`,
      "6:9 error api-path: the parameter `id` is not in the path -> add `{id}` to the path, or set `in: query`",
    ],
    [
      "a part that is not required",
      `  /a/{id}:\n    parameters: [{ name: id, in: path, schema: {} }]\n    get: ${ok}\n`,
      "5:18 error api-path: the path parameter `id` is not required -> add `required: true`",
    ],
    [
      "parameters that lack something, or are there twice",
      `  /a:\n    parameters: [{ name: q, in: query }, { in: query }, { name: q, in: query, schema: {} }]\n`,
      "5:18 error api-operation: the parameter `q` has neither schema nor content -> add one of the two, such as `schema: { type: string }`",
      "5:42 error api-operation: a parameter has no `name` -> add `name`",
      "5:57 error api-operation: the parameter `q` is listed twice -> delete one `q`",
    ],
    [
      "no answer",
      "  /a:\n    get: {}\n",
      '5:5 error api-operation: `get /a` has no responses -> add `responses: { "200": { description: OK } }`',
    ],
    [
      "odd answers",
      "  /a:\n    get: { responses: { 20: { description: x }, 404: {}, 5XX: { description: x } } }\n",
      "5:25 error api-operation: invalid status `20` in `get /a` -> use a code, a range or default: `200`, `4XX`, `default`",
      "5:49 error api-operation: the response `404` has no description -> add `description: OK`",
    ],
    [
      "a body without content",
      "  /a:\n    post: { requestBody: {}, responses: { 200: { description: x } } }\n",
      "5:13 error api-operation: the request body of `post /a` has no content -> add `content: { application/json: { schema: … } }`",
    ],
    [
      "one id twice",
      "  /a:\n    get: { operationId: a, responses: { 200: { description: x } } }\n    put: { operationId: a, responses: { 200: { description: x } } }\n",
      "6:25 error api-operation: the operationId `a` is used twice -> rename one `a`",
    ],
    [
      "unknown security",
      "  /a:\n    get: { security: [{ beaer: [] }], responses: { 200: { description: x } } }\ncomponents:\n  securitySchemes: { bearer: { type: http } }\n",
      "5:25 error api-security: unknown security scheme `beaer` -> did you mean `bearer`?",
      "7:22 error api-security: the security scheme `bearer` has no `scheme` -> add `scheme`",
    ],
    [
      "references",
      "  /a:\n    get: { responses: { 200: { $ref: '#/components/responses/Oks' }, 404: { $ref: other.yaml#/x } } }\ncomponents:\n  responses: { Ok: { description: x } }\n  schemas: { A: { example: { $ref: no }, properties: { default: { $ref: '#/components/schemas/B~1' } } } }\n",
      "5:38 error api-reference: `#/components/responses/Oks` is not in this document -> did you mean `Ok`?",
      "5:83 warning api-reference: `other.yaml#/x` is outside this document and was not checked -> move it into the document: `#/components/schemas/…`",
      "8:73 error api-reference: `#/components/schemas/B~1` is not in this document -> add it, or correct the reference `#/components/schemas/B~1`",
    ],
  ])("%s", async (_, paths, ...said) => expect(await api(`${head}paths:\n${paths}`)).toEqual(said));

  test("3.1 asks for less", async () => {
    const text = "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths:\n  /a: { get: {} }\n";
    expect(await api(text)).toEqual([
      '4:9 warning api-operation: `get /a` has no responses -> add `responses: { "200": { description: OK } }`',
    ]);
    expect(
      await api(
        "openapi: 3.1.0\ninfo: { title: a, version: b }\ncomponents: { schemas: { A: true, B: { ownKeyword: 1 } } }\n",
      ),
    ).toEqual([]);
  });

  test("a circle of references, an alias and a merge key end", async () => {
    const circle = "components: { parameters: { A: { $ref: '#/components/parameters/A' } } }\n";
    const text = `${head}paths:\n  /a: &a { parameters: [{ $ref: '#/components/parameters/A' }] }\n  /b: { <<: *a }\n  /c: *a\n${circle}`;
    expect(await api(text)).toEqual([]);
  });
});

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const scheme = fc.constantFrom(
  { type: "string" },
  { type: "array", items: { $ref: "#/components/schemas/Any" } },
);
const operation = fc.record({
  parameters: fc.uniqueArray(
    fc.record({ name: word, in: fc.constantFrom("query", "header", "cookie"), schema: scheme }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
  responses: fc.dictionary(
    fc.constantFrom("200", "201", "4XX", "default"),
    fc.record({
      description: fc.string(),
      content: fc.constant({ "application/json": { schema: { $ref: "#/components/schemas/Any" } } }),
    }),
    { minKeys: 1 },
  ),
  // No reader of plait takes a key of that name.
  "x-own": fc.jsonValue({ maxDepth: 1 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
});

test("whatever is right by the rules of OpenAPI, nothing is said about it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("get", "put", "post", "delete", "patch"), operation),
      fc.constantFrom("3.0.0", "3.0.4", "3.1.1"),
      async (names, operations, openapi) => {
        const route = names.map((name) => `/${name}/{${name}}`).join("") || "/";
        const parameters = names.map((name) => ({
          name,
          in: "path",
          required: true,
          schema: { type: "string" },
        }));
        const document = {
          openapi,
          info: { title: "a", version: "1" },
          paths: { [route]: { parameters, ...operations } },
          components: { schemas: { Any: { type: "object", additionalProperties: true } } },
        };
        expect(await check("api.json", JSON.stringify(document, null, 2))).toEqual([]);
      },
    ),
    { numRuns: 50 },
  ));
