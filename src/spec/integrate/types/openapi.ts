// Schemas of OpenAPI and JSON Schema in the form of types/shape.ts, so that an API document is one more language to compare.

import type { Tree } from "../../../formats/yaml/tree.ts";
import { reasons } from "../reasons.ts";
import type { DeclaredShape, Field, ModuleTypes, ValueType } from "./shape.ts";
import { anyType, named, nullType, shapeOf, unionOf } from "./value-types.ts";

/** A map of a document. Whatever else stands there is read as if it were absent. */
export type JsonObject = { readonly [key: string]: unknown };

type SchemaKey = "$ref" | "type" | "nullable" | "allOf" | "oneOf" | "anyOf" | "const" | "enum" | "format";

type FieldsKey = "items" | "properties" | "required" | "additionalProperties" | "readOnly" | "writeOnly";

type ParameterKey = "name" | "in" | "schema" | "content" | "description" | "securitySchemes";

type OperationKey = "parameters" | "requestBody" | "responses" | "operationId";

type DocumentKey = "components" | "schemas" | "paths";

/** The keys of documents that are read. Each may hold anything. */
export type DocumentNode = {
  readonly [K in SchemaKey | FieldsKey | ParameterKey | OperationKey | DocumentKey]?: unknown;
};

export const toNode = (value: unknown): DocumentNode | null => toObject(value);

export type SchemaReader = {
  /** What a schema that stands inside the document says. */
  readonly readSchema: (schema: unknown) => ValueType;
  /** The named schemas of the document, as a module declares types. */
  readonly readComponents: () => ModuleTypes;
};

export type SchemaSource = {
  /** The whole document: references lead into it. */
  readonly document: JsonObject;
  /** How `readSchema` names a component: its key, where types are linked. */
  readonly nameComponent?: (name: string) => string;
  /** The line of a component, and of a field in it. From 1. */
  readonly findLine?: (path: readonly string[]) => number;
};

export function createSchemaReader({ document, nameComponent, findLine }: SchemaSource): SchemaReader {
  const reading = { document, findLine: findLine ?? (() => 0), depth: 0 };
  const named: Reading = { ...reading, nameComponent: nameComponent ?? ((name) => name) };
  return {
    readSchema: (schema) => readType(schema, named),
    readComponents: () => ({ types: readDeclarations({ ...reading, nameComponent: (name) => name }) }),
  };
}

type Reading = {
  readonly document: JsonObject;
  readonly nameComponent: (name: string) => string;
  readonly findLine: (path: readonly string[]) => number;
  readonly depth: number;
};

/** Nobody nests schemas deeper; a hostile document does. */
const DEEPEST = 40;

function readDeclarations(reading: Reading): DeclaredShape[] {
  const components: DocumentNode | null = toObject((reading.document as DocumentNode).components);
  const schemas = toObject(components?.schemas);
  return Object.entries(schemas ?? {}).map(([name, schema]): DeclaredShape => {
    const path = ["components", "schemas", name];
    const line = (...more: readonly string[]) => reading.findLine([...path, ...more]);
    const shape = shapeOf(readType(schema, reading));
    if (shape.kind !== "fields") return { name, line: line(), shape, bases: [], sort: SORT };
    const fields = shape.fields.map((field) => ({ ...field, line: line("properties", field.name) }));
    const isOpen = toNode(schema)?.additionalProperties;
    const more = isOpen === undefined || isOpen === false ? null : reasons.otherFields;
    return { name, line: line(), shape: { kind: "fields", fields, more }, bases: [], sort: SORT };
  });
}

/** The sort of every type that an API document declares. */
const SORT = "openapi";

function readType(schema: unknown, from: Reading): ValueType {
  const reading = { ...from, depth: from.depth + 1 };
  const map = toNode(schema);
  if (map === null || reading.depth > DEEPEST) return anyType;
  const reference = map.$ref;
  const type = typeof reference === "string" ? readReference(reference, reading) : readOwn(map, reading);
  return map.nullable === true ? unionOf([type, nullType]) : type;
}

/** A component keeps its name; what stands elsewhere in the document is read in its place. */
function readReference(reference: string, reading: Reading): ValueType {
  const component = /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1];
  if (component !== undefined) return named(reading.nameComponent(unescaped(component)));
  if (!reference.startsWith("#/")) return { kind: "unknown", text: reference };
  const steps = reference.slice(2).split("/").map(unescaped);
  const found = steps.reduce<unknown>((at, step) => toObject(at)?.[step], reading.document);
  return found === undefined ? { kind: "unknown", text: reference } : readType(found, reading);
}

