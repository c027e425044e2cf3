// The types of the types contract held against the schemas of the API contract that have the same names: code that follows one of the two
// must not contradict the other. Only what is sure is said; how a date or an amount is written in JSON is left open.

import type { Diagnostic, Severity } from "../../core/source.ts";
import { lineIn } from "../../formats/text-index.ts";
import { keyRangeAt } from "../../formats/yaml/tree.ts";
import { languageOf } from "../../syntax/language.ts";
import { apiDocument } from "../contracts/api.ts";
import type { ContractFile } from "../contracts/check.ts";
import { readContractTypes } from "../integrate/read-code.ts";
import { compareTypes } from "../integrate/types/compare.ts";
import type { TypeModule } from "../integrate/types/find-type.ts";
import { type LinkedType, type LinkedTypes, linkTypes } from "../integrate/types/link.ts";
import { createSchemaReader, type JsonObject, toJson } from "../integrate/types/openapi.ts";
import { operated } from "../integrate/types/script/operators.ts";
import type { DeclaredShape, Field, ModuleTypes, ValueType } from "../integrate/types/shape.ts";
import { buildCoverageFinding } from "./catalog.ts";

/** Contracts that cannot be read say nothing here: what is wrong with them is found elsewhere. */
export async function checkContractsAgree(
  { types, api }: { readonly types: ContractFile; readonly api: ContractFile },
  severity: Severity,
): Promise<Diagnostic[]> {
  const declared = await readContractTypes(types.path, types.text);
  const schemas = readSchemas(api);
  if (declared === null || schemas === null) return [];
  const isPython = languageOf(types.path) === "python";
  const names = fieldNames(declared.types);
  const code = link(types.file, {
    ...declared,
    types: mapModule(declared.types, (type) => openType(type, isPython)),
  });
  const contract = link(api.file, {
    types: renameFields(
      mapModule(schemas, (type) => openType(type, isPython)),
      names,
    ),
    imports: [],
  });
  const contractNames = new Set(contract.declarations.map(({ type }) => type.name));
  const compare = {
    sides: { contract, code, contractNames },
    words: isPython ? "python" : "script",
  } as const;
  return contract.declarations.flatMap((schema) => {
    const own = code.declarations.find(({ type }) => type.name === schema.type.name);
    if (own === undefined) return [];
    const [wanted, found] = [settle(contract, schema), settle(code, own)];
    return compareTypes(wanted, found, compare)
      .filter(({ weight }) => weight === "must")
      .map(({ message: difference, at }) => {
        const related = [{ at: lineIn(api.file, wanted.line), path: api.path }];
        const place = lineIn(types.file, at?.line ?? found.line);
        const params = { name: schema.type.name, difference };
        return buildCoverageFinding("contracts-differ", params, place, { severity, related });
      });
  });
}

function readSchemas(api: ContractFile): ModuleTypes | null {
  const doc = apiDocument(api);
  if ("problem" in doc) return null;
  const findLine = (path: readonly string[]) => keyRangeAt(doc.index, doc.tree, path).start.line;
  return createSchemaReader({ document: toJson(doc.tree) as JsonObject, findLine }).readComponents();
}

function link(file: string, module: TypeModule): LinkedTypes {
  return linkTypes(new Map([[file, module]]), () => null, operated);
}

function settle(types: LinkedTypes, declaration: LinkedTypes["declarations"][number]): LinkedType {
  const linked = types.linked(declaration);
  return { ...types.effective(linked), name: linked.name, line: linked.line };
}

type MapType = (type: ValueType) => ValueType;

function mapModule({ types }: ModuleTypes, map: MapType): ModuleTypes {
  return { types: types.map((one) => ({ ...one, shape: mapShape(one.shape, map) })) };
}

function mapShape(shape: DeclaredShape["shape"], map: MapType): DeclaredShape["shape"] {
  if (shape.kind === "fields") return { ...shape, fields: mapFields(shape.fields, map) };
  return shape.kind === "alias" ? { ...shape, type: map(shape.type) } : shape;
}

function mapFields(fields: readonly Field[], map: MapType): Field[] {
  return fields.map((field) => ({ ...field, type: map(field.type) }));
}

/** Names of values that JSON has no type for: what they are written as is the business of the code. */
const WRITTEN_AS: ReadonlySet<string> = new Set([
  ...["datetime", "date", "time", "duration", "uuid", "bytes", "decimal", "Date", "set", "tuple"],
]);

/** TypeScript knows no integers. */
function openType(type: ValueType, isPython: boolean): ValueType {
  const inner = (one: ValueType) => openType(one, isPython);
  switch (type.kind) {
    case "name":
      if (WRITTEN_AS.has(type.name)) return { kind: "unknown", text: type.name };
      return {
        ...type,
        name: type.name === "integer" && !isPython ? "number" : type.name,
        args: type.args.map(inner),
      };
    case "union":
      return { ...type, of: type.of.map(inner) };
    case "fields":
      return { ...type, fields: mapFields(type.fields, inner) };
    default:
      return type;
  }
}

/** Fields of a type by their names without case and underscores: `orderId` of an API is `order_id` in Python. */
function fieldNames({ types }: ModuleTypes): ReadonlyMap<string, readonly string[]> {
  return new Map(
    types.map(({ name, shape }) => [
      name,
      shape.kind === "fields" ? shape.fields.map((field) => field.name) : [],
    ]),
  );
}

function renameFields({ types }: ModuleTypes, names: ReadonlyMap<string, readonly string[]>): ModuleTypes {
  return {
    types: types.map((one) => {
      const known = names.get(one.name) ?? [];
      if (one.shape.kind !== "fields" || known.length === 0) return one;
      const fields = one.shape.fields.map((field) => {
        const same = known.includes(field.name)
          ? field.name
          : known.find((name) => bare(name) === bare(field.name));
        return same === undefined ? field : { ...field, name: same };
      });
      return { ...one, shape: { ...one.shape, fields } };
    }),
  };
}

const bare = (name: string): string => name.toLowerCase().replaceAll("_", "");
