import { basename } from "node:path";
import { startOf } from "../core/analyze/findings.ts";
import type { Caps } from "../core/caps.ts";
import type { Diagnostic, Located, SourceRange } from "../core/source.ts";
import type { FormatCode } from "../formats/catalog.ts";
import {
  findContracts,
  placeInRepository,
  type ReadTasks,
  readSkills,
  readTasks,
} from "../formats/cpo/folder.ts";
import type { Manifest } from "../formats/cpo/manifest.ts";
import { type PlannedTask, stemOf } from "../formats/cpo/planned-tasks.ts";
import { promptNames } from "../formats/cpo/prompt.ts";
import { skillsOf } from "../formats/cpo/skills.ts";
import type { TaskSpec } from "../formats/cpo/task-spec.ts";
import type { PlanFiles, PlanInput } from "../formats/format.ts";
import { buildPromptFinding } from "./prompt-catalog.ts";
import { readPromptSources } from "./prompt-overview.ts";
import { below, type PromptTask } from "./prompt-task.ts";

export type PromptFolder = {
  readonly techSpecId: string;
  /** From the root of the repository. */
  readonly place: string;
  readonly context: string;
  /** As findings name it. */
  readonly contextFile: string;
  readonly tasks: readonly FolderTask[];
  /** The folder as the user named it, for messages. */
  readonly named: string;
};

export type FolderTask = {
  readonly task: PromptTask;
  /** Where its prompt is written: `prompts/task-001.txt`. */
  readonly path: string;
  /** Where it may lie already, the likeliest first. */
  readonly names: readonly string[];
  /** Fingerprint of the sources that its prompt was generated from; null where none is recorded. */
  readonly recordedSources: string | null;
  readonly requirementsAt: SourceRange;
  readonly checklistAt: SourceRange;
  /** Null where the task file has no title of its own. */
  readonly titleAt: SourceRange | null;
  /** Entries of the scope, by their text. */
  readonly entriesAt: ReadonlyMap<string, SourceRange>;
};

type ReadFolder = { readonly folder: PromptFolder | null; readonly diagnostics: readonly Diagnostic[] };

/** The folder is null where anything is missing that a prompt is made of; all of it is told at once. */
export async function readPromptFolder(input: PlanInput, caps: Caps, around: PlanFiles): Promise<ReadFolder> {
  const read = await readTasks(input, caps, around);
  if (read.manifest === null) return { folder: null, diagnostics: read.diagnostics };
  return promptFolderOf(read, caps, around);
}

/** The same, where manifest and task files are read already. */
export async function promptFolderOf(
  { manifest, diagnostics, specs, planned }: ReadTasks,
  caps: Caps,
  around: PlanFiles,
): Promise<ReadFolder> {
  const context = await readContext(manifest, around);
  const skills = await readSkills(caps, around);
  const place = (await placeInRepository(around)) ?? `parallel/${basename(around.folder)}`;
  const tasks = await Promise.all(planned.tasks.map((task) => withContracts(task, place, around)));
  const places = promptPlaces(planned.tasks);
  const found = [
    ...diagnostics,
    ...context.diagnostics,
    // A design may do without contracts; then no task names one.
    ...(planned.tasks.some(({ spec }) => spec === null || spec.contracts.length > 0)
      ? await contractsMissing(manifest, around)
      : []),
    // A run can do without the file of a task; a prompt cannot.
    ...planned.diagnostics.map((one) => (one.code === SPEC_MISSING ? asError(one) : one)),
    ...specs.diagnostics.filter((one) => !isOpenScope(one, specs.specs)),
    ...skills.diagnostics,
    ...places.diagnostics,
    ...tasks.flatMap((one) => one.diagnostics),
    ...planned.tasks.flatMap(({ spec }) => (spec ? [...sectionsMissing(spec), ...sectionsUnused(spec)] : [])),
  ];
  if (found.some(({ severity }) => severity === "error")) return { folder: null, diagnostics: found };
  const recorded = await readRecord(around);
  const ready = tasks.flatMap(({ task, contracts }) => {
    const path = places.pathOf(task);
    const recordedSources = recorded.get(path) ?? null;
    return folderTask(task, { path, recordedSources, contracts, skills: skillsOf(task, skills.mapping) });
  });
  const techSpecId = manifest.techSpecId ?? basename(around.folder);
  return {
    folder: {
      ...{ techSpecId, place, tasks: ready, named: around.named },
      ...{ context: context.text, contextFile: context.file },
    },
    diagnostics: found,
  };
}

const SPEC_MISSING: FormatCode = "spec-missing";
const asError = (one: Diagnostic): Diagnostic => ({ ...one, severity: "error" });

/** That there is no scope at all is told with the other sections. */
function isOpenScope({ code, at }: Diagnostic, specs: readonly TaskSpec[]): boolean {
  const isIt = code === ("scope-missing" satisfies FormatCode);
  return isIt && specs.some((spec) => spec.at.file === at?.file && !spec.body.hasScope);
}

/** Fingerprints that the overview of the prompts has; empty where plait has not generated them. */
export async function readRecord(around: PlanFiles): Promise<ReadonlyMap<string, string>> {
  const overview = await around.read(`prompts/${OVERVIEW}`);
  return overview.ok ? readPromptSources(overview.text) : new Map();
}

