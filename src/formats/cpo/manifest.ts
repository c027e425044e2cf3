import type { Unlisted } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { quoted } from "../../core/text/figures.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { KeyAdvice } from "../catalog-values.ts";
import { indexText } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, keyRangeAt, rangeAt } from "../yaml/tree.ts";
import { type ManifestSources, readIds, readManifestSources } from "./coverage.ts";
import { checkFields, countAt, type Doc, has, numberAt, textAt, textsAt } from "./fields.ts";
import { type PlanRules, readPlanRules } from "./rules.ts";
import { legacySchema, manifestSchema } from "./schema.ts";

/** What a manifest says, whichever its generation. */
export type Manifest = {
  readonly generation: "waves" | "files";
  /** `TS-0042`. */
  readonly techSpecId: string | null;
  readonly name: string | null;
  readonly technology: Located<string> | null;
  /** By number; none where the tasks are files. */
  readonly waves: readonly Wave[];
  readonly files: readonly Located<string>[];
  readonly dependencies: { readonly [Ecosystem in "python" | "node"]: Packages | null };
  readonly maxParallel: Located<number> | null;
  readonly rules: PlanRules;
  readonly sources: ManifestSources;
  /** What its writer counted and found; nothing depends on it. */
  readonly totalTasks: Located<number> | null;
  readonly criticalPath: readonly Located<string>[];
  /** Some task has no usable id, so that a reference to it is not wrong. */
  readonly hasLostTasks: boolean;
  /** Where findings about the whole manifest stand. */
  readonly at: SourceRange;
};

export type Wave = {
  readonly number: Located<number>;
  readonly tasks: readonly ManifestTask[];
  readonly validation: Located<string> | null;
};

export type ManifestTask = {
  readonly id: Located<string>;
  readonly agent: Located<string> | null;
  readonly promptFile: Located<string> | null;
  readonly covers: readonly Located<string>[];
};

export type Packages = {
  readonly at: SourceRange;
  readonly remove: readonly Located<string>[];
  readonly upgrade: readonly Located<string>[];
  readonly add: readonly Located<string>[];
  readonly add_dev: readonly Located<string>[];
};

export type ManifestResult = {
  readonly manifest: Manifest | null;
  /** The text that it was read from, by its parts; null where there is no manifest. */
  readonly doc: Doc | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly unlisted: Unlisted;
};

/** The one version that manifests of the generation before have. */
const VERSION = "1.0.0";

export function parseManifest(file: { file: string; text: string }, caps: Caps): ManifestResult {
  const index = indexText(file.file, file.text, "manifest");
  const { tree, diagnostics } = parseYaml(index, { caps, json: true });
  const none = { manifest: null, doc: null, unlisted: new Map() };
  if (!tree) return { ...none, diagnostics };
  const doc = { index, tree };
  const refusal = refuse(doc, caps);
  if (refusal) return { ...none, diagnostics: [...diagnostics, refusal] };
  const isOld = !has(doc, "waves") && (has(doc, "version") || find(tree, ["tasks"])?.kind === "map");
  const said = checkFields(doc, isOld ? legacySchema : manifestSchema, {
    adviceOn: (key) => (Object.hasOwn(elsewhere, key) ? (elsewhere[key] as KeyAdvice) : null),
    // Whoever reads the task files would ignore skills that are written here.
    severityOf: ({ key }) => (key === "skills" ? "error" : "warning"),
  });
  const manifest = isOld ? filesManifest(doc) : wavesManifest(doc);
  return {
    manifest,
    doc,
    diagnostics: [...diagnostics, ...said.diagnostics, ...waveDiagnostics(manifest)],
    unlisted: said.unlisted,
  };
}

function refuse(doc: Doc, { maxTasks }: Caps): Diagnostic | null {
  const { index, tree } = doc;
  const version = find(tree, ["version"]);
  if (version?.kind === "scalar" && version.value !== VERSION) {
    const supported = `${quoted(VERSION)}, or none`;
    const line = "delete `version` if the manifest has tech_spec_id and waves";
    const params = { noun: "manifest", version: version.source, supported, line };
    return buildFormatFinding("unsupported-version", params, rangeAt(index, tree, ["version"]));
  }
  const counts = countAt(doc, "waves").map((wave) => countAt(doc, "waves", wave, "tasks").length);
  const tasks = counts.reduce((sum, count) => sum + count, countAt(doc, "tasks", "files").length);
  if (tasks <= maxTasks) return null;
  const at = rangeAt(index, tree, [has(doc, "waves") ? "waves" : "tasks"]);
  return buildFormatFinding("too-many-tasks", { limit: maxTasks }, at);
}

function wavesManifest(doc: Doc): Manifest {
  const waves = countAt(doc, "waves").flatMap((i) => waveAt(doc, i) ?? []);
  const read = waves.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const written = countAt(doc, "waves").flatMap((i) => countAt(doc, "waves", i, "tasks"));
  const isComplete = has(doc, "waves") && countAt(doc, "waves").every((i) => has(doc, "waves", i, "tasks"));
  const most = numberAt(doc, "metadata", "max_parallel");
  return {
    generation: "waves",
    techSpecId: textAt(doc, "tech_spec_id")?.value ?? null,
    name: textAt(doc, "name")?.value ?? null,
    technology: textAt(doc, "technology"),
    waves: waves.toSorted((a, b) => a.number.value - b.number.value),
    files: [],
    dependencies: { python: packagesAt(doc, "python"), node: packagesAt(doc, "node") },
    maxParallel: most && most.value >= 1 && most.value <= 256 ? most : null,
    rules: readPlanRules(doc),
    sources: readManifestSources(doc),
    totalTasks: numberAt(doc, "metadata", "total_tasks"),
    criticalPath: textsAt(doc, "metadata", "critical_path"),
    hasLostTasks: read < written.length || !isComplete,
    at: rangeAt(doc.index, doc.tree, ["waves"]),
  };
}

