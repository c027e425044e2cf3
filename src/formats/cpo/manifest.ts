import type { Unlisted } from "../../core/analyze/bounded.ts";
import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { quoted } from "../../core/analyze/words.ts";
import { type Caps, capFlags } from "../../core/caps.ts";
import { type Diagnostic, diagnostic, type Located, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
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
  /** Where the tasks are files. */
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
  const index = indexText(file.file, file.text);
  const part = { start: 0, end: file.text.length };
  const { tree, diagnostics } = parseYaml(index, { part, caps, json: true });
  const none = { manifest: null, doc: null, unlisted: new Map() };
  if (!tree) return { ...none, diagnostics };
  const doc = { index, tree };
  const refusal = refuse(doc, caps);
  if (refusal) return { ...none, diagnostics: [...diagnostics, refusal] };
  const isOld = !has(doc, "waves") && (has(doc, "version") || find(tree, ["tasks"])?.kind === "map");
  const said = checkFields(doc, isOld ? legacySchema : manifestSchema, adviceOn);
  const manifest = isOld ? filesManifest(doc) : wavesManifest(doc);
  return {
    manifest,
    doc,
    diagnostics: [...diagnostics, ...said.diagnostics.map(refuseSkills), ...waveDiagnostics(manifest)],
    unlisted: said.unlisted,
  };
}

function refuse(doc: Doc, { maxTasks }: Caps): Diagnostic | null {
  const { index, tree } = doc;
  const version = find(tree, ["version"]);
  if (version?.kind === "scalar" && version.value !== VERSION) {
    return diagnostic({
      code: "unsupported-version" satisfies FormatCode,
      message: `this manifest is of version ${quoted(version.source)}; plait reads ${quoted(VERSION)}, and manifests without a version`,
      at: rangeAt(index, tree, ["version"]),
      hint: "delete the version if the manifest has tech_spec_id and waves",
    });
  }
  const counts = countAt(doc, "waves").map((wave) => countAt(doc, "waves", wave, "tasks").length);
  const tasks = counts.reduce((sum, count) => sum + count, countAt(doc, "tasks", "files").length);
  if (tasks <= maxTasks) return null;
  return diagnostic({
    code: "too-many-tasks" satisfies FormatCode,
    message: `the plan has ${tasks} tasks, the limit is ${maxTasks}`,
    at: rangeAt(index, tree, [has(doc, "waves") ? "waves" : "tasks"]),
    hint: `${capFlags.maxTasks} raises the limit`,
  });
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
    return [
      {
        id,
        agent: at("agent"),
        promptFile: at("prompt_file"),
        covers: readIds(doc, "waves", i, "tasks", n, "covers"),
      },
    ];
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

/** Waves run in the order of their numbers, wherever they stand in the file. */
function waveDiagnostics({ waves, generation, files, hasLostTasks, at }: Manifest): Diagnostic[] {
  const found: Diagnostic[] = [];
  const code: FormatCode = "wave-order";
  waves.forEach((wave, i) => {
    const { number, tasks } = wave;
    const before = waves[i - 1]?.number;
    const related = before ? [{ at: before.at, message: `wave ${before.value} is here` }] : [];
    if (before?.value === number.value) {
      const message = `two waves have the number ${number.value}`;
      const hint = "put their tasks into one wave, or number them anew";
      found.push(diagnostic({ code, message, at: number.at, hint, related }));
    } else if (number.value !== (before?.value ?? 0) + 1 && !hasLostTasks) {
      const message = `wave ${number.value} follows ${before ? `wave ${before.value}` : "nothing"}; waves are numbered 1, 2, 3 …`;
      const hint = `write ${(before?.value ?? 0) + 1}, or add the wave that is missing`;
      found.push(diagnostic({ code, severity: "warning", message, at: number.at, hint, related }));
    }
    if (tasks.length === 0 && !hasLostTasks) found.push(emptyWave(wave, waves.slice(0, i)));
  });
  const isEmpty =
    generation === "files" ? files.length === 0 : waves.every(({ tasks }) => tasks.length === 0);
  if (isEmpty && !hasLostTasks) {
    const hint =
      generation === "files"
        ? 'name the task files: "files": ["tasks/task-001-users.md"]'
        : 'add a task: { "id": "task-001-users", "agent": "plugin:agent" }';
    const message = "the manifest has no tasks";
    found.push(diagnostic({ code: "no-tasks" satisfies AnalyzeCode, message, at, hint }));
  }
  return found;
}

/** Its validation judges what the waves before have done; where they have nothing, there is nothing that it could be about. */
function emptyWave({ number, validation }: Wave, before: readonly Wave[]): Diagnostic {
  const code: FormatCode = "wave-order";
  const warning = { code, severity: "warning", at: number.at } as const;
  const message = `wave ${number.value} has no tasks`;
  if (validation === null) return diagnostic({ ...warning, message, hint: "delete it" });
  const judged = before.findLast(({ tasks }) => tasks.length > 0)?.number.value;
  if (judged !== undefined) {
    const hint = `put the validation into wave ${judged}, and delete wave ${number.value}`;
    return diagnostic({
      ...warning,
      message: `${message}; its validation runs after wave ${judged}`,
      hint,
    });
  }
  return diagnostic({
    code,
    message: `wave ${number.value} has a validation, but neither it nor a wave before it has tasks`,
    at: validation.at,
    hint: "put the validation into the wave whose tasks it judges, or delete it",
  });
}

/** Where words of other files or other tools belong. */
const elsewhere: Readonly<Record<string, string>> = {
  skills: "skills are named in the task files, or in agent-skills-mapping.yaml",
  deps: "deps stand in the task files",
  depends_on: "write deps in the task file",
  blocks: "blocks stands in the task files",
  prompt: "write the prompt into a file, and name that: prompt_file",
  scope: "the scope stands in the task file",
  gates: "write gates in the front matter of the task file, or in the manifest for all tasks",
  consent: "write consent in the front matter of the task file, or in the manifest for all tasks",
  enforce: "write enforce in the manifest: it is for all tasks",
  wave: "a task is in the wave that lists it",
};

function adviceOn(key: string): string | null {
  return Object.hasOwn(elsewhere, key) ? (elsewhere[key] as string) : null;
}

/** Skills that are written here would be ignored by whoever reads the task files. */
function refuseSkills(one: Diagnostic): Diagnostic {
  const isSkills = one.code === "unknown-key" && one.message.startsWith("unknown key `skills`");
  return isSkills ? { ...one, severity: "error" } : one;
}
