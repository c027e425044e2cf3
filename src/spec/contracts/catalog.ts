import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { quoted } from "../../core/text/figures.ts";
import { type Strings, type Suggested, wordKinds } from "../../formats/catalog-kinds.ts";

type Missing = { readonly missing: readonly string[] };

const START_WITH = "start it with `openapi: 3.0.3`";
const SET_VERSION = "set `openapi: 3.0.3`";

/** Contracts: what tasks of an artifact folder agree on before they start. */
export const contractCatalog = {
  "contract-syntax": {
    severity: "error",
    title: "A contract cannot be parsed",
    explanation:
      "The file does not parse in the language of its file extension, so each agent would build something else from it. Markdown fences are not part of a contract. If your compiler accepts it, use simpler syntax: plait's TypeScript grammar does not know all of it.",
    ...wordKinds({
      fence: [
        "this is a Markdown fence, not part of the contract",
        "delete the fences, and everything outside them: ```",
      ],
      unreadable: [
        ({ path, problem }: Strings<"path" | "problem">) => `the contract ${quoted(path)} ${problem}`,
        ({ path }: Strings<"path">) => `make the file readable UTF-8 text: ${quoted(path)}`,
      ],
      parser: [
        ({ message }: Strings<"message">) => message,
        ({ isDoubtful }: { readonly isDoubtful: boolean }) =>
          isDoubtful
            ? "use a simpler form if this compiles: plait does not support all TypeScript syntax yet"
            : null,
      ],
    }),
  },
  "contract-types": {
    severity: "warning",
    title: "Missing or duplicate types in a contract",
    explanation:
      "A name is declared twice in a file, or a file named after types has none. TypeScript interfaces declared in parts are one type.",
    ...wordKinds({
      none: [
        ({ language }: Strings<"language">) => `this ${language} contract declares no types`,
        "add the types that tasks share: `interface Order { … }`",
      ],
      repeated: [
        ({ name }: Strings<"name">) => `the type ${quoted(name)} is declared twice`,
        ({ name }: Strings<"name">) => `delete one ${quoted(name)}`,
      ],
    }),
    related: () => "first declared here",
  },
  "api-version": {
    severity: "error",
    title: "The API contract is not OpenAPI 3",
    explanation:
      "plait checks OpenAPI 3.0 and 3.1. In newer versions it checks only references, with a warning. The version is a string at the top of the document. Convert Swagger 2 documents first.",
    example: "openapi: 3.0.3\ninfo:\n  title: Orders\n  version: 0.1.0\npaths: {}",
    ...wordKinds({
      empty: ["the API contract is empty", START_WITH],
      "not-a-map": ["the API contract is not a map", START_WITH],
      missing: ["the API contract has no OpenAPI version", SET_VERSION],
      "not-a-string": ["the OpenAPI version is not a string", SET_VERSION],
      swagger: [
        ({ version }: Strings<"version">) => `this is Swagger ${version}; plait checks OpenAPI 3.0 and 3.1`,
        "convert the document, then set `openapi: 3.0.3`",
      ],
      newer: [
        ({ version }: Strings<"version">) =>
          `the OpenAPI version ${quoted(version)} is newer than 3.1, so only references are checked`,
        "set `openapi: 3.1.1` to check all of it",
      ],
      short: [
        ({ version }: Strings<"version">) => `the OpenAPI version ${quoted(version)} is incomplete`,
        SET_VERSION,
      ],
      unknown: [
        ({ version }: Strings<"version">) =>
          `unknown OpenAPI version ${quoted(version)}; plait checks 3.0 and 3.1`,
        SET_VERSION,
      ],
    }),
  },
  "api-path": {
    severity: "error",
    title: "Invalid path in the API contract",
    explanation:
      "Paths start with a slash. A part in braces is a parameter that each operation declares with `in: path` and `required: true`. Two paths that differ only in parameter names are the same path.",
    example:
      "paths:\n  /orders/{id}:\n    parameters:\n      - { name: id, in: path, required: true, schema: { type: integer } }",
    ...wordKinds({
      "no-slash": [
        ({ route }: Strings<"route">) => `the path ${quoted(route)} does not start with a slash`,
        ({ route }: Strings<"route">) => `use \`/${route}\``,
      ],
      repeated: [
        ({ route, first }: Strings<"route" | "first">) =>
          `the path ${quoted(route)} is the same as ${quoted(first)}`,
        ({ first }: Strings<"first">) => `move its operations to ${quoted(first)}`,
      ],
      "not-in-path": [
        ({ name }: Strings<"name">) => `the parameter ${quoted(name)} is not in the path`,
        ({ name }: Strings<"name">) => `add \`{${name}}\` to the path, or set \`in: query\``,
      ],
      "not-required": [
        ({ name }: Strings<"name">) => `the path parameter ${quoted(name)} is not required`,
        "add `required: true`",
      ],
      undeclared: [
        ({ name }: Strings<"name">) => `the path parameter ${quoted(`{${name}}`)} is not declared`,
        ({ name }: Strings<"name">) =>
          `add \`{ name: ${name}, in: path, required: true, schema: { type: string } }\``,
      ],
    }),
    related: ({ route }: Strings<"route">) => `${quoted(route)} is here`,
  },
  "api-operation": {
    severity: "error",
    title: "Invalid operation in the API contract",
    explanation:
      "An operation has responses by status (`200`, `4XX`, `default`) and a unique operationId. A parameter is declared once, with either schema or content.",
    ...wordKinds({
      "no-responses": [
        ({ operation }: Strings<"operation">) => `${quoted(operation)} has no responses`,
        'add `responses: { "200": { description: OK } }`',
      ],
      "no-content": [
        ({ operation }: Strings<"operation">) => `the request body of ${quoted(operation)} has no content`,
        "add `content: { application/json: { schema: … } }`",
      ],
      status: [
        ({ operation, status }: Strings<"operation" | "status">) =>
          `invalid status ${quoted(status)} in ${quoted(operation)}`,
        "use a code, a range or default: `200`, `4XX`, `default`",
      ],
      "no-description": [
        ({ response }: Strings<"response">) => `the response ${quoted(response)} has no description`,
        "add `description: OK`",
      ],
      "repeated-id": [
        ({ id }: Strings<"id">) => `the operationId ${quoted(id)} is used twice`,
        ({ id }: Strings<"id">) => `rename one ${quoted(id)}`,
      ],
      "repeated-parameter": [
        ({ name }: Strings<"name">) => `the parameter ${quoted(name)} is listed twice`,
        ({ name }: Strings<"name">) => `delete one ${quoted(name)}`,
      ],
      "no-schema": [
        ({ name }: Strings<"name">) => `the parameter ${quoted(name)} has neither schema nor content`,
        "add one of the two, such as `schema: { type: string }`",
      ],
      "two-schemas": [
        ({ name }: Strings<"name">) => `the parameter ${quoted(name)} has both schema and content`,
        "keep only one of the two, such as `schema: { type: string }`",
      ],
      "incomplete-parameter": [
        ({ missing }: Missing) => `a parameter has no ${missing.map(quoted).join(" and no ")}`,
        ({ missing }: Missing) => `add ${missing.map(quoted).join(" and ")}`,
      ],
    }),
    related: () => "first used here",
  },
  "api-reference": {
    severity: "error",
    title: "Broken reference in the API contract",
    explanation:
      "The target of `$ref` must be in the document: `#/components/schemas/Order`. References to other files are warnings, because agents may not see them.",
    ...wordKinds({
      outside: [
        ({ reference }: Strings<"reference">) =>
          `${quoted(reference)} is outside this document and was not checked`,
        "move it into the document: `#/components/schemas/…`",
      ],
      missing: [
        ({ reference }: Strings<"reference">) => `${quoted(reference)} is not in this document`,
        ({ reference, suggestion }: Strings<"reference"> & Suggested) =>
          suggest(suggestion, `add it, or correct the reference ${quoted(reference)}`),
      ],
    }),
  },
  "api-security": {
    severity: "error",
    title: "Unknown or incomplete security scheme",
    explanation:
      "Names in `security` are those in components.securitySchemes. A scheme has what its type needs: `scheme` for http, `name` and `in` for apiKey, `flows` for oauth2, `openIdConnectUrl` for openIdConnect.",
    ...wordKinds({
      unknown: [
        ({ scheme }: Strings<"scheme">) => `unknown security scheme ${quoted(scheme)}`,
        ({ suggestion }: Suggested) => suggest(suggestion, "add it to `components.securitySchemes`"),
      ],
      incomplete: [
        ({ scheme, key }: Strings<"scheme" | "key">) =>
          `the security scheme ${quoted(scheme)} has no ${quoted(key)}`,
        ({ key }: Strings<"key">) => `add ${quoted(key)}`,
      ],
    }),
  },
} as const satisfies Catalog;

export const buildContractFinding: FindingBuilder<typeof contractCatalog> =
  createFindingBuilder(contractCatalog);
