import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { quoted } from "../../core/text/figures.ts";

type SyntaxProblem =
  | { readonly kind: "fence" }
  | { readonly kind: "unreadable"; readonly path: string; readonly problem: string }
  | { readonly kind: "parser"; readonly message: string; readonly isDoubtful: boolean };

type TypesProblem =
  | { readonly kind: "none"; readonly language: string }
  | { readonly kind: "repeated"; readonly name: string };

type VersionProblem =
  | { readonly kind: "empty" | "not-a-map" | "missing" | "not-a-string" }
  | { readonly kind: "swagger" | "newer" | "short" | "unknown"; readonly version: string };

function formatVersion(params: VersionProblem): string {
  switch (params.kind) {
    case "empty":
      return "the API contract is empty";
    case "not-a-map":
      return "the API contract is not a map";
    case "missing":
      return "the API contract has no OpenAPI version";
    case "not-a-string":
      return "the OpenAPI version is not a string";
    case "swagger":
      return `this is Swagger ${params.version}; plait checks OpenAPI 3.0 and 3.1`;
    case "newer":
      return `version ${quoted(params.version)} is newer than OpenAPI 3.1, so only references are checked`;
    case "short":
      return `the version ${quoted(params.version)} is incomplete`;
    default:
      return `${quoted(params.version)} is not a version of OpenAPI 3.0 or 3.1`;
  }
}

type PathProblem =
  | { readonly kind: "no-slash"; readonly route: string }
  | { readonly kind: "repeated"; readonly route: string; readonly first: string }
  | { readonly kind: "not-in-path" | "not-required" | "undeclared"; readonly name: string };

function formatPath(params: PathProblem): string {
  switch (params.kind) {
    case "no-slash":
      return `the path ${quoted(params.route)} does not start with a slash`;
    case "repeated":
      return `the path ${quoted(params.route)} is the same as ${quoted(params.first)}`;
    case "not-in-path":
      return `the parameter ${quoted(params.name)} is not in the path`;
    case "not-required":
      return `the path parameter ${quoted(params.name)} is not required`;
    default:
      return `the path parameter ${quoted(`{${params.name}}`)} is not declared`;
  }
}

function formatPathFix(params: PathProblem): string {
  switch (params.kind) {
    case "no-slash":
      return `write \`/${params.route}\``;
    case "repeated":
      return `move its operations to ${quoted(params.first)}`;
    case "not-in-path":
      return `add \`{${params.name}}\` to the path, or write \`in: query\``;
    case "not-required":
      return "add `required: true`";
    default:
      return `add \`{ name: ${params.name}, in: path, required: true, schema: { type: string } }\``;
  }
}

type OperationProblem =
  | { readonly kind: "no-responses" | "no-content"; readonly operation: string }
  | { readonly kind: "status"; readonly operation: string; readonly status: string }
  | { readonly kind: "no-description"; readonly response: string }
  | { readonly kind: "repeated-id"; readonly id: string }
  | { readonly kind: "repeated-parameter" | "no-schema" | "two-schemas"; readonly name: string }
  | { readonly kind: "incomplete-parameter"; readonly missing: readonly string[] };

function formatOperation(params: OperationProblem): string {
  switch (params.kind) {
    case "no-responses":
      return `${quoted(params.operation)} has no responses`;
    case "no-content":
      return `the request body of ${quoted(params.operation)} has no content`;
    case "status":
      return `${quoted(params.operation)} has the invalid status ${quoted(params.status)}`;
    case "no-description":
      return `the response ${quoted(params.response)} has no description`;
    case "repeated-id":
      return `the operationId ${quoted(params.id)} is used twice`;
    case "repeated-parameter":
      return `the parameter ${quoted(params.name)} is listed twice`;
    case "no-schema":
      return `the parameter ${quoted(params.name)} has neither schema nor content`;
    case "two-schemas":
      return `the parameter ${quoted(params.name)} has both schema and content`;
    default:
      return `a parameter has no ${params.missing.map(quoted).join(" and no ")}`;
  }
}

function formatOperationFix(params: OperationProblem): string {
  switch (params.kind) {
    case "no-responses":
      return 'add `responses: { "200": { description: OK } }`';
    case "no-content":
      return "add `content: { application/json: { schema: … } }`";
    case "status":
      return "write a code, a range or default: `200`, `4XX`, `default`";
    case "no-description":
      return "add `description: OK`";
    case "repeated-id":
      return `change one ${quoted(params.id)}`;
    case "repeated-parameter":
      return `delete one ${quoted(params.name)}`;
    case "incomplete-parameter":
      return `add ${params.missing.map(quoted).join(" and ")}`;
    default:
      return "keep one: `schema: { type: string }`";
  }
}

type ReferenceProblem = { readonly reference: string } & (
  | { readonly kind: "outside" }
  | { readonly kind: "missing"; readonly suggestion: string | null }
);

