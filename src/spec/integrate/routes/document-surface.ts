// Parameters, bodies and answers of an operation, as an API document says them.

import {
  type DocumentNode,
  type JsonObject,
  type SchemaReader,
  toList,
  toNode,
  toObject,
} from "../types/openapi.ts";
import type { ValueType } from "../types/shape.ts";
import { anyType } from "../types/value-types.ts";
import {
  type ApiParameter,
  type DeclaredBody,
  type DeclaredResponses,
  type DocumentHabits,
  type ParameterPlace,
  type Surface,
  statusName,
} from "./route.ts";

export type DocumentReading = {
  readonly document: JsonObject;
  readonly schemas: SchemaReader;
  readonly habits: DocumentHabits;
};

/** `item` is what stands under the path. */
export function readSurface(operation: JsonObject, item: JsonObject, reading: DocumentReading): Surface {
  const own = readParameters((operation as DocumentNode).parameters, reading);
  const shared = readParameters((item as DocumentNode).parameters, reading).filter(
    (one) => !own.some((other) => other.name === one.name && other.in === one.in),
  );
  const { requestBody, responses } = operation as DocumentNode;
  return {
    parameters: { list: [...shared, ...own, ...readSecurity(reading)], more: null },
    request: readBody(requestBody, reading),
    responses: readResponses(responses, reading),
  };
}

/** These are said by other parts of a document, whatever its parameters say. */
const IGNORED = /^(?:accept|content-type|authorization)$/i;
const PLACES: ReadonlySet<unknown> = new Set<ParameterPlace>(["path", "query", "header", "cookie"]);

function readParameters(list: unknown, reading: DocumentReading): ApiParameter[] {
  return (toList(list) ?? []).flatMap((one): ApiParameter[] => {
    const { name, in: place, required, schema, content }: DocumentNode = resolve(one, reading) ?? {};
    if (typeof name !== "string" || !PLACES.has(place)) return [];
    if (place === "header" && IGNORED.test(name)) return [];
    const type = schema === undefined ? readContent(content, reading) : reading.schemas.readSchema(schema);
    const isUnsure = place === "query" && required === true && reading.habits.isQueryAlwaysRequired;
    const isRequired = isUnsure ? null : required === true || place === "path";
    return [{ name, in: place as ParameterPlace, isRequired, type: type ?? anyType }];
  });
}

/** Keys that a security scheme asks for are parameters in code. */
function readSecurity({ document }: DocumentReading): ApiParameter[] {
  const { securitySchemes }: DocumentNode = toObject((document as DocumentNode).components) ?? {};
  const schemes = Object.values(toObject(securitySchemes) ?? {}).map(
    (one): DocumentNode => toObject(one) ?? {},
  );
  return [{ name: "Authorization", in: "header" }, ...schemes].flatMap(
    ({ name, in: place }): ApiParameter[] =>
      typeof name === "string" && PLACES.has(place)
        ? [{ name, in: place as ParameterPlace, isRequired: null, type: anyType, isImplied: true }]
        : [],
  );
}

function readBody(body: unknown, reading: DocumentReading): DeclaredBody | null {
  const { required, content }: DocumentNode = resolve(body, reading) ?? {};
  const type = readContent(content, reading);
  return type === null ? null : { type, isRequired: typeof required === "boolean" ? required : null };
}

function readResponses(responses: unknown, reading: DocumentReading): DeclaredResponses | null {
  const entries = Object.entries(toObject(responses) ?? {}).filter(([status]) => !status.startsWith("x-"));
  if (entries.length === 0) return null;
  const byStatus = entries.flatMap(([status, response]): [string, ValueType | null][] => {
    const { content, description }: DocumentNode = resolve(response, reading) ?? {};
    const type = readContent(content, reading);
    if (type === null && reading.habits.undeclaredResponse.test(`${description}`)) return [];
    return [[statusName(status), type]];
  });
  return { byStatus: new Map(byStatus), isWhole: true };
}

const JSON_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)/i;

/** Of JSON; null where it is something else, or says nothing. */
function readContent(content: unknown, { schemas }: DocumentReading): ValueType | null {
  const media = Object.entries(toObject(content) ?? {}).find(([type]) => JSON_TYPE.test(type))?.[1];
  const { schema }: DocumentNode = toObject(media) ?? {};
  return schema === undefined ? null : schemas.readSchema(schema);
}

const MOST_STEPS = 20;

/** What a node stands for: itself, or where its reference leads. */
function resolve(node: unknown, { document }: DocumentReading): JsonObject | null {
  let at = toObject(node);
  for (let steps = 0; at !== null && steps < MOST_STEPS; steps += 1) {
    const reference = (at as DocumentNode).$ref;
    if (typeof reference !== "string") return at;
    const path = reference.startsWith("#/") ? reference.slice(2).split("/") : null;
    const found = path?.reduce<unknown>(
      (one, step) => toObject(one)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
    at = toObject(found);
  }
  return null;
}

type Framework = DocumentHabits & {
  readonly name: string;
  readonly isMaker: (document: DocumentNode) => boolean;
};

const NEVER = /^(?!)/;

const USUAL: DocumentHabits = {
  addedStatuses: NEVER,
  isLooseAboutDefaults: false,
  undeclaredResponse: NEVER,
  isQueryAlwaysRequired: false,
};

/** What frameworks write into their documents without anybody having declared it, and how such a document is known. */
const FRAMEWORKS: readonly Framework[] = [
  {
    ...USUAL,
    name: "FastAPI",
    isMaker: ({ components }) =>
      Object.hasOwn(toObject(toNode(components)?.schemas) ?? {}, "HTTPValidationError"),
    addedStatuses: /^422$/,
    isLooseAboutDefaults: true,
  },
  {
    ...USUAL,
    name: "NestJS",
    isMaker: (document) => {
      const all = listOperations(document);
      return all.length > 0 && all.every(({ operationId }) => /^\w*Controller_\w+$/.test(`${operationId}`));
    },
    // Whether a parameter has a question mark is not known while the program runs.
    isQueryAlwaysRequired: true,
  },
  {
    ...USUAL,
    name: "Fastify",
    isMaker: (document) =>
      listOperations(document).some(({ responses }) =>
        Object.values(toObject(responses) ?? {}).some(
          (one) => toNode(one)?.description === "Default Response",
        ),
      ),
    undeclaredResponse: /^Default Response$/,
  },
];

export function findHabits(document: JsonObject): DocumentHabits & { readonly name: string } {
  const maker = FRAMEWORKS.find((one) => one.isMaker(document));
  if (maker === undefined) return { ...USUAL, name: "OpenAPI" };
  const { isMaker: _, ...habits } = maker;
  return habits;
}

function listOperations({ paths }: DocumentNode): DocumentNode[] {
  const items = Object.values(toObject(paths) ?? {});
  return items.flatMap((item) => Object.values(toObject(item) ?? {}).flatMap((one) => toNode(one) ?? []));
}
