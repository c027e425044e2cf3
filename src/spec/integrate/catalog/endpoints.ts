import { formatCommand, plait } from "../../../core/text/command.ts";
import { listQuoted, quoted } from "../../../core/text/figures.ts";
import {
  type ByKind,
  compareByHand,
  type FixPlace,
  formatFile,
  type IntegrationCatalog,
  wordByKind,
} from "./entry.ts";
import { type DataMismatch, type DataRole, formatMismatch, formatRole } from "./mismatch.ts";

export type BodyType =
  | { readonly kind: "type"; readonly name: string; readonly isList: boolean }
  | { readonly kind: "none" };

/** `A` in the code where the contract has `B`. */
export type BodyDifference = {
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
  return {
    missing: `lacks ${name}${reason === undefined ? "" : `, unless ${reason}`}`,
    extra: `has extra ${name}`,
    "extra-required": `requires ${name}, which is not in the contract`,
    required: `${name} is required in the code, optional in the contract`,
    optional: `${name} is optional in the code, required in the contract`,
  }[what];
}

const STATUS = {
  other: (status: { readonly code: string; readonly contract: string }) =>
    `responds with ${status.code} in the code, ${status.contract} in the contract`,
  missing: ({ status }: { readonly status: string }) => `lacks response ${status}`,
  extra: ({ status }: { readonly status: string }) => `has extra response ${status}`,
};

export type StatusDifference = ByKind<typeof STATUS>;

const NO_ROUTE = "no route has this path";

const MISSING = {
  none: () => NO_ROUTE,
  /** A route that the contract does not have, with a similar path. */
  similar: ({ route }: { readonly route: string }) =>
    `${NO_ROUTE}; ${quoted(route)} is similar and not in the contract`,
  prefix: ({ route, withServer }: { readonly route: string; readonly withServer: string | null }) =>
    `${NO_ROUTE}${withServer === null ? "" : `, which is ${quoted(withServer)} with its server`}; ${quoted(route)} has another prefix`,
  /** A route whose parameters match the path. */
  shadowed: ({ path }: { readonly path: string }) => `${NO_ROUTE}; ${quoted(path)} would match its requests`,
};

const NOT_FOUND = "no route found for certain";

const UNCLEAR = {
  framework: () => "no route found: the project uses no framework that plait reads",
  /** A route that may be it, with a prefix that cannot be read. */
  prefix: (route: { readonly path: string; readonly reason: string }) =>
    `${NOT_FOUND}; ${quoted(route.path)} may match: ${route.reason}`,
  hidden: ({ reason }: { readonly reason: string }) => `${NOT_FOUND}; one may be declared here: ${reason}`,
  unread: ({ reason }: { readonly reason: string }) => `${NOT_FOUND}; this file cannot be read: ${reason}`,
  server: ({ prefix, isInContract }: { readonly prefix: string; readonly isInContract: boolean }) =>
    isInContract
      ? `no route starts with ${quoted(prefix)}, the contract's server path; unclear whether a proxy adds it`
      : `routes start with ${quoted(prefix)}, but the contract names no server; unclear whether they match`,
  body: formatBody,
  data: formatData,
  parameter: formatParameter,
};

export type MissingRoute = ByKind<typeof MISSING>;

export type UnclearEndpoint = ByKind<typeof UNCLEAR>;

const FIELDS =
  "Types are compared by name and, if both sides declare them, field by field: names, types, required, nullable.";