type SecurityProblem = { readonly scheme: string } & (
  | { readonly kind: "incomplete"; readonly key: string }
  | { readonly kind: "unknown"; readonly suggestion: string | null }
);

/** Contracts: what tasks of an artifact folder agree on before they start. */
export const contractCatalog = {
  "contract-syntax": {
    severity: "error",
    title: "A contract cannot be parsed",
    explanation:
      "The file does not parse in the language of its file extension, so each agent would build something else from it. Markdown fences are not part of a contract. If your compiler accepts it, use simpler syntax: plait's TypeScript grammar does not know all of it.",
    message: (params: SyntaxProblem) => {
      if (params.kind === "fence") return "this is a Markdown fence, not part of the contract";
      return params.kind === "parser"
        ? params.message
        : `the contract ${quoted(params.path)} ${params.problem}`;
    },
    hint: (params: SyntaxProblem) => {
      if (params.kind === "fence") return "delete the fences, and everything outside them: ```";
      const isDoubtful = params.kind === "parser" && params.isDoubtful;
      return isDoubtful
        ? "use simpler syntax if your compiler accepts it: plait does not know all of TypeScript"
        : null;
    },
  },
  "contract-types": {
    severity: "warning",
    title: "Missing or duplicate types in a contract",
    explanation:
      "A name is declared twice in a file, or a file named after types has none. TypeScript interfaces declared in parts are one type.",
    message: (params: TypesProblem) =>
      params.kind === "none"
        ? `no types in this ${params.language}`
        : `the type ${quoted(params.name)} is declared twice`,
    hint: (params: TypesProblem) =>
      params.kind === "none"
        ? "add the types that tasks share: `interface Order { … }`"
        : `delete one ${quoted(params.name)}`,
    related: () => "first declared here",
  },
  "api-version": {
    severity: "error",
    title: "The API contract is not OpenAPI 3",
    explanation:
      "plait checks OpenAPI 3.0 and 3.1; of a newer version it checks only references, with a warning. The version is a string at the top of the document. Convert Swagger 2 documents first.",
    example: "openapi: 3.0.3\ninfo:\n  title: Orders\n  version: 0.1.0\npaths: {}",
    message: formatVersion,
    hint: ({ kind }: VersionProblem) => {
      if (kind === "swagger") return "convert the document, then write `openapi: 3.0.3`";
      return kind === "newer" ? "write `openapi: 3.1.1` to check all of it" : "write `openapi: 3.0.3`";
    },
  },
  "api-path": {
    severity: "error",
    title: "Invalid path in the API contract",
    explanation:
      "Paths start with a slash. A part in braces is a parameter that each operation declares with `in: path` and `required: true`. Two paths that differ only in parameter names are the same path.",
    example:
      "paths:\n  /orders/{id}:\n    parameters:\n      - { name: id, in: path, required: true, schema: { type: integer } }",
    message: formatPath,
    hint: formatPathFix,
    related: ({ route }: { readonly route: string }) => `${quoted(route)} is here`,
  },
  "api-operation": {
    severity: "error",
    title: "Invalid operation in the API contract",
    explanation:
      "An operation has responses by status (`200`, `4XX`, `default`) and a unique operationId. A parameter is declared once, with either schema or content.",
    message: formatOperation,
    hint: formatOperationFix,
    related: () => "first used here",
  },
  "api-reference": {
    severity: "error",
    title: "Broken reference in the API contract",
    explanation:
      "The target of `$ref` must be in the document: `#/components/schemas/Order`. References to other files are warnings, because agents may not see them.",
    message: (params: ReferenceProblem) =>
      params.kind === "outside"
        ? `${quoted(params.reference)} is outside this document and was not checked`
        : `${quoted(params.reference)} is not in this document`,
    hint: (params: ReferenceProblem) =>
      params.kind === "outside"
        ? "move it into the document: `#/components/schemas/…`"
        : suggest(params.suggestion, `add it, or correct the reference ${quoted(params.reference)}`),
  },
  "api-security": {
    severity: "error",
    title: "Unknown or incomplete security scheme",
    explanation:
      "Names in `security` are those in components.securitySchemes. A scheme has what its type needs: `scheme` for http, `name` and `in` for apiKey, `flows` for oauth2, `openIdConnectUrl` for openIdConnect.",
    message: (params: SecurityProblem) =>
      params.kind === "unknown"
        ? `unknown security scheme ${quoted(params.scheme)}`
        : `the security scheme ${quoted(params.scheme)} has no ${quoted(params.key)}`,
    hint: (params: SecurityProblem) =>
      params.kind === "unknown"
        ? suggest(params.suggestion, "add it to `components.securitySchemes`")
        : `add ${quoted(params.key)}`,
  },
} as const satisfies Catalog;

export const buildContractFinding: FindingBuilder<typeof contractCatalog> =
  createFindingBuilder(contractCatalog);
