import { type JsonObject, toObject } from "../types/openapi.ts";
import type { DocumentHabits } from "./surface.ts";

type Framework = DocumentHabits & {
  readonly name: string;
  readonly isMaker: (document: JsonObject) => boolean;
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
    isMaker: (document) => hasSchema(document, "HTTPValidationError"),
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
          (one) => (toObject(one) as Keyed | null)?.description === "Default Response",
        ),
      ),
    undeclaredResponse: /^Default Response$/,
  },
];

export function findHabits(document: JsonObject): DocumentHabits & { readonly name: string } {
  const { isMaker: _, ...habits } = FRAMEWORKS.find((one) => one.isMaker(document)) ?? {
    ...{ ...USUAL, name: "OpenAPI", isMaker: null },
  };
  return habits;
}

type Keyed = {
  readonly [K in "components" | "schemas" | "paths" | "operationId" | "responses" | "description"]?: unknown;
};

function hasSchema(document: JsonObject, name: string): boolean {
  const components: Keyed = toObject((document as Keyed).components) ?? {};
  return Object.hasOwn(toObject(components.schemas) ?? {}, name);
}

function listOperations(document: JsonObject): Keyed[] {
  const items = Object.values(toObject((document as Keyed).paths) ?? {});
  return items.flatMap((item) =>
    Object.values(toObject(item) ?? {}).flatMap((one) => (toObject(one) as Keyed | null) ?? []),
  );
}
