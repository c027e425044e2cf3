import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import { type Doc, has, textAt } from "../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Path } from "../../formats/yaml/tree.ts";
import { checkParameters } from "./api-parameters.ts";
import { resolved } from "./api-references.ts";
import type { ContractCode } from "./codes.ts";

/** `get` of `/orders/{id}`, and where in the document it stands. */
export type Operation = { readonly method: string; readonly route: string; readonly path: Path };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function operationsOf(doc: Doc): Operation[] {
  return keysAt(doc, ["paths"]).flatMap((route) =>
    methodsAt(doc, route).map((method) => ({ method, route, path: ["paths", route, method] })),
  );
}

function methodsAt(doc: Doc, route: string): string[] {
  return keysAt(doc, ["paths", route]).filter((key) => METHODS.includes(key));
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

/** Paths and what can be done with them. */
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
  const code: ContractCode = "api-path";
  const known = new Map<string, string>();
  return keysAt(doc, ["paths"]).flatMap((route) => {
    const at = keyRangeAt(doc.index, doc.tree, ["paths", route]);
    if (!route.startsWith("/")) {
      const message = `the path ${quoted(route)} does not start with a slash`;
      return [diagnostic({ code, message, at, hint: `write /${route}` })];
    }
    const shape = route.replaceAll(/\{[^}]*\}/g, "{}");
    const first = known.get(shape);
    known.set(shape, first ?? route);
    if (first === undefined) return [];
    const related = [
      { at: keyRangeAt(doc.index, doc.tree, ["paths", first]), message: `${quoted(first)} is here` },
    ];
    const message = `the path ${quoted(route)} is the same as ${quoted(first)}`;
    return [diagnostic({ code, message, at, hint: "put their operations under one of them", related })];
  });
}

function checkResponses(doc: Doc, { method, route, path }: Operation): Diagnostic[] {
  const code: ContractCode = "api-operation";
  const name = quoted(`${method} ${route}`);
  const responses = [...path, "responses"];
  const statuses = keysAt(doc, responses);
  if (statuses.length === 0) {
    // In 3.1 they may be left out; but whoever builds the other side has to know.
    const severity = isNewer(doc) && !has(doc, ...responses) ? "warning" : "error";
    const message = `${name} does not say what it answers`;
    const hint = 'add responses: { "200": { description: … } }';
    const at = keyRangeAt(doc.index, doc.tree, has(doc, ...responses) ? responses : path);
    return [diagnostic({ code, severity, message, at, hint })];
  }
  return statuses.flatMap((status) => {
    const at = keyRangeAt(doc.index, doc.tree, [...responses, status]);
    if (/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) return described(doc, [...responses, status], at);
    const message = `${quoted(status)} is no status that ${name} could answer with`;
    return [
      diagnostic({ code, message, at, hint: "write a code such as 200, a range such as 4XX, or default" }),
    ];
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
  const message = `the response ${quoted(String(path.at(-1)))} has no description`;
  return [
    diagnostic({ code: "api-operation" satisfies ContractCode, message, at, hint: "add description: OK" }),
  ];
}

function checkBody(doc: Doc, { method, route, path }: Operation): Diagnostic[] {
  const body = find(doc.tree, [...path, "requestBody"]);
  const node = resolved(doc, body);
  if (node?.kind !== "map" || node.entries.has("content")) return [];
  const message = `the request body of ${quoted(`${method} ${route}`)} has no content`;
  const at = keyRangeAt(doc.index, doc.tree, [...path, "requestBody"]);
  const hint = "add content: { application/json: { schema: … } }";
  return [diagnostic({ code: "api-operation" satisfies ContractCode, message, at, hint })];
}

function repeatedIds(doc: Doc, operations: readonly Operation[]): Diagnostic[] {
  const known = new Map<string, SourceRange>();
  return operations.flatMap(({ path }) => {
    const id = textAt(doc, ...path, "operationId");
    const first = id && known.get(id.value);
    if (id !== null && !first) known.set(id.value, id.at);
    if (id === null || !first) return [];
    const message = `the operationId ${quoted(id.value)} is used twice`;
    const related = [{ at: first, message: "it is first used here" }];
    const code: ContractCode = "api-operation";
    return [diagnostic({ code, message, at: id.at, hint: "give each operation its own", related })];
  });
}
