import { basename } from "node:path";
import type { ClaimDraft, EnvDraft, Lost, PlanDraft, TaskDraft } from "../../core/draft.ts";
import { slug } from "../../core/each/variables.ts";
import { parseGroupName } from "../../core/ids.ts";
import type { Located } from "../../core/source.ts";
import { listOf, type Places, placesIn } from "../native/places.ts";
import { envOf } from "../native/settings-draft.ts";
import { plainTask, unprepared, unsaid, unset } from "../unsaid.ts";
import type { Overlay } from "./overlay.ts";
import { reportPath } from "./path-rules.ts";
import { claimPath, type Place, wayToBase } from "./place.ts";
import type { Manifest, ManifestTask } from "./schema.ts";
import { GUARD, isAgentName } from "./task-rules.ts";

/** Where the file comes from, what it is about, and where its values stand. */
export type DraftSource = Places & {
  readonly path: string;
  /** Null where its `cwd` is not known: nothing is said about paths then. */
  readonly place: Place | null;
  readonly overlay: Overlay | null;
  readonly lost: Lost;
};

/** The one limit that parallel-orchestra had: from start to end, whether or not something is heard. */
const LIMIT_MS = 900_000;
const RETRIES = 1;
const LONGEST_NAME = 200;
/** Where its agents put what they have to say. */
const REPORTS = ".claude/reports/**";

/** The checked manifest as a draft. What it says nothing of is as parallel-orchestra had it. */
export function draftOf(file: Manifest, source: DraftSource): PlanDraft {
  const { path, place, overlay, lost, at, keyAt } = source;
  const limits = usedLimits(file);
  return {
    format: "po",
    path,
    name: nameOf(file.name, path),
    ...unsaid,
    tasks: file.tasks.map((task, i) => taskOf(task, placesIn(source, "tasks", i), { place, limits })),
    defaults: {
      ...unset,
      retries: file.defaults?.max_retries ?? RETRIES,
      ...{ startMs: LIMIT_MS, idleMs: LIMIT_MS, totalMs: LIMIT_MS },
    },
    limits: Object.entries(limits).map(([group, max]) => ({
      group: { value: groupName(group), at: keyAt("concurrency_limits", group) },
      max: { value: max, at: at("concurrency_limits", group) },
    })),
    prepare: { ...unprepared, copy: overlay?.copy.map((value) => ({ value, at: at("cwd") })) ?? null },
    ...(place && { folder: place.base }),
    webhooks: {
      complete: file.on_complete?.webhook_url ?? null,
      failure: file.on_failure?.webhook_url ?? null,
    },
    landStyle: { as: "merge" }, // its promise is a merge commit for each task
    mergeMessage: "Merge parallel-orchestra task {task}",
    commitMessage: "parallel-orchestra: task {task} [auto-commit]",
    ...(lost.tasks.length + lost.groups.length > 0 && { lost }),
  };
}

/** Those of nobody are warned of. */
function usedLimits({ concurrency_limits, tasks }: Manifest): { readonly [group: string]: number } {
  const used = new Set(tasks.map((task) => task.concurrency_group));
  return Object.fromEntries(Object.entries(concurrency_limits ?? {}).filter(([group]) => used.has(group)));
}

/** Any scalar; without one the name of the file. */
function nameOf(name: Manifest["name"], path: string): string {
  const line = String(name ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST_NAME);
  return line === "" ? basename(path).replace(/\.[^.]*$/, "") : line;
}

/** Any text was a name of a group. */
function groupName(text: string): string {
  return text === "" || parseGroupName(text).ok ? text : slug(text, LONGEST_GROUP);
}

const LONGEST_GROUP = 64;

type Surroundings = { readonly place: Place | null; readonly limits: object };

function taskOf(task: ManifestTask, places: Places, { place, limits }: Surroundings): TaskDraft {
  const { at } = places;
  const { agent, read_only: isReader } = task;
  const group = task.concurrency_group ?? "";
  const way = place === null ? "" : wayToBase(place);
  return {
    ...plainTask,
    id: { value: task.id, at: at("id") },
    needs: needsOf(task, places),
    work: {
      kind: "agent",
      prompt: { value: { kind: "inline", text: task.prompt ?? `/agent-${agent}` }, at: at("prompt") },
    },
    owns: place === null || isReader ? [] : ownsOf(task, places, place),
    artifacts: isReader ? [] : [{ value: REPORTS, at: at("id") }],
    settings: {
      ...unset,
      agent: isAgentName(agent) ? { value: { name: agent }, at: at("agent") } : null,
      access: isReader ? "read-only" : "write",
      retries: task.max_retries ?? null,
      allowEmpty: task.allow_empty ?? null,
      // One without a limit is reported.
      group: Object.hasOwn(limits, group) ? { value: groupName(group), at: at("concurrency_group") } : null,
      env: variablesOf(task, places),
      // Who writes starts at the root of a worktree; who only reads, in the folder that the manifest is about.
      ...(isReader && way !== "" && { dir: { value: way, at: at("read_only") } }),
    },
    ...(isReader && { reports: reportsOf(task, places, place) }),
  };
}

/** The same need twice was one to parallel-orchestra. */
function needsOf({ depends_on }: ManifestTask, { at }: Places): Located<string>[] {
  const needs = new Map<string, Located<string>>();
  for (const need of listOf(depends_on ?? [], (i) => at("depends_on", i)))
    if (!needs.has(need.value)) needs.set(need.value, need);
  return [...needs.values()];
}

/** What leads out of the repository is reported. */
function ownsOf({ writes }: ManifestTask, { at }: Places, place: Place): ClaimDraft[] {
  return listOf(writes ?? [], (i) => at("writes", i)).flatMap((written) => {
    const path = claimPath(written.value, place);
    return path === null ? [] : [{ mode: "any" as const, text: { value: path, at: written.at } }];
  });
}

function variablesOf({ env }: ManifestTask, places: Places): EnvDraft {
  return envOf(env ?? {}, places).filter(({ name }) => name.value !== GUARD); // that is refused
}

/** What it declares, and where parallel-orchestra's agents report: from the root, and from where the task starts. */
function reportsOf({ writes }: ManifestTask, { at }: Places, place: Place | null): Located<string>[] {
  const way = place === null ? "" : wayToBase(place);
  const usual = way === "" ? [REPORTS] : [REPORTS, `${way}/${REPORTS}`];
  const declared = listOf(writes ?? [], (i) => at("writes", i)).flatMap((written) => {
    const value = place && reportPath(written.value, place);
    return value ? [{ value, at: written.at }] : [];
  });
  return [...declared, ...usual.map((value) => ({ value, at: at("read_only") }))];
}