function filesManifest(doc: Doc): Manifest {
  const files = textsAt(doc, "tasks", "files");
  return {
    generation: "files",
    techSpecId: textAt(doc, "tech_spec", "id")?.value ?? null,
    name: textAt(doc, "tech_spec", "title")?.value ?? null,
    technology: textAt(doc, "technology"),
    waves: [],
    files,
    dependencies: { python: null, node: null },
    maxParallel: null,
    rules: readPlanRules(doc),
    sources: readManifestSources(doc),
    totalTasks: numberAt(doc, "tasks", "total"),
    criticalPath: [],
    hasLostTasks: files.length < countAt(doc, "tasks", "files").length || !has(doc, "tasks", "files"),
    at: rangeAt(doc.index, doc.tree, ["tasks", "files"]),
  };
}

function waveAt(doc: Doc, i: number): Wave | null {
  const number = numberAt(doc, "waves", i, "number");
  if (number === null || !Number.isSafeInteger(number.value) || number.value < 1) return null;
  const tasks = countAt(doc, "waves", i, "tasks").flatMap((n) => {
    const id = textAt(doc, "waves", i, "tasks", n, "id");
    if (id === null) return [];
    const at = (key: string) => textAt(doc, "waves", i, "tasks", n, key);
    const covers = readIds(doc, "waves", i, "tasks", n, "covers");
    return [{ id, agent: at("agent"), promptFile: at("prompt_file"), covers }];
  });
  return { number, tasks, validation: textAt(doc, "waves", i, "validation") };
}

function packagesAt(doc: Doc, ecosystem: string): Packages | null {
  const path = ["dependencies", ecosystem];
  if (!has(doc, ...path)) return null;
  const list = (key: string) => textsAt(doc, ...path, key);
  const [remove, upgrade, add, add_dev] = [list("remove"), list("upgrade"), list("add"), list("add_dev")];
  if (remove.length + upgrade.length + add.length + add_dev.length === 0) return null;
  return { at: keyRangeAt(doc.index, doc.tree, path), remove, upgrade, add, add_dev };
}

/** Waves run in the order of their numbers, wherever they are in the file. */
function waveDiagnostics({ waves, generation, files, hasLostTasks, at }: Manifest): Diagnostic[] {
  const found: Diagnostic[] = [];
  waves.forEach((one, i) => {
    const { number, tasks } = one;
    const wave = number.value;
    const above = waves[i - 1]?.number;
    const before = above?.value ?? 0;
    const related = above ? [{ at: above.at, wave: before }] : [];
    if (above && before === wave)
      found.push(buildFormatFinding("wave-order", { kind: "repeated", wave }, number.at, { related }));
    else if (wave !== before + 1 && !hasLostTasks) {
      const details = { related, severity: "warning" } as const;
      found.push(buildFormatFinding("wave-order", { kind: "gap", wave, before }, number.at, details));
    }
    if (tasks.length === 0 && !hasLostTasks) found.push(emptyWave(one, waves.slice(0, i)));
  });
  const isEmpty =
    generation === "files" ? files.length === 0 : waves.every(({ tasks }) => tasks.length === 0);
  const line = generation === "files" ? '"files": ["tasks/task-001-users.md"]' : '{ "id": "task-001-users" }';
  if (isEmpty && !hasLostTasks) found.push(buildFormatFinding("no-tasks", { line }, at));
  return found;
}

/** The validation checks what earlier waves have done; if they have no tasks, there is nothing to check. */
function emptyWave({ number, validation }: Wave, before: readonly Wave[]): Diagnostic {
  const wave = number.value;
  const severity = "warning";
  if (validation === null)
    return buildFormatFinding("wave-order", { kind: "empty", wave }, number.at, { severity });
  const checked = before.findLast(({ tasks }) => tasks.length > 0)?.number.value;
  return checked === undefined
    ? buildFormatFinding("wave-order", { kind: "nothing-to-validate", wave }, validation.at)
    : buildFormatFinding("wave-order", { kind: "empty-validated", wave, checked }, number.at, { severity });
}

/** Keys that belong into other files, and those of other tools. */
const elsewhere: Readonly<Record<string, KeyAdvice>> = {
  skills: { move: "move `skills` to the task files, or to agent-skills-mapping.yaml" },
  deps: { move: "move `deps` to the task file" },
  depends_on: { move: "set `deps` in the task file" },
  blocks: { move: "move `blocks` to the task file" },
  prompt: { move: "write the prompt to a file, and name it: `prompt_file`" },
  scope: { move: "move the scope to the task file: `## Scope`" },
  gates: { move: "move `gates` to the task file, or to the top of the manifest for all tasks" },
  consent: { move: "move `consent` to the task file, or to the top of the manifest for all tasks" },
  "allow-empty": { move: "move `allow-empty` to the task file" },
  enforce: { move: "move `enforce` to the top of the manifest" },
  wave: { move: "delete `wave`: a task is in the wave that lists it" },
};
