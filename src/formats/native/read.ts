import { basename, dirname } from "node:path";
import { type Caps, capFlags } from "../../core/caps.ts";
import type { PlanDraft } from "../../core/draft.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { FormatResult } from "../format.ts";
import { frontMatter } from "../front-matter.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { short } from "../words.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, keyRangeAt, plain, rangeAt, type Tree } from "../yaml/tree.ts";
import { adviceOn } from "./advice.ts";
import { draftOf } from "./draft.ts";
import { salvage } from "./salvage.ts";
import { planFile, VERSION } from "./schema.ts";
import { taskRuleDiagnostics } from "./task-rules.ts";

/** Enough to fix in one sitting. */
const MAX_DIAGNOSTICS = 200;

/** Reads a native plan: YAML, JSON, or the YAML front matter of a Markdown file, whose body is for people only. */
export function readNative(file: { path: string; text: string }, caps: Caps): FormatResult {
  const index = indexText(file.path, file.text);
  const part = frontMatter(file.path, file.text) ?? { start: 0, end: file.text.length };
  const { tree, diagnostics } = parseYaml(index, {
    part,
    caps,
    json: file.path.toLowerCase().endsWith(".json"),
  });
  if (!tree) return { draft: null, diagnostics: diagnostics.length > 0 ? diagnostics : [nothingIn(index)] };
  const refusal = refuse(index, tree, caps);
  if (refusal) return { draft: null, diagnostics: limited([...diagnostics, refusal], index) };

  const checked = check(index, tree);
  return {
    draft: checked.draft,
    diagnostics: limited(
      [...diagnostics, ...checked.diagnostics, ...taskRuleDiagnostics(index, tree)],
      index,
    ),
  };
}

/** Detection would have found out; but a caller may ask for this format by name. */
function nothingIn(index: TextIndex): Diagnostic {
  const hint = `a plan starts with "plait: ${VERSION}"`;
  return diagnostic({
    code: "plan-empty" satisfies FormatCode,
    message: "there is nothing in this plan",
    at: index.range(0, 0),
    hint,
  });
}

/** What makes it pointless to look further. */
function refuse(index: TextIndex, tree: Tree, caps: Caps): Diagnostic | null {
  const version = find(tree, ["plait"]);
  if (version?.kind === "scalar" && typeof version.value === "number" && version.value !== VERSION) {
    return diagnostic({
      code: "unsupported-version" satisfies FormatCode,
      message: `this plan is of version ${short(version.source)}; plait reads version ${VERSION}`,
      at: rangeAt(index, tree, ["plait"]),
      hint: `write plait: ${VERSION}`,
    });
  }
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind === "list" && tasks.items.length > caps.maxTasks) {
    return diagnostic({
      code: "too-many-tasks" satisfies FormatCode,
      message: `the plan has ${tasks.items.length} tasks, the limit is ${caps.maxTasks}`,
      at: rangeAt(index, tree, ["tasks", caps.maxTasks]),
      hint: `${capFlags.maxTasks} raises the limit`,
    });
  }
  return null;
}

/** A draft, if need be of what is left without the bad parts, and what the schema says about those. */
function check(index: TextIndex, tree: Tree): { draft: PlanDraft | null; diagnostics: Diagnostic[] } {
  const value = plain(tree);
  const toDraft = (file: Parameters<typeof draftOf>[0]) =>
    draftOf(file, {
      path: index.file,
      name: nameFrom(index.file),
      at: (...path) => rangeAt(index, tree, path),
      keyAt: (...path) => keyRangeAt(index, tree, path),
    });
  const result = parse(value);
  if (result.success) return { draft: toDraft(result.data), diagnostics: [] };
  const diagnostics = schemaDiagnostics(
    result.error.issues,
    { index, tree, schema: planFile, adviceOn },
    MAX_DIAGNOSTICS + 1,
  );
  const rest = salvage(value, result.error.issues) ? parse(value) : result;
  return { draft: rest.success ? toDraft(rest.data) : null, diagnostics };
}

/** Our own words replace zod's, and code made for one parse costs more than it saves. */
function parse(value: unknown) {
  return planFile.safeParse(value, { error: () => "", jitless: true });
}

function nameFrom(path: string): string {
  const file = basename(path).replace(/\.[^.]*$/, "");
  const folder = basename(dirname(path));
  return /^plan$/i.test(file) && /\w/.test(folder) ? folder : file;
}

/** In the order of the file. The same alias used in ten tasks has the same problem ten times; it is said once. */
function limited(diagnostics: readonly Diagnostic[], index: TextIndex): Diagnostic[] {
  const unique = new Map<string, Diagnostic>();
  for (const one of [...diagnostics].sort(byPlace)) {
    const key = JSON.stringify([one.code, one.at, one.message]);
    if (!unique.has(key)) unique.set(key, one);
  }
  const shown = [...unique.values()].slice(0, MAX_DIAGNOSTICS);
  if (unique.size <= MAX_DIAGNOSTICS) return shown;
  const more = diagnostic({
    code: "more-problems" satisfies FormatCode,
    severity: "note",
    message: `there are more problems than the ${MAX_DIAGNOSTICS} shown`,
    at: index.range(index.text.length, index.text.length),
  });
  return [...shown, more];
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.at?.start, b.at?.start];
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.col ?? 0) - (other?.col ?? 0);
}
