import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { type Doc, has, textAt } from "../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Path } from "../../formats/yaml/tree.ts";
import { checkParameters } from "./api-parameters.ts";
import { resolved } from "./api-references.ts";
import { buildContractFinding } from "./catalog.ts";

/** `get` of `/orders/{id}`, and where in the document it stands. */
export type Operation = { readonly method: string; readonly route: string; readonly path: Path };

/** Methods of HTTP that OpenAPI knows. */
export const HTTP_METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function operationsOf(doc: Doc): Operation[] {
  return keysAt(doc, ["paths"]).flatMap((route) =>
    methodsAt(doc, route).map((method) => ({ method, route, path: ["paths", route, method] })),
  );
}

function methodsAt(doc: Doc, route: string): string[] {
  return keysAt(doc, ["paths", route]).filter((key) => HTTP_METHODS.includes(key));
}

/** Version 3.1 asks for less than 3.0. */
export function isNewer({ tree }: Doc): boolean {
  const version = find(tree, ["openapi"]);
  return version?.kind === "scalar" && version.source.startsWith("3.1");
}

/** The keys of a map, without those that anybody may add. */
export function keysAt({ tree }: Doc, path: Path): string[] {
  const node = find(tree, path);
  return node?.kind === "map" ? [...node.entries.keys()].filter((key) => !key.startsWith("x-")) : [];
}

export function checkOperations(doc: Doc): Diagnostic[] {
  const operations = operationsOf(doc);
  return [
    ...checkRoutes(doc),
    ...keysAt(doc, ["paths"]).flatMap((route) => checkParameters(doc, route, methodsAt(doc, route))),
    ...operations.flatMap((operation) => [...checkResponses(doc, operation), ...checkBody(doc, operation)]),
    ...sharedResponses(doc),
    ...repeatedIds(doc, operations),
  ];
}

function checkRoutes(doc: Doc): Diagnostic[] {
  const known = new Map<string, string>();
  return keysAt(doc, ["paths"]).flatMap((route) => {
    const at = keyRangeAt(doc.index, doc.tree, ["paths", route]);
    if (!route.startsWith("/")) return [buildContractFinding("api-path", { kind: "no-slash", route }, at)];
    const shape = route.replaceAll(/\{[^}]*\}/g, "{}");
    const first = known.get(shape);
    known.set(shape, first ?? route);
    if (first === undefined) return [];
    const related = [{ at: keyRangeAt(doc.index, doc.tree, ["paths", first]), route: first }];
    return [buildContractFinding("api-path", { kind: "repeated", route, first }, at, { related })];
  });
}

function checkResponses(doc: Doc, { method, route, path }: Operation): Diagnostic[] {
  const operation = `${method} ${route}`;
  const responses = [...path, "responses"];
  const statuses = keysAt(doc, responses);
  if (statuses.length === 0) {
    // In 3.1 they may be left out; but whoever builds the other side has to know.
    const severity = isNewer(doc) && !has(doc, ...responses) ? "warning" : "error";
    const at = keyRangeAt(doc.index, doc.tree, has(doc, ...responses) ? responses : path);
    return [buildContractFinding("api-operation", { kind: "no-responses", operation }, at, { severity })];
  }
  return statuses.flatMap((status) => {
    const at = keyRangeAt(doc.index, doc.tree, [...responses, status]);
    if (/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) return described(doc, [...responses, status], at);
    return [buildContractFinding("api-operation", { kind: "status", operation, status }, at)];
  });
}

function sharedResponses(doc: Doc): Diagnostic[] {
  const path = ["components", "responses"];
  return keysAt(doc, path).flatMap((name) =>
    described(doc, [...path, name], keyRangeAt(doc.index, doc.tree, [...path, name])),
  );
}

function described(doc: Doc, path: Path, at: SourceRange): Diagnostic[] {
  const node = find(doc.tree, path);
  if (node?.kind !== "map" || has(doc, ...path, "$ref") || has(doc, ...path, "description")) return [];
  return [
    buildContractFinding("api-operation", { kind: "no-description", response: String(path.at(-1)) }, at),
  ];
}

function checkBody(doc: Doc, { method, route, path }: Operation): Diagnostic[] {
  const body = find(doc.tree, [...path, "requestBody"]);
  const node = resolved(doc, body);
  if (node?.kind !== "map" || node.entries.has("content")) return [];
  const at = keyRangeAt(doc.index, doc.tree, [...path, "requestBody"]);
  return [buildContractFinding("api-operation", { kind: "no-content", operation: `${method} ${route}` }, at)];
}

function repeatedIds(doc: Doc, operations: readonly Operation[]): Diagnostic[] {
  const known = new Map<string, SourceRange>();
  return operations.flatMap(({ path }) => {
    const id = textAt(doc, ...path, "operationId");
    const first = id && known.get(id.value);
    if (id !== null && !first) known.set(id.value, id.at);
    if (id === null || !first) return [];
    const related = [{ at: first }];
    return [buildContractFinding("api-operation", { kind: "repeated-id", id: id.value }, id.at, { related })];
  });
}