/** Only what is an escape: a name may have any sign in it. */
const unescaped = (step: string) =>
  step
    .replaceAll(/(?:%[\da-f]{2})+/gi, (text) => Buffer.from(text.replaceAll("%", ""), "hex").toString())
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");

function readOwn(map: DocumentNode, reading: Reading): ValueType {
  const parts = toList(map.allOf);
  if (parts !== null) return readAll([...parts, { ...map, allOf: undefined }], reading);
  const choices = toList(map.oneOf) ?? toList(map.anyOf);
  if (choices !== null && choices.length > 0) return unionOf(choices.map((one) => readType(one, reading)));
  if (map.const !== undefined) return toLiteral(map.const);
  const values = toList(map.enum);
  if (values !== null && values.length > 0) return unionOf(values.map(toLiteral));
  const types = toList(map.type) ?? [map.type];
  return unionOf(types.map((type) => readPlain(type, map, reading)));
}

/** All of these at once. Parts that only describe say nothing about data. */
function readAll(parts: readonly unknown[], reading: Reading): ValueType {
  const types = parts.filter(saysSomething).map((part) => readType(part, reading));
  const [only, ...more] = types;
  if (only === undefined) return anyType;
  return more.length === 0 ? only : named("intersection", ...types);
}

const SAYS = /^(?:\$ref|allOf|oneOf|anyOf|const|enum|type|properties|required|items|additionalProperties)$/;

function saysSomething(part: unknown): boolean {
  const keys = Object.entries(toObject(part) ?? {}).flatMap(([key, value]) =>
    value !== undefined && SAYS.test(key) ? [key] : [],
  );
  return keys.length > 0 && keys.join() !== "type";
}

function toLiteral(value: unknown): ValueType {
  return value === null ? nullType : { kind: "literal", value: JSON.stringify(value) };
}

const FORMATS: { readonly [format: string]: string } = {
  ...{ "date-time": "datetime", date: "date", time: "time", duration: "duration", uuid: "uuid" },
  ...{ binary: "bytes", byte: "bytes", decimal: "decimal" },
};

function readPlain(type: unknown, map: DocumentNode, reading: Reading): ValueType {
  switch (type) {
    case "string": {
      const format = map.format;
      return named((typeof format === "string" ? FORMATS[format] : undefined) ?? "string");
    }
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return named(type);
    case "array":
      return named("list", map.items === undefined ? anyType : readType(map.items, reading));
    default: {
      const isObject = type === "object" || (type === undefined && OBJECT_KEYS.some((key) => key in map));
      return isObject ? readObject(map, reading) : anyType;
    }
  }
}

const OBJECT_KEYS = ["properties", "required", "additionalProperties"];

function readObject(map: DocumentNode, reading: Reading): ValueType {
  const properties = Object.entries(toObject(map.properties) ?? {});
  const required = new Set(toList(map.required) ?? []);
  // A part of `allOf` may only say which fields of the others must be there.
  const others = [...required].filter((name) => !properties.some(([known]) => known === name));
  if (properties.length + others.length === 0) {
    const value = map.additionalProperties;
    return named("map", named("string"), toObject(value) === null ? anyType : readType(value, reading));
  }
  const bare = others.map((name): [string, unknown] => [String(name), {}]);
  const fields = [...properties, ...bare].map(([name, schema]): Field => {
    const only = toNode(schema)?.readOnly === true ? "response" : "request";
    const isOneWay = only === "response" || toNode(schema)?.writeOnly === true;
    return {
      ...{ name, type: readType(schema, reading), isOptional: !required.has(name), line: 0 },
      ...(isOneWay ? { only } : {}),
    };
  });
  return { kind: "fields", fields };
}

/** Null: it is absent, or something else. */
export function toObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function toList(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** A document as plain data. What an alias stands for is made once, however often it is used. */
export function toJson(tree: Tree, done = new Map<Tree, unknown>()): unknown {
  if (tree.kind === "scalar") return tree.value;
  const known = done.get(tree);
  if (known !== undefined) return known;
  if (tree.kind === "list") {
    const list = tree.items.map((item) => toJson(item, done));
    done.set(tree, list);
    return list;
  }
  const map: Record<string, unknown> = Object.create(null);
  for (const [key, { value }] of tree.entries) map[key] = toJson(value, done);
  done.set(tree, map);
  return map;
}
