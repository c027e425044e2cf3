import { startOf } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import { taskNumber } from "../../formats/cpo/prompt.ts";
import type { PlanFiles, PlanInput } from "../../formats/format.ts";
import { indexText } from "../../formats/text-index.ts";
import { promptFolderOf, readRecord } from "../prompt-folder.ts";
import { technologies } from "../spec-contents.ts";
import { GRAPH } from "../task-graph-text.ts";
import { buildFolderFinding } from "./catalog.ts";
import { checkFolderCoverage } from "./check-coverage.ts";
import { checkFolderContracts } from "./check-folder-contracts.ts";
import { checkPrompts, findStalePrompts } from "./check-prompts.ts";
import { findSpecFile } from "./find-spec-file.ts";

/**
 * What is wrong in an artefact folder beyond what a run has to know: contracts, prompts, the graph, the metadata, what is missing.
 * What reading it as a plan tells is not told again.
 */
export async function checkFolder(input: PlanInput, caps: Caps, around: PlanFiles): Promise<Diagnostic[]> {
  const read = await readTasks(input, caps, around);
  const agreed = await checkFolderContracts(around);
  if (read.manifest === null) return agreed;
  const { manifest } = read;
  const source = await checkSpecSource(manifest, around);
  const whole = [...(await checkWhole(manifest.at.file, around)), ...source];
  if (manifest.hasLostTasks) return [...whole, ...agreed]; // which tasks there are, nobody knows
  const { tasks } = read.planned;
  const { folder } = await promptFolderOf(read, caps, around);
  return [
    ...whole,
    ...checkMetadata(manifest, tasks),
    ...(await checkGraph(tasks, around)),
    ...(await checkFolderCoverage({ manifest, tasks }, around)),
    ...agreed,
    ...(await checkPrompts(tasks, folder, around)),
  ];
}

/** What keeps a folder from being run although it can be read as a plan. */
export async function checkRunnable(input: PlanInput, caps: Caps, around: PlanFiles): Promise<Diagnostic[]> {
  const read = await readTasks(input, caps, around);
  if (read.manifest === null || read.manifest.hasLostTasks) return [];
  const { folder, diagnostics } = await promptFolderOf(read, caps, around);
  if (folder === null && (await readRecord(around)).size > 0)
    return diagnostics.filter(({ code }) => SOURCES.includes(code));
  return findStalePrompts(read.planned.tasks, folder, around);
}

/** Sources that generated prompts were made of. */
const SOURCES = ["context-missing", "contracts-missing", "task-section-missing"];

async function checkSpecSource(manifest: Manifest, around: PlanFiles): Promise<Diagnostic[]> {
  const { techSpec } = manifest.sources;
  const found = await findSpecFile(manifest, around);
  if (techSpec === null || found?.isMoved === false) return [];
  const params = { path: techSpec.value, moved: found?.path ?? null };
  return [buildFolderFinding("tech-spec-missing", params, techSpec.at)];
}

const CONTEXT = "context.md";

/** Files that a whole folder has. A missing prompt or task file is told where it is asked for. */
async function checkWhole(manifest: string, around: PlanFiles): Promise<Diagnostic[]> {
  const names = await around.names(".");
  const missing = [CONTEXT, "architecture.md", GRAPH].filter((name) => !names.includes(name));
  const hasContracts = (await around.names("contracts")).length > 0;
  const all = [...missing, ...(hasContracts ? [] : ["contracts"])];
  const lacking =
    all.length === 0
      ? []
      : [buildFolderFinding("folder-incomplete", { kind: "missing", missing: all }, startOf(manifest))];
  const context = missing.includes(CONTEXT) ? null : await around.read(CONTEXT);
  if (!context?.ok || context.text.trim() !== "") return lacking; // an unreadable one is reported elsewhere
  return [
    ...lacking,
    buildFolderFinding("folder-incomplete", { kind: "empty", empty: CONTEXT }, startOf(context.file)),
  ];
}

function checkMetadata(
  { totalTasks, criticalPath, technology }: Manifest,
  tasks: readonly PlannedTask[],
): Diagnostic[] {
  const ids = tasks.map(({ id }) => id.value);
  const found: Diagnostic[] = [...checkTechnology(technology)];
  if (totalTasks !== null && totalTasks.value !== ids.length) {
    const params = { kind: "count", written: totalTasks.value, tasks: ids.length } as const;
    found.push(buildFolderFinding("metadata-stale", params, totalTasks.at));
  }
  const isKnown = (name: string) => ids.some((id) => id === name || taskNumber(id) === name);
  for (const { value, at } of criticalPath.filter((step) => !isKnown(step.value))) {
    const params = { kind: "critical-path", task: value, suggestion: nearest(value, ids) } as const;
    found.push(buildFolderFinding("metadata-stale", params, at));
  }
  return found;
}

function checkTechnology(technology: Manifest["technology"]): Diagnostic[] {
  if (technology === null || technologies.some((one) => one === technology.value)) return [];
  const { value, at } = technology;
  const params = { technology: value, suggestion: nearest(value, technologies), known: technologies };
  return [buildFolderFinding("technology-unknown", params, at)];
}

/** Whether the picture shows the tasks that there are. A task is known by its number, since labels and keys have it in many forms. */
async function checkGraph(tasks: readonly PlannedTask[], around: PlanFiles): Promise<Diagnostic[]> {
  const read = await around.read(GRAPH);
  const folder = around.named;
  if (!read.ok) {
    if (read.isMissing) return []; // reported elsewhere
    const params = { kind: "unreadable", problem: read.problem, folder } as const;
    return [buildFolderFinding("graph-stale", params, startOf(read.file))];
  }
  const { text } = read;
  const index = indexText(read.file, text);
  const numbers = new Set(tasks.flatMap(({ id }) => numberOf(id.value) ?? []));
  const shown = new Map<number, { readonly at: number; readonly words: string }>();
  for (const { 0: words, 1: digits, index: at } of text.matchAll(TASK)) {
    const number = Number(digits);
    if (!shown.has(number)) shown.set(number, { at, words });
  }
  const unknown = [...shown].filter(([number]) => !numbers.has(number));
  const missing = tasks
    .map(({ id }) => id.value)
    .filter((id) => !text.includes(id) && !shown.has(numberOf(id) ?? Number.NaN));
  const whole = index.lineRange(0, text.length);
  return [
    ...unknown.map(([, { at, words }]) =>
      buildFolderFinding(
        "graph-stale",
        { kind: "unknown", task: words, folder },
        index.range(at, at + words.length),
      ),
    ),
    ...(missing.length === 0
      ? []
      : [buildFolderFinding("graph-stale", { kind: "missing", tasks: missing, folder }, whole)]),
  ];
}

/** `task-001`, `task_001`, `Task001`. */
const TASK = /\btask[-_ ]?(\d{3,})(?!\d)/gi;

function numberOf(id: string): number | null {
  const digits = /^task-(\d+)/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
