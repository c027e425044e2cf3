import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings about contracts: what the tasks of an artefact folder agree on before any of them begins. */
export const contractCodes = [
  {
    code: "contract-syntax",
    severity: "error",
    title: "A contract cannot be parsed",
    explanation:
      "The text is not one of its language, which is known by the ending of the file. Agents write the types of a contract anew in their code; from one that cannot be parsed each would make something else. Fences of Markdown are no part of a contract. plait reads by grammars of its own, and that of TypeScript does not know all that compilers know: what yours takes and plait does not, write in a plainer way.",
  },
  {
    code: "contract-types",
    severity: "warning",
    title: "The types of a contract are not as they should be",
    explanation:
      "One name is declared twice in a file, so that nobody knows which is meant, or a file that is named after types has none. Interfaces of TypeScript that are declared in parts are one type and no finding.",
  },
  {
    code: "api-version",
    severity: "error",
    title: "The API contract is not OpenAPI 3",
    explanation:
      "plait checks OpenAPI 3.0 and 3.1; a newer one is a warning, and only its references are checked. The version stands at the top of the document as a text. Swagger 2 was the name of the generation before; converters for it exist.",
    example: "openapi: 3.0.3\ninfo:\n  title: Orders\n  version: 0.1.0\npaths: {}",
  },
  {
    code: "api-path",
    severity: "error",
    title: "A path of the API contract is not right",
    explanation:
      "Paths start with a slash. A part in braces is a parameter, which each operation of the path declares with `in: path` and `required: true`, itself or for all operations of the path. Two paths that differ in the names of their parameters only are the same path.",
    example:
      "paths:\n  /orders/{id}:\n    parameters:\n      - { name: id, in: path, required: true, schema: { type: integer } }",
  },
  {
    code: "api-operation",
    severity: "error",
    title: "An operation of the API contract is not right",
    explanation:
      "An operation says what it answers, by status (`200`, `4XX`, `default`), and has an operationId that no other has. A parameter is declared once, and has a schema or a content, not both.",
  },
  {
    code: "api-reference",
    severity: "error",
    title: "A reference of the API contract leads nowhere",
    explanation:
      "What `$ref` names must be in the document: `#/components/schemas/Order`. Whether something in another file or on another machine exists, plait cannot tell; it warns of such references, since agents may not see what is there.",
  },
  {
    code: "api-security",
    severity: "error",
    title: "The API contract asks for a security scheme that it does not have",
    explanation:
      "Names under `security` are those under components.securitySchemes. A scheme has what its type needs: `scheme` for http, `name` and `in` for apiKey, `flows` for oauth2, `openIdConnectUrl` for openIdConnect.",
  },
] as const satisfies readonly CodeEntry[];

export type ContractCode = (typeof contractCodes)[number]["code"];
