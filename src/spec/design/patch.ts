import type { Caps } from "../../core/caps.ts";
import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { checkFields, type Doc } from "../../formats/cpo/fields.ts";
import { indexText } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { type Path, plain, rangeAt } from "../../formats/yaml/tree.ts";
import { buildDesignFinding, type designCatalog } from "./catalog.ts";
import { withJsonPaths } from "./json-path.ts";
import { type DesignPatch, patchSchema } from "./patch-schema.ts";

export const PATCH_FILE = "patch.json";

/** The design with the patch applied as JSON over lines, or why it cannot be applied. */
export type PatchResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

type JsonMap = Readonly<Record<string, unknown>>;
type Task = JsonMap & { readonly id: string };

/** A design as far as a patch needs it: every task has an id of its own. */
export type PatchableDesign = JsonMap & { readonly tasks: readonly Task[] };

/** Null where nothing in it could be found by its key. It need not hold. */
export function readPatchableDesign(text: string): PatchableDesign | null {
  const value = parseMap(text);
  if (!Array.isArray(value?.["tasks"])) return null;
  const tasks: unknown[] = value["tasks"];
  const isTask = (task: unknown): task is Task => isMap(task) && typeof task["id"] === "string";
  if (!tasks.every(isTask) || new Set(tasks.map(({ id }) => id)).size < tasks.length) return null;
  return { ...value, tasks };
}

/** Whether an answer is a design of its own, and not the changes of one. */
export function isWholeDesign(text: string): boolean {
  const value = parseMap(text);
  if (value === null || "remove_tasks" in value) return false;
  return ["context_summary", "architecture_summary", "contracts", "tasks"].every((key) => value[key] != null);
}

export function applyPatch(text: string, current: PatchableDesign, caps: Caps): PatchResult {
  const index = indexText(PATCH_FILE, text, "design");
  const { tree, diagnostics } = parseYaml(index, { caps, json: true });
  if (!tree) return { ok: false, diagnostics };
  const doc = { index, tree };
  const form = checkFields(doc, patchSchema, { severityOf: () => "error" }).diagnostics;
  const wrong = [...diagnostics, ...form];
  if (wrong.length > 0) return { ok: false, diagnostics: withJsonPaths(wrong, doc) };
  const patch = plain(tree) as DesignPatch;
  const changed = mergePatch(current, patch);
  const found = [...checkIds(doc, patch, current), ...checkEffect(doc, current, changed)];
  return found.length > 0
    ? { ok: false, diagnostics: withJsonPaths(found, doc) }
    : { ok: true, text: `${JSON.stringify(changed, null, 2)}\n` };
}

/** Tasks keep their places; those that are added come last. */
function mergePatch(current: PatchableDesign, patch: DesignPatch): JsonMap {
  const { tasks, remove_tasks: removed, contracts, manifest, ...texts } = patch;
  const given = new Map((tasks ?? []).map((task) => [task.id, task]));
  const kept = current.tasks.filter(({ id }) => !removed?.includes(id));
  const known = new Set(kept.map(({ id }) => id));
  const changed = kept.map((task) => ({ ...task, ...given.get(task.id) }));
  const added = [...given.values()].filter(({ id }) => !known.has(id));
  return {
    ...current,
    ...withoutNull(texts),
    ...(manifest != null && { manifest: { ...asMap(current["manifest"]), ...manifest } }),
    ...(contracts != null && { contracts: { ...asMap(current["contracts"]), ...newContracts(contracts) } }),
    tasks: [...changed, ...added],
  };
}

/** An empty text removes one. */
function newContracts(contracts: JsonMap): JsonMap {
  const entries = Object.entries(withoutNull(contracts));
  return Object.fromEntries(entries.map(([key, text]) => [key, text === "" ? null : text]));
}

function withoutNull(map: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value != null));
}

function checkIds(
  doc: Doc,
  { tasks, remove_tasks: removed }: DesignPatch,
  current: PatchableDesign,
): Diagnostic[] {
  const ids = (tasks ?? []).map(({ id }) => id);
  const known = current.tasks.map(({ id }) => id);
  const wrong = (path: Path, params: CodeParams<typeof designCatalog, "design-patch">) =>
    buildDesignFinding("design-patch", params, rangeAt(doc.index, doc.tree, path));
  const repeated = ids.flatMap((id, i) =>
    ids.indexOf(id) === i ? [] : [wrong(["tasks", i, "id"], { kind: "repeated", task: id })],
  );
  const unknown = (removed ?? []).flatMap((id, i) => {
    const path = ["remove_tasks", i];
    if (ids.includes(id)) return [wrong(path, { kind: "both", task: id })];
    if (known.includes(id)) return [];
    return [wrong(path, { kind: "unknown", task: id, suggestion: nearest(id, known), ids: known })];
  });
  return [...repeated, ...unknown];
}

function checkEffect(doc: Doc, current: PatchableDesign, changed: JsonMap): Diagnostic[] {
  if (JSON.stringify(current) !== JSON.stringify(changed)) return [];
  return [buildDesignFinding("design-patch", { kind: "no-change" }, rangeAt(doc.index, doc.tree, []))];
}

const isMap = (value: unknown): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function asMap(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

function parseMap(text: string): JsonMap | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : null;
  } catch {
    return null; // no JSON: nothing to change
  }
}
