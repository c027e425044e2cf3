import { listQuoted, quoted } from "../../../core/text/figures.ts";
import { compareByHand, type FixPlace, formatFile, type IntegrationCatalog } from "./entry.ts";
import { type DataMismatch, type DataRole, formatMismatch, formatRole } from "./mismatch.ts";

/** The type of a body. */
export type BodyType =
  | { readonly kind: "type"; readonly name: string; readonly isList: boolean }
  | { readonly kind: "none" };

/** `A` in the code where the contract has `B`. */
type BodyDifference = {
  readonly kind: "body";
  readonly side: "request" | "response";
  readonly code: BodyType;
  readonly contract: BodyType;
  /** Why it may be another type when the program runs. */
  readonly doubt?: string | undefined;
};

type DataDifference = {
  readonly kind: "data";
  readonly mismatch: DataMismatch;
  /** The status of an error response. */
  readonly status?: string | undefined;
};

export type ParameterDifference =
  | DataDifference
  | {
      readonly kind: "parameter";
      readonly role: DataRole;
      readonly what: "missing" | "extra" | "extra-required" | "required" | "optional";
      /** Why a missing one may be read all the same. */
      readonly reason?: string;
    };

export type StatusDifference =
  | { readonly kind: "other"; readonly code: string; readonly contract: string }
  | { readonly kind: "missing" | "extra"; readonly status: string };

const formatType = (type: BodyType): string =>
  type.kind === "none" ? "no body" : `${type.isList ? "a list of " : ""}${quoted(type.name)}`;

function formatBody({ side, code, contract, doubt }: BodyDifference): string {
  const verb = side === "request" ? "accepts" : "returns";
  const text = `${verb} ${formatType(code)}; the contract has ${formatType(contract)}`;
  return doubt === undefined ? text : `${text} (${doubt})`;
}

function formatData(difference: BodyDifference | DataDifference): string {
  if (difference.kind === "body") return formatBody(difference);
  const { mismatch, status } = difference;
  return `${formatMismatch(mismatch)}${status === undefined ? "" : ` (status ${status})`}`;
}

function formatParameter(difference: ParameterDifference): string {
  if (difference.kind === "data") return formatData(difference);
  const { role, what, reason } = difference;
  const name = formatRole(role);
  switch (what) {
    case "missing":
      return `lacks ${name}${reason === undefined ? "" : `, unless ${reason}`}`;
    case "extra":
      return `has extra ${name}`;
    case "extra-required":
      return `requires ${name}, which is not in the contract`;
    case "required":
      return `${name} is required in the code, optional in the contract`;
    default:
      return `${name} is optional in the code, required in the contract`;
  }
}

function formatStatus(difference: StatusDifference): string {
  if (difference.kind === "other")
    return `responds with ${difference.code} in the code, ${difference.contract} in the contract`;
  return difference.kind === "missing"
    ? `lacks response ${difference.status}`
    : `has extra response ${difference.status}`;
}

type MissingRoute =
  | { readonly kind: "none" }
  /** A route that the contract does not have, with a similar path. */
  | { readonly kind: "similar"; readonly route: string }
  | { readonly kind: "prefix"; readonly route: string; readonly withServer: string | null }
  /** A route whose parameters match the path. */
  | { readonly kind: "shadowed"; readonly path: string };

function formatMissing(params: MissingRoute): string {
  switch (params.kind) {
    case "similar":
      return `no route has this path; ${quoted(params.route)} is similar and not in the contract`;
    case "prefix": {
      const path =
        params.withServer === null ? "" : `, which is ${quoted(params.withServer)} with its server`;
      return `no route has this path${path}; ${quoted(params.route)} has another prefix`;
    }
    case "shadowed":
      return `no route has this path; ${quoted(params.path)} would match its requests`;
    default:
      return "no route has this path";
  }
}

type UnclearEndpoint =
  | { readonly kind: "framework" }
  /** A route that may be it, with a prefix that cannot be read. */
  | { readonly kind: "prefix"; readonly path: string; readonly reason: string }
  | { readonly kind: "hidden"; readonly reason: string }
  | { readonly kind: "unread"; readonly reason: string }
  | { readonly kind: "server"; readonly prefix: string; readonly isInContract: boolean }
  | BodyDifference
  | ParameterDifference;

function formatUnclear(params: UnclearEndpoint): string {
  switch (params.kind) {
    case "framework":
      return "no route found: the project uses no framework that plait reads";
    case "prefix":
      return `no route found for certain; ${quoted(params.path)} may match: ${params.reason}`;
    case "hidden":
      return `no route found for certain; one may be declared here: ${params.reason}`;
    case "unread":
      return `no route found for certain; this file cannot be read: ${params.reason}`;
    case "server":
      return params.isInContract
        ? `no route starts with ${quoted(params.prefix)}, the contract's server path; unclear whether a proxy adds it`
        : `routes start with ${quoted(params.prefix)}, but the contract names no server; unclear whether they match`;
    case "body":
      return formatBody(params);
    default:
      return formatParameter(params);
  }
}

