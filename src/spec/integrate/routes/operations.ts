import type { Diagnostic } from "../../../core/source.ts";
import { type Doc, textAt } from "../../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Tree } from "../../../formats/yaml/tree.ts";
import { apiDocument } from "../../contracts/api.ts";
import { HTTP_METHODS } from "../../contracts/api-operations.ts";
import { resolved } from "../../contracts/api-references.ts";
import type { ContractFile } from "../../contracts/check.ts";
import { type LinkedTypes, linkTypes } from "../types/link.ts";
import { createSchemaReader, toJson, toObject } from "../types/openapi.ts";
import { operated } from "../types/script/operators.ts";
import { type DocumentReading, findHabits, readSurface } from "./document-surface.ts";
import { type DocumentHabits, type ModelUse, NONE, type Surface, UNDECLARED } from "./route.ts";

export type ApiOperation = {
  /** `GET`. */
  readonly method: string;
  /** As the contract writes it, without what its servers put before it. */
  readonly route: string;
  /** What servers put before it, the first one's first; `[""]` where they say nothing. */
  readonly prefixes: readonly string[];
  /** The contract says itself where its servers are. */
  readonly hasServers: boolean;
  readonly operationId: string | null;
  /** Any of these is right; the first is how the contract says it. */
  readonly request: readonly ModelUse[];
  readonly response: readonly ModelUse[];
  readonly surface: Surface;
  readonly types: LinkedTypes;
  /** By whom the document was made, and what that one does by itself. */
  readonly habits: DocumentHabits & { readonly name: string };
  /** The contract, as findings name it. */
  readonly file: string;
  readonly line: number;
};

/** `problem`: nothing can be compared with it. */
export type ApiOperations = {
  readonly operations: readonly ApiOperation[];
  readonly problem: Diagnostic | null;
};

/** All operations of an API document, in its order. A program that prints one leaves nothing out; people may. */
export function operationsOf(contract: ContractFile, isPrinted = false): ApiOperations {
  const doc = apiDocument(contract);
  if ("problem" in doc) return { operations: [], problem: doc.problem };
  const paths = find(doc.tree, ["paths"]);
  const routes =
    paths?.kind === "map" ? [...paths.entries.keys()].filter((key) => !key.startsWith("x-")) : [];
  const read = readDocument(doc);
  const operations = routes.flatMap((route) => operationsAt(doc, route, read));
  if (isPrinted) return { operations, problem: null };
  const whole = operations.some(hasBody) ? operations : operations.map(withoutBodies);
  // Where no operation has a parameter but in its path, the document says nothing about others.
  const pathsOnly = whole.map((one) => ({ ...one, surface: { ...one.surface, parameters: null } }));
  return { operations: whole.some(hasParameters) ? whole : pathsOnly, problem: null };
}

type ReadDocument = DocumentReading & Pick<ApiOperation, "types" | "habits">;

function readDocument({ index, tree }: Doc): ReadDocument {
  const document = toObject(toJson(tree)) ?? {};
  const { file } = index.range(0, 0);
  const schemas = createSchemaReader({
    document,
    nameComponent: (name) => `${file}#${name}`,
    findLine: (path) => keyRangeAt(index, tree, path).start.line,
  });
  const module = { types: schemas.readComponents(), imports: [] };
  const types = linkTypes(new Map([[file, module]]), () => null, operated);
  return { document, schemas, types, habits: findHabits(document) };
}

const hasParameters = ({ surface }: ApiOperation): boolean =>
  surface.parameters?.list.some((one) => one.in !== "path" && one.isImplied !== true) === true;

function operationsAt(doc: Doc, route: string, read: ReadDocument): ApiOperation[] {
  const item = resolved(doc, find(doc.tree, ["paths", route]));
  if (item?.kind !== "map") return [];
  return HTTP_METHODS.flatMap((method) => {
    const operation = find(item, [method]);
    if (operation?.kind !== "map") return [];
    const lists = [operation, item, doc.tree].map((tree) => find(tree, ["servers"]));
    const servers = lists.find((one) => one?.kind === "list" && one.items.length > 0) ?? null;
    const { file, start } = keyRangeAt(doc.index, doc.tree, ["paths", route, method]);
    return [
      {
        ...{ method: method.toUpperCase(), route, file, line: start.line },
        ...{ prefixes: prefixesOf(servers), hasServers: servers !== null },
        operationId: textAt({ ...doc, tree: operation }, "operationId")?.value ?? null,
        request: requestOf(doc, operation),
        response: responseOf(doc, operation),
        surface: readSurface(toObject(toJson(operation)) ?? {}, toObject(toJson(item)) ?? {}, read),
        ...{ types: read.types, habits: read.habits },
      },
    ];
  });
}

const hasBody = ({ request }: ApiOperation): boolean => request.some(({ kind }) => kind !== "none");

/** Where a document has no body for any operation, it is a list of paths, and says nothing about bodies. */
function withoutBodies(operation: ApiOperation): ApiOperation {
  const isUsual = /^(?:POST|PUT|PATCH)$/.test(operation.method);
  return isUsual ? { ...operation, request: [UNDECLARED] } : operation;
}