export const endpointCatalog = {
  "endpoint-missing": {
    ...{ area: "endpoints", severity: "error" },
    title: "Contract endpoint is not implemented",
    explanation: "No route of the project has its path.",
    message: (values: ByKind<typeof MISSING>) => wordByKind(MISSING, values),
    hint: ({ about }: FixPlace) => `Add a route for \`${about}\` as in the contract`,
  },
  "endpoint-method": {
    ...{ area: "endpoints", severity: "error" },
    title: "Endpoint accepts another method than the contract",
    explanation: "A route has the path, but not the method.",
    message: (params: { readonly path: string; readonly has: readonly string[]; readonly method: string }) =>
      `${quoted(params.path)} accepts ${listQuoted(params.has, "methods")}, not ${quoted(params.method)}`,
    hint: (place: FixPlace) => `Register the route in ${formatFile(place)} as \`${place.about}\``,
  },
  "endpoint-extra": {
    ...{ area: "endpoints", severity: "warning" },
    title: "Endpoint is not in the contract",
    explanation: "A task added a route that the contract does not have. Older routes are not reported.",
    message: "not in the contract",
    hint: ({ about }: FixPlace) => `Remove \`${about}\`, or add it to the contract`,
  },
  "endpoint-request": {
    ...{ area: "endpoints", severity: "error" },
    title: "Request body differs from the contract",
    explanation: `${FIELDS} Fields that are \`readOnly\` in the contract are not expected in requests.`,
    message: (params: BodyDifference | DataDifference) => formatData(params),
    hint: ({ about }: FixPlace) => `Change the request body of \`${about}\` to match the contract`,
  },
  "endpoint-response": {
    ...{ area: "endpoints", severity: "error" },
    title: "Response differs from the contract",
    explanation: `${FIELDS} Fields that are \`writeOnly\` in the contract are not expected in responses.`,
    message: (params: BodyDifference | DataDifference) => formatData(params),
    hint: ({ about }: FixPlace) => `Change the response of \`${about}\` to match the contract`,
  },
  "endpoint-parameter": {
    ...{ area: "endpoints", severity: "error" },
    title: "Parameter differs from the contract",
    explanation:
      "Path, query, header and cookie parameters are compared by name, required, type and values. It is a warning if clients that follow the contract still work. Parameters that the framework does not declare are not compared.",
    message: formatParameter,
    hint: ({ about }: FixPlace) => `Change the parameters of \`${about}\` to match the contract`,
  },
  "endpoint-status": {
    ...{ area: "endpoints", severity: "error" },
    title: "Status code differs from the contract",
    explanation:
      "Compared if the framework declares it: `status_code` in FastAPI, `@HttpCode` in NestJS, response schemas in Fastify and Hono, or the document that the project prints. Undeclared error responses are not reported as missing.",
    message: (values: StatusDifference) => wordByKind(STATUS, values),
    hint: ({ about }: FixPlace) => `Change the status code of \`${about}\` to match the contract`,
  },
  "endpoint-unclear": {
    ...{ area: "endpoints", severity: "note" },
    title: "Unclear whether an endpoint matches the contract",
    explanation:
      "The path is computed, it is unclear where a router is mounted, or plait does not read the framework. plait reads FastAPI, Django with REST framework, Flask, Express, Fastify, Hono and NestJS.",
    message: (values: ByKind<typeof UNCLEAR>) => wordByKind(UNCLEAR, values),
    hint: compareByHand,
  },
  "document-unreadable": {
    ...{ area: "endpoints", severity: "error" },
    title: "Project did not print its API document",
    explanation:
      "`integrate: { openapi: … }` in the configuration names a command that prints the API document. It failed, or printed no OpenAPI 3 document to standard output, so every endpoint is unclear. Run the command in a fresh clone, or remove the setting to compare endpoints with the code.",
    message: ({ command, problem }: { readonly command: string; readonly problem: string }) =>
      `\`${command}\` printed no API document: ${problem}`,
    hint: "Make the command of `integrate.openapi` print the API document, or remove it",
  },
  "document-not-read": {
    ...{ area: "endpoints", severity: "note" },
    title: "Project's API document was not read",
    explanation:
      "`integrate: { openapi: … }` names a command, but --no-checks or --enforce skips commands. Endpoints are compared with the code.",
    message: ({ command }: { readonly command: string }) =>
      `\`${command}\` was not run, so endpoints were compared with the code only`,
    hint: `Run \`${formatCommand(plait("integrate"))}\` with its checks`,
  },
} as const satisfies IntegrationCatalog;
