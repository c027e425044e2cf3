import type { AnalyzeCode } from "../../core/analyze/catalog.ts";
import type { Unlisted } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { PlanDraft } from "../../core/draft.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { unique } from "../findings.ts";
import { type FormatResult, nameFrom } from "../format.ts";
import { frontMatter } from "../front-matter.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { short } from "../words.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, type Path, plain, rangeAt, type Tree } from "../yaml/tree.ts";
import { adviceOn, findRequiredKey } from "./advice.ts";
import { draftOf } from "./draft.ts";
import { parseRest, type Shape } from "./salvage.ts";
import { planFile, VERSION } from "./schema.ts";
import { taskRuleDiagnostics } from "./task-rules.ts";

/**
 * Reads a native plan: YAML, JSON, or the YAML front matter of a Markdown file, whose body is for people only. `folder` is where
 * it lies.
 */
export function readNative(
  file: { readonly path: string; readonly text: string },
  caps: Caps,
  folder = ".",
): FormatResult {
  const index = indexText(file.path, file.text);
  const part = frontMatter(file.path, file.text) ?? undefined;
  const json = file.path.toLowerCase().endsWith(".json");
  const { tree, diagnostics } = parseYaml(index, { ...(part && { part }), caps, json });
  if (!tree) return { draft: null, diagnostics: diagnostics.length > 0 ? diagnostics : [nothingIn(index)] };
  const refusal = refuse(index, tree, caps);
  if (refusal) return { draft: null, diagnostics: unique([...diagnostics, refusal]) };

  const checked = check(index, tree, folder);
  const all = [...diagnostics, ...checked.diagnostics, ...taskRuleDiagnostics(index, tree)];
  return { draft: checked.draft, diagnostics: unique(all), unlisted: checked.unlisted };
}

/** Detection would have found out, but a caller may ask for this format by name. */
function nothingIn(index: TextIndex): Diagnostic {
  return buildFormatFinding("plan-empty", { noun: "plan", start: `plait: ${VERSION}` }, index.range(0, 0));
}

/** What makes it pointless to read on. */
function refuse(index: TextIndex, tree: Tree, caps: Caps): Diagnostic | null {
  const version = find(tree, ["plait"]);
  if (version?.kind === "scalar" && typeof version.value === "number" && version.value !== VERSION) {
    const params = { noun: "plan", version: short(version.source), supported: `version ${VERSION}` };
    const line = `set \`plait: ${VERSION}\``;
    return buildFormatFinding("unsupported-version", { ...params, line }, rangeAt(index, tree, ["plait"]));
  }
  return refuseTooMany(index, tree, caps);
}

export function refuseTooMany(index: TextIndex, tree: Tree, { maxTasks }: Caps): Diagnostic | null {
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list" || tasks.items.length <= maxTasks) return null;
  return buildFormatFinding("too-many-tasks", { limit: maxTasks }, rangeAt(index, tree, ["tasks", maxTasks]));
}

const shape: Shape = { top: { plait: VERSION }, task: {}, groups: "limits" };

type CheckedPlan = { draft: PlanDraft | null; diagnostics: Diagnostic[]; unlisted: Unlisted };

/** A draft, if need be of what is left without the bad parts, and what the schema says about those. */
function check(index: TextIndex, tree: Tree, folder: string): CheckedPlan {
  const { data, findings, lost, ...places } = parseRest(planFile, plain(tree), { index, tree, shape });
  const about = { path: index.file, name: nameFrom(index.file), folder, ...places };
  const draft = data && draftOf(data, { ...about, lost: lost(data.tasks) });
  const known = { index, tree, schema: planFile, adviceOn, findRequiredKey, codeFor };
  return { draft, ...schemaDiagnostics(findings, known) };
}

/** The code of the analysis for a value that the schema has refused already. Null where "bad value" says it all. */
function codeFor(path: Path, value: Tree): AnalyzeCode | null {
  const key = path.findLast((step) => typeof step === "string");
  if (value.kind !== "scalar") return null;
  if (typeof value.value === "string")
    return key === "prompt" && value.value.trim() === "" ? "empty-prompt" : null;
  if (typeof value.value !== "number") return null;
  if (path[0] === "ports") return "bad-ports";
  if (path[0] === "limits") return "limit-out-of-range";
  if (key === "wave") return "bad-wave";
  return key === "concurrency" || key === "slots" ? "slots-out-of-range" : "bad-number";
}
