import { basename } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import { checkFields, countAt, type Doc, has, textAt } from "../../formats/cpo/fields.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import { checkOperations, isNewer, keysAt, operationsOf } from "./api-operations.ts";
import { checkReferences } from "./api-references.ts";
import { apiSchema } from "./api-schema.ts";
import { buildContractFinding, type contractCatalog } from "./catalog.ts";
import type { ContractFile } from "./check.ts";
import { fenceAround } from "./fence.ts";

/** Deep enough for every API that people write; the rest protects against files made to exhaust the reader. */
const CAPS: Caps = {
  maxDepth: 100,
  maxPlanBytes: Number.MAX_SAFE_INTEGER,
  maxTasks: Number.MAX_SAFE_INTEGER,
  maxPromptBytes: Number.MAX_SAFE_INTEGER,
};

/**
 * A contract in YAML or JSON. One that is an API document, or is named like one, is checked by the rules of OpenAPI 3; of others
 * nothing is known but the syntax.
 */
export function checkApi(contract: ContractFile): Diagnostic[] {
  const { index, tree, syntax } = readApi(contract);
  const isNamedApi = /^(?:api|openapi|swagger)\b/i.test(basename(contract.path));
  if (tree?.kind !== "map") return syntax.length > 0 || !isNamedApi ? syntax : [noMap(index, tree)];
  const doc = { index, tree };
  if (!isNamedApi && !has(doc, "openapi") && !has(doc, "swagger")) return syntax;
  const version = versionProblem(doc);
  if (version?.severity === "error") return [...syntax, version];
  if (version !== null) return [...syntax, version, ...checkReferences(doc)];
  return [
    ...syntax,
    ...checkFields({ index, tree: withoutExtensions(tree) }, apiSchema, {
      severityOf: ({ place, suggestion }) => {
        // Since 3.1, schemas may have keywords of any vocabulary; anywhere else a misspelled key loses what it holds.
        if (place === SCHEMA) return isNewer(doc) && suggestion === null ? null : "warning";
        return suggestion === null ? "warning" : "error";
      },
      unlistedMaps: [SCHEMA], // sixty keys
    }).diagnostics,
    ...topProblem(doc),
    ...checkOperations(doc),
    ...checkSecurity(doc),
    ...checkReferences(doc),
  ];
}

/** A contract as a tree, as far as its syntax lets it be one. */
type ReadApi = {
  readonly index: TextIndex;
  readonly tree: Tree | null;
  readonly syntax: Diagnostic[];
};

function readApi({ path, file, text }: ContractFile): ReadApi {
  const index = indexText(file, text, "contract");
  const parsed = parseYaml(index, { caps: CAPS, json: /\.json$/i.test(path), mergeKeys: true });
  return { index, tree: parsed.tree, syntax: [...parsed.diagnostics] };
}

/** An API document that can be read, whatever else may be wrong with it; or why it cannot. */
export function apiDocument(contract: ContractFile): Doc | { readonly problem: Diagnostic } {
  const fence = fenceAround(contract);
  if (fence !== null) return { problem: fence };
  const { index, tree, syntax } = readApi(contract);
  const error = syntax.find(({ severity }) => severity === "error");
  if (error !== undefined) return { problem: error };
  if (tree?.kind !== "map") return { problem: noMap(index, tree) };
  const version = versionProblem({ index, tree });
  return version?.severity === "error" ? { problem: version } : { index, tree };
}

function versionProblem(doc: Doc): Diagnostic | null {
  const { index, tree } = doc;
  const report = (
    key: string,
    params: CodeParams<typeof contractCatalog, "api-version">,
    severity: Diagnostic["severity"] = "error",
  ) => buildContractFinding("api-version", params, rangeAt(index, tree, [key]), { severity });
  const swagger = find(tree, ["swagger"]);
  if (swagger !== null)
    return report("swagger", { kind: "swagger", version: swagger.kind === "scalar" ? swagger.source : "" });
  const node = find(tree, ["openapi"]);
  if (node === null) return report("openapi", { kind: "missing" });
  const version = node.kind === "scalar" ? node.source : "";
  if (/^3\.[01]\.\d+$/.test(version)) return null;
  if (/^3\.\d+\.\d+$/.test(version)) return report("openapi", { kind: "newer", version }, "warning");
  if (version === "") return report("openapi", { kind: "not-a-string" });
  return report("openapi", { kind: /^3(?:\.\d+)?$/.test(version) ? "short" : "unknown", version });
}

/** In 3.0 paths are needed; in 3.1 anything that the document could be about. */
function topProblem(doc: Doc): Diagnostic[] {
  const needed = isNewer(doc) ? ["paths", "webhooks", "components"] : ["paths"];
  if (needed.some((key) => has(doc, key))) return [];
  const at = keyRangeAt(doc.index, doc.tree, ["openapi"]);
  const params = { key: needed.join(" or "), place: "the API contract", line: "paths: {}" };
  return [buildFormatFinding("missing-key", params, at)];
}

function noMap(index: TextIndex, tree: Tree | null): Diagnostic {
  const at = index.lineRange(tree?.start ?? 0, tree?.end ?? 0);
  return buildContractFinding("api-version", { kind: tree === null ? "empty" : "not-a-map" }, at);
}

/** Anybody may add keys that begin with `x-`, anywhere. */
function withoutExtensions(tree: Tree): Tree {
  if (tree.kind === "list") return { ...tree, items: tree.items.map(withoutExtensions) };
  if (tree.kind !== "map") return tree;
  const kept = [...tree.entries].filter(([key]) => !key.startsWith("x-"));
  const entries = kept.map(
    ([key, entry]) => [key, { ...entry, value: withoutExtensions(entry.value) }] as const,
  );
  return { ...tree, entries: new Map(entries) };
}

const SCHEMA = "a schema";

const SCHEMES = ["components", "securitySchemes"];

/** What each type of scheme cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ["name", "in"],
  http: ["scheme"],
  oauth2: ["flows"],
  openIdConnect: ["openIdConnectUrl"],
};

/** Schemes are complete, and those that are asked for exist. */
function checkSecurity(doc: Doc): Diagnostic[] {
  const places: Path[] = [["security"], ...operationsOf(doc).map(({ path }) => [...path, "security"])];
  return [
    ...keysAt(doc, SCHEMES).flatMap((name) => incomplete(doc, name)),
    ...places.flatMap((at) => unknown(doc, at)),
  ];
}

function incomplete(doc: Doc, name: string): Diagnostic[] {
  const path = [...SCHEMES, name];
  if (has(doc, ...path, "$ref")) return [];
  const type = textAt(doc, ...path, "type")?.value ?? null;
  const needed =
    type === null ? ["type"] : Object.hasOwn(NEEDS, type) ? (NEEDS[type] as readonly string[]) : [];
  const at = keyRangeAt(doc.index, doc.tree, path);
  return needed
    .filter((key) => !has(doc, ...path, key))
    .map((key) => buildContractFinding("api-security", { kind: "incomplete", scheme: name, key }, at));
}

function unknown(doc: Doc, path: Path): Diagnostic[] {
  const known = keysAt(doc, SCHEMES);
  return countAt(doc, ...path).flatMap((i) =>
    keysAt(doc, [...path, i])
      .filter((name) => !known.includes(name))
      .map((name) => {
        const at = keyRangeAt(doc.index, doc.tree, [...path, i, name]);
        const params = { kind: "unknown", scheme: name, suggestion: nearest(name, known) } as const;
        return buildContractFinding("api-security", params, at);
      }),
  );
}