const FIELDS =
  "Types are compared by name and, if both sides declare them, field by field: names, types, required, nullable.";

export const endpointCatalog = {
  "endpoint-missing": {
    area: "endpoints",
    severity: "error",
    title: "Contract endpoint is not implemented",
    explanation: "No route of the project has its path.",
    message: formatMissing,
    hint: ({ about }: FixPlace) => `Add a route for \`${about}\` as in the contract`,
  },
  "endpoint-method": {
    area: "endpoints",
    severity: "error",
    title: "Endpoint accepts another method than the contract",
    explanation: "A route has the path, but not the method.",
    message: (params: { readonly path: string; readonly has: readonly string[]; readonly method: string }) =>
      `${quoted(params.path)} accepts ${listQuoted(params.has, "methods")}, not ${quoted(params.method)}`,
    hint: (place: FixPlace) => `Register the route in ${formatFile(place)} as \`${place.about}\``,
  },
  "endpoint-extra": {
    area: "endpoints",
    severity: "warning",
    title: "Endpoint is not in the contract",
    explanation: "A task added a route that the contract does not have. Older routes are not reported.",
    message: "not in the contract",
    hint: ({ about }: FixPlace) => `Remove \`${about}\`, or add it to the contract`,
  },
  "endpoint-request": {
    area: "endpoints",
    severity: "error",
    title: "Request body differs from the contract",
    explanation: `${FIELDS} Fields that are \`readOnly\` in the contract are not expected in requests.`,
    message: (params: BodyDifference | DataDifference) => formatData(params),
    hint: ({ about }: FixPlace) => `Change the request body of \`${about}\` to match the contract`,
  },
  "endpoint-response": {
    area: "endpoints",
    severity: "error",
    title: "Response differs from the contract",
    explanation: `${FIELDS} Fields that are \`writeOnly\` in the contract are not expected in responses.`,
    message: (params: BodyDifference | DataDifference) => formatData(params),
    hint: ({ about }: FixPlace) => `Change the response of \`${about}\` to match the contract`,
  },
  "endpoint-parameter": {
    area: "endpoints",
    severity: "error",
    title: "Parameter differs from the contract",
    explanation:
      "Path, query, header and cookie parameters are compared by name, required, type and values. It is a warning if clients that follow the contract still work. Parameters that the framework does not declare are not compared.",
    message: formatParameter,
    hint: ({ about }: FixPlace) => `Change the parameters of \`${about}\` to match the contract`,
  },
  "endpoint-status": {
    area: "endpoints",
    severity: "error",
    title: "Status code differs from the contract",
    explanation:
      "Compared if the framework declares it: `status_code` in FastAPI, `@HttpCode` in NestJS, response schemas in Fastify and Hono, or the document that the project prints. Undeclared error responses are not reported as missing.",
    message: formatStatus,
    hint: ({ about }: FixPlace) => `Change the status code of \`${about}\` to match the contract`,
  },
  "endpoint-unclear": {
    area: "endpoints",
    severity: "note",
    title: "Unclear whether an endpoint matches the contract",
    explanation:
      "The path is computed, it is unclear where a router is mounted, or plait does not read the framework. plait reads FastAPI, Django with REST framework, Flask, Express, Fastify, Hono and NestJS.",
    message: formatUnclear,
    hint: compareByHand,
  },
  "document-unreadable": {
    area: "endpoints",
    severity: "error",
    title: "Project did not print its API document",
    explanation:
      "`integrate: { openapi: … }` in the configuration names a command that prints the API document. It failed, or printed no OpenAPI 3 document to standard output, so every endpoint is unclear. Run the command in a fresh clone, or remove the setting to compare endpoints with the code.",
    message: ({ command, problem }: { readonly command: string; readonly problem: string }) =>
      `\`${command}\` printed no API document: ${problem}`,
    hint: "Make the command of `integrate.openapi` print the API document, or remove it",
  },
  "document-not-read": {
    area: "endpoints",
    severity: "note",
    title: "Project's API document was not read",
    explanation:
      "`integrate: { openapi: … }` names a command, but --no-checks or --enforce skips commands. Endpoints are compared with the code.",
    message: ({ command }: { readonly command: string }) =>
      `\`${command}\` was not run, so endpoints were compared with the code only`,
    hint: "Run `plait integrate` with its checks",
  },
} as const satisfies IntegrationCatalog;