/** The parts of the servers' addresses that are paths. */
function prefixesOf(servers: Tree | null): string[] {
  const items = servers?.kind === "list" ? servers.items : [];
  const prefixes = items.flatMap((server) => {
    const url = text(find(server, ["url"]));
    if (url === null) return [];
    const path = url.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, "").replace(/[?#].*$/, "");
    return filledIn(path, server).map((one) => one.replaceAll(/^\/+|\/+$/g, ""));
  });
  const paths = prefixes.map((one) => (one === "" ? "" : `/${one}`));
  return paths.length === 0 ? [""] : [...new Set(paths)];
}

/** More than any document has. */
const MOST_PREFIXES = 50;

/** With every value that a variable may have, the usual one first. */
function filledIn(path: string, server: Tree): string[] {
  let paths = [path];
  for (const [whole, name = ""] of path.matchAll(/\{([^{}]*)\}/g)) {
    const choices = find(server, ["variables", name, "enum"]);
    const others = choices?.kind === "list" ? choices.items : [];
    const values = [find(server, ["variables", name, "default"]), ...others].map((one) => text(one) ?? "");
    paths = paths
      .flatMap((one) => [...new Set(values)].map((value) => one.replace(whole, () => value)))
      .slice(0, MOST_PREFIXES);
  }
  return paths;
}

function text(tree: Tree | null): string | null {
  return tree?.kind === "scalar" && tree.value !== null ? String(tree.value) : null;
}

function requestOf(doc: Doc, operation: Tree): ModelUse[] {
  const body = find(operation, ["requestBody"]);
  if (body === null) return [NONE];
  const node = resolved(doc, body);
  return node === null ? [UNDECLARED] : contentModels(doc, find(node, ["content"]));
}

/** Of all answers that say that it went well. Those without content say nothing, but for the statuses that must not have any. */
function responseOf(doc: Doc, operation: Tree): ModelUse[] {
  const responses = find(operation, ["responses"]);
  const entries = responses?.kind === "map" ? [...responses.entries] : [];
  const uses = entries.flatMap(([status, { value }]): ModelUse[] => {
    if (!/^2(?:\d\d|XX)$/i.test(status)) return [];
    if (/^20[45]$/.test(status)) return [NONE];
    const node = resolved(doc, value);
    const content = node === null ? null : find(node, ["content"]);
    return content === null ? [UNDECLARED] : contentModels(doc, content);
  });
  return uses.length === 0 ? [UNDECLARED] : uses;
}

const MOST_STEPS = 20;

/** The models of a body, by the names of its schemas. A form or a file has none that code would name. */
function contentModels(doc: Doc, content: Tree | null): ModelUse[] {
  const entries = content?.kind === "map" ? [...content.entries] : [];
  const json = entries.filter(([type]) => /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)/i.test(type));
  const uses = json.flatMap(([, { value }]) => schemaModels(doc, find(value, ["schema"]), []));
  return uses.length === 0 ? [UNDECLARED] : uses;
}

/** All ways to say the same: a name, the name that it stands for, a list by its own name or as a list. `names` led here. */
function schemaModels(doc: Doc, schema: Tree | null, names: readonly string[]): ModelUse[] {
  if (schema?.kind !== "map" || names.length > MOST_STEPS) return [UNDECLARED];
  const inside = (one: Tree | null) => schemaModels(doc, one, [...names, ""]);
  const name = referenced(schema);
  if (name !== null) {
    if (names.includes(name)) return [UNDECLARED];
    const target = find(doc.tree, ["components", "schemas", name]);
    // Nothing but another name, or a list.
    const isOtherName =
      target?.kind === "map" &&
      (find(target, ["$ref"]) !== null ||
        isOfType(target, "array") ||
        (find(target, ["allOf"]) !== null && !saysMore(target)));
    const more = isOtherName ? schemaModels(doc, target, [...names, name]) : [];
    return [
      { kind: "declared", model: name, isList: false },
      ...more.filter(({ kind }) => kind === "declared"),
    ];
  }
  if (isOfType(schema, "array")) {
    const lists = inside(find(schema, ["items"])).flatMap((use) =>
      use.kind === "declared" && !use.isList ? [{ ...use, isList: true }] : [],
    );
    return lists.length === 0 ? [UNDECLARED] : lists;
  }
  const choices = (partsOf(schema, "oneOf") ?? partsOf(schema, "anyOf"))?.filter(
    (one) => !isOfType(one, "null"),
  );
  const parts =
    partsOf(schema, "allOf")?.filter((one) => find(one, ["$ref"]) !== null || saysMore(one)) ?? [];
  const [only, ...others] = choices ?? parts;
  if (only === undefined) return [UNDECLARED];
  if (others.length === 0 && (choices !== undefined || !saysMore(schema))) return inside(only);
  // Several are no name that code would have.
  const all = (choices ?? []).map((one) => (one.kind === "map" ? referenced(one) : null));
  return all.length === 0 || all.includes(null) ? [UNDECLARED] : [{ kind: "unclear", text: all.join(" | ") }];
}

/** Of `#/components/schemas/Order`. */
function referenced(schema: Tree): string | null {
  const reference = find(schema, ["$ref"]);
  const text = reference?.kind === "scalar" && typeof reference.value === "string" ? reference.value : "";
  return /([^/#]+?)(?:\.(?:json|ya?ml))?$/.exec(text)?.[1] ?? null;
}

/** Fields of its own. */
function saysMore(schema: Tree): boolean {
  return ["properties", "additionalProperties", "required"].some((key) => find(schema, [key]) !== null);
}

/** Since 3.1 there may be several. */
function isOfType(schema: Tree, type: string): boolean {
  const said = find(schema, ["type"]);
  const all = (said?.kind === "list" ? said.items : [said]).map((one) =>
    one?.kind === "scalar" ? one.value : null,
  );
  return (
    all.filter((one) => one !== "null" || type === "null").every((one) => one === type) && all.includes(type)
  );
}

function partsOf(schema: Tree, key: string): readonly Tree[] | null {
  const list = find(schema, [key]);
  return list?.kind === "list" ? list.items : null;
}
