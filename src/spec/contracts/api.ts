import { basename } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
import { checkFields, type Doc, has } from "../../formats/cpo/fields.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { find, keyRangeAt, rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import { checkOperations, isNewer } from "./api-operations.ts";
import { checkReferences } from "./api-references.ts";
import { apiSchema } from "./api-schema.ts";
import { checkSecurity } from "./api-security.ts";
import type { ContractFile } from "./check.ts";
import type { ContractCode } from "./codes.ts";
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
    ...checkFields({ index, tree: withoutExtensions(tree) }, apiSchema, () => null)
      .diagnostics.filter((one) => !isNewer(doc) || !isKeyword(one))
      .map(asMeant)
      .map(withoutList),
    ...topProblem(doc),
    ...checkOperations(doc),
    ...checkSecurity(doc),
    ...checkReferences(doc),
  ];
}

/** A contract as a tree, as far as its syntax lets it be one. */
type ReadApi = { readonly index: TextIndex; readonly tree: Tree | null; readonly syntax: Diagnostic[] };

function readApi({ path, file, text }: ContractFile): ReadApi {
  const index = indexText(file, text);
  const part = { start: 0, end: text.length };
  const parsed = parseYaml(index, { part, caps: CAPS, json: /\.json$/i.test(path), mergeKeys: true });
  return { index, tree: parsed.tree, syntax: parsed.diagnostics.map(asContract) };
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
  const code: ContractCode = "api-version";
  const problem = (key: string, message: string, hint: string, severity: Diagnostic["severity"] = "error") =>
    diagnostic({ code, severity, message, at: rangeAt(index, tree, [key]), hint });
  const swagger = find(tree, ["swagger"]);
  if (swagger !== null) {
    const version = swagger.kind === "scalar" ? ` ${swagger.source}` : "";
    const message = `this is Swagger${version}; plait checks OpenAPI 3.0 and 3.1`;
    return problem("swagger", message, "convert the document, and write openapi: 3.0.3 in its place");
  }
  const version = find(tree, ["openapi"]);
  const hint = "write openapi: 3.0.3, or 3.1.1";
  if (version === null) return problem("openapi", "the document does not say its version of OpenAPI", hint);
  const said = version.kind === "scalar" ? version.source : "";
  if (/^3\.[01]\.\d+$/.test(said)) return null;
  if (/^3\.\d+\.\d+$/.test(said)) {
    const newer = `plait knows OpenAPI up to 3.1, so of ${quoted(said)} only references are checked`;
    return problem("openapi", newer, "write openapi: 3.1.1 to have all of it checked", "warning");
  }
  if (said === "") return problem("openapi", "the version of OpenAPI is no text", hint);
  const message = /^3(?:\.\d+)?$/.test(said)
    ? `the version ${quoted(said)} is not written in full`
    : `${quoted(said)} is no version of OpenAPI 3.0 or 3.1`;
  return problem("openapi", message, hint);
}

/** In 3.0 paths are needed; in 3.1 anything that the document could be about. */
function topProblem(doc: Doc): Diagnostic[] {
  const needed = isNewer(doc) ? ["paths", "webhooks", "components"] : ["paths"];
  if (needed.some((key) => has(doc, key))) return [];
  const at = keyRangeAt(doc.index, doc.tree, ["openapi"]);
  const message = `the key ${needed.map(quoted).join(" or ")} is missing in the API document`;
  const hint = "add paths: {} where there are none yet";
  return [diagnostic({ code: "missing-key" satisfies FormatCode, message, at, hint })];
}

function noMap(index: TextIndex, tree: Tree | null): Diagnostic {
  const message = tree === null ? "the API contract is empty" : "the API contract is no map";
  const hint = "begin it with openapi: 3.0.3";
  const at = index.lineRange(tree?.start ?? 0, tree?.end ?? 0);
  return diagnostic({ code: "api-version" satisfies ContractCode, message, at, hint });
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

/** Since 3.1, schemas may have keywords of any vocabulary. */
function isKeyword({ code, message, hint }: Diagnostic): boolean {
  return code === UNKNOWN && message.endsWith(" in a schema") && !isMisspelt(hint);
}

/** What a misspelt key says gets lost: an operation under PATCH is none. In a schema it may be a keyword of somebody's own. */
function asMeant(one: Diagnostic): Diagnostic {
  const isLost = one.code === UNKNOWN && isMisspelt(one.hint) && !one.message.endsWith(" in a schema");
  return isLost ? { ...one, severity: "error" } : one;
}

const UNKNOWN: FormatCode = "unknown-key";

function isMisspelt(hint: string | null): boolean {
  return hint?.startsWith("did you mean ") === true;
}

/** Schemas have sixty keys. */
function withoutList(one: Diagnostic): Diagnostic {
  return { ...one, hint: one.hint?.replace(/\s*\(?known in a schema: .*$/, "") || null };
}

/** The reader of plans speaks of plans and of flags for them. */
function asContract(one: Diagnostic): Diagnostic {
  if (one.code === ("too-deep" satisfies FormatCode)) return { ...one, hint: null };
  if (one.code !== ("two-plans" satisfies FormatCode)) return one;
  const message = "a second document starts here; a contract is one document";
  return { ...one, message, hint: "put each into a file of its own" };
}
