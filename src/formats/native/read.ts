import type { Unlisted } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { PlanDraft } from "../../core/draft.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { findingsOf } from "../findings.ts";
import type { FormatResult } from "../format.ts";
import { frontMatter } from "../front-matter.ts";
import { nameFrom } from "../plan-name.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { unique } from "../unique.ts";
import { short } from "../words.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, keyRangeAt, plain, rangeAt, type Tree } from "../yaml/tree.ts";
import { adviceOn, findRequiredKey } from "./advice.ts";
import { draftOf } from "./draft.ts";
import { type Shape, salvage } from "./salvage.ts";
import { planFile, VERSION } from "./schema.ts";
import { taskRuleDiagnostics } from "./task-rules.ts";
import { codeFor } from "./value-codes.ts";

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
  const part = frontMatter(file.path, file.text) ?? { start: 0, end: file.text.length };
  const { tree, diagnostics } = parseYaml(index, {
    part,
    caps,
    json: file.path.toLowerCase().endsWith(".json"),
  });
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
    const line = `write \`plait: ${VERSION}\``;
    return buildFormatFinding("unsupported-version", { ...params, line }, rangeAt(index, tree, ["plait"]));
  }
  return refuseTooMany(index, tree, caps);
}

export function refuseTooMany(index: TextIndex, tree: Tree, { maxTasks }: Caps): Diagnostic | null {
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list" || tasks.items.length <= maxTasks) return null;
  return buildFormatFinding("too-many-tasks", { limit: maxTasks }, rangeAt(index, tree, ["tasks", maxTasks]));
}

type CheckedPlan = { draft: PlanDraft | null; diagnostics: Diagnostic[]; unlisted: Unlisted };

/** What is taken out may leave a gap that must go too; each time less is left. */
const MOST_ROUNDS = 8;

const shape: Shape = { top: { plait: VERSION }, task: {}, groups: "limits" };

/** A draft, if need be of what is left without the bad parts, and what the schema says about those. */
function check(index: TextIndex, tree: Tree, folder: string): CheckedPlan {
  const value = plain(tree);
  const rest = salvage(value, tree, shape);
  let result = parse(value);
  const findings = result.success ? [] : findingsOf(result.error.issues);
  for (let round = 1; !result.success && round <= MOST_ROUNDS; round += 1) {
    if (!rest.remove(round === 1 ? findings : findingsOf(result.error.issues))) break;
    result = parse(value);
  }
  const draft = result.success
    ? draftOf(result.data, {
        path: index.file,
        name: nameFrom(index.file),
        folder,
        lost: result.data.tasks.length === 0 ? { ...rest.lost(), tasks: "any" } : rest.lost(), // that is told
        at: (...path) => rangeAt(index, tree, rest.originally(path)),
        keyAt: (...path) => keyRangeAt(index, tree, rest.originally(path)),
      })
    : null;
  const said = schemaDiagnostics(findings, {
    index,
    tree,
    schema: planFile,
    adviceOn,
    findRequiredKey,
    codeFor,
  });
  return { draft, ...said };
}

/** Our own words replace zod's, and code made for one parse costs more than it saves. */
function parse(value: unknown) {
  return planFile.safeParse(value, { error: () => "", jitless: true });
}