async function readContext(manifest: Manifest, around: PlanFiles) {
  const read = await around.read("context.md");
  const { file } = read;
  if (read.ok && read.text.trim() !== "") return { text: read.text, file, diagnostics: [] };
  const at = read.ok ? startOf(file) : manifest.at;
  const problem = read.ok ? "is empty" : read.problem;
  return { text: "", file, diagnostics: [buildPromptFinding("context-missing", { problem }, at)] };
}

async function contractsMissing({ at }: Manifest, around: PlanFiles): Promise<Diagnostic[]> {
  const names = await around.names("contracts");
  return names.some((name) => !name.startsWith(".")) ? [] : [buildPromptFinding("contracts-missing", {}, at)];
}

/** Behind the name of a contract that is not there. */
export const MISSING = " (missing when this was written)";

/** Those that are missing are named too, and said to be. */
async function withContracts(task: PlannedTask, place: string, around: PlanFiles) {
  const { contracts, diagnostics } = await findContracts(task, around);
  const there = new Map(contracts.map(({ at, value }) => [at, value]));
  const told = (task.spec?.contracts ?? []).map(({ value, at }: Located<string>) => {
    const path = there.get(at);
    return path === undefined ? `${value}${MISSING}` : below(place, path);
  });
  return { task, contracts: told, diagnostics };
}

type About = Pick<FolderTask, "path" | "recordedSources"> & Pick<PromptTask, "contracts" | "skills">;

function folderTask(task: PlannedTask, { path, recordedSources, ...about }: About): FolderTask[] {
  const { id, wave, needs, agent, spec } = task;
  if (spec === null) return [];
  const { title, objective, requirements, checklist } = spec.body;
  const values = (list: readonly Located<string>[]) => list.map(({ value }) => value);
  const name = title ?? spec.component ?? id.value;
  return [
    {
      path,
      recordedSources,
      names: [...new Set(task.promptFile ? [path] : [...promptNames(id.value, stemOf(spec))])],
      requirementsAt: requirements?.at ?? spec.at,
      checklistAt: checklist?.at ?? spec.at,
      titleAt: spec.body.titleAt,
      entriesAt: new Map(
        [...spec.create, ...spec.modify, ...spec.boundary].map(({ value, at }) => [value, at]),
      ),
      task: {
        id: id.value,
        title: name,
        component: spec.component ?? "",
        wave: wave?.value ?? 1,
        deps: values(needs),
        agent: agent?.value ?? "main",
        ...about,
        create: values(spec.create),
        modify: values(spec.modify),
        boundary: values(spec.boundary),
        objective: objective?.value || name,
        requirements: requirements?.value ?? "",
        checklist: checklist?.value ?? "",
      },
    },
  ];
}

/** What a prompt is made of and the task file does not have. */
export function sectionsMissing({ body, at, path }: TaskSpec): Diagnostic[] {
  const lacking = (name: string) =>
    buildPromptFinding("task-section-missing", { name, path, isEmpty: false }, at);
  const texts = [
    ["Requirements", body.requirements],
    ["Checklist", body.checklist],
  ] as const;
  return [
    ...(body.hasScope ? [] : [lacking("Scope")]),
    ...texts.flatMap(([name, section]) => {
      if (section === null) return [lacking(name)];
      if (section.value !== "") return [];
      return [buildPromptFinding("task-section-missing", { name, path, isEmpty: true }, section.at)];
    }),
  ];
}

/** Sections that no prompt has. How an agent answers is told by whoever runs it. */
function sectionsUnused({ body }: TaskSpec): Diagnostic[] {
  return body.others
    .filter(({ value }) => !/^output format\b/i.test(value))
    .map(({ value, at }) => buildPromptFinding("task-section-unused", { section: value }, at));
}

export const OVERVIEW = "agent-prompts.md";

type Placed = Pick<PlannedTask, "id" | "promptFile">;

/** Where prompts are written: as the manifest says, else by the id; in one folder, each under a name of its own. */
function promptPlaces(tasks: readonly Placed[]): {
  readonly pathOf: (task: Placed) => string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const taken = new Map<string, Placed>();
  const diagnostics = tasks.flatMap((task) => {
    const { id, promptFile } = task;
    const at = promptFile?.at ?? id.at;
    const path = pathOf(task);
    const wrong = (problem: { kind: "outside" | "overview" } | { kind: "taken"; other: string }) => [
      buildPromptFinding("prompt-place", { task: id.value, path, ...problem }, at),
    ];
    if (!isPlace(path)) return wrong({ kind: "outside" });
    // Some disks take names of one spelling for the same.
    const key = path.toLowerCase();
    const other = taken.get(key);
    taken.set(key, task);
    if (key === `prompts/${OVERVIEW}`) return wrong({ kind: "overview" });
    return other === undefined ? [] : wrong({ kind: "taken", other: other.id.value });
  });
  return { pathOf, diagnostics };
}

function pathOf({ id, promptFile }: Placed): string {
  return promptFile?.value.replace(/^\.\//, "") ?? `prompts/${id.value}.txt`;
}

function isPlace(path: string): boolean {
  const name = /^prompts\/([^/\\]+)$/.exec(path)?.[1] ?? "";
  return (
    !name.startsWith(".") && name.trim() !== "" && !Array.from(name).some((c) => c < " " || c === "\u007f")
  );
}
