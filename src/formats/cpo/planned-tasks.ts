import { basename, posix } from "node:path";
import { parseTaskId } from "../../core/ids.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { quoted } from "../../core/text/figures.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { Manifest, ManifestTask } from "./manifest.ts";
import { taskNumber } from "./prompt.ts";
import type { TaskSpec } from "./task-spec.ts";

/** A task as manifest and task file say together. */
export type PlannedTask = {
  readonly id: Located<string>;
  readonly wave: Located<number> | null;
  readonly agent: Located<string> | null;
  readonly promptFile: Located<string> | null;
  readonly spec: TaskSpec | null;
  /** Requirements that it builds: as the task file says, else as the manifest does. */
  readonly covers: readonly Located<string>[];
  readonly needs: readonly Located<string>[];
};

export type PlannedTasks = {
  readonly tasks: readonly PlannedTask[];
  readonly diagnostics: readonly Diagnostic[];
};

type Unlinked = Omit<PlannedTask, "needs">;

/** Puts each task together with its file; what the two say of one thing must agree. */
export function planTasks(manifest: Manifest, specs: readonly TaskSpec[]): PlannedTasks {
  const found: Diagnostic[] = [];
  const unlinked =
    manifest.generation === "files" ? ofFiles(manifest, specs, found) : ofWaves(manifest, specs, found);
  const used = new Set(unlinked.map(({ spec }) => spec));
  const unused = manifest.hasLostTasks ? [] : specs.filter((spec) => !used.has(spec));
  found.push(...unused.map((spec) => unusedSpec(spec, manifest)));
  found.push(...unlinked.flatMap(checkNames), ...unlinked.flatMap((task) => missingKeys(task, manifest)));
  const tasks = withNeeds(unlinked, { hasLostTasks: manifest.hasLostTasks, found });
  return { tasks, diagnostics: found };
}

export function stemOf({ path }: TaskSpec): string {
  return basename(path).replace(/\.md$/i, "");
}

function ofWaves({ waves }: Manifest, specs: readonly TaskSpec[], found: Diagnostic[]): Unlinked[] {
  const all = waves.flatMap(({ tasks }) => tasks);
  const specOf = matched(all, specs);
  return waves.flatMap(({ number, tasks }) =>
    tasks.map((task) => {
      const spec = specOf.get(task) ?? null;
      if (spec !== null) found.push(...contradictions(task, number, spec));
      else if (!all.some((other) => other.id.value === task.id.value && specOf.has(other)))
        found.push(buildFormatFinding("spec-missing", { kind: "none", task: task.id.value }, task.id.at));
      const { id, promptFile } = task;
      const agent = task.agent ?? spec?.agent ?? null;
      const own = spec?.coverage.covers ?? [];
      return { id, wave: number, agent, promptFile, spec, covers: own.length > 0 ? own : task.covers };
    }),
  );
}

/** By id, by the name of the file, and where that finds nothing by the number, if it is the only one on both sides. */
function matched(tasks: readonly ManifestTask[], specs: readonly TaskSpec[]): Map<ManifestTask, TaskSpec> {
  const found = new Map<ManifestTask, TaskSpec>();
  const used = new Set<TaskSpec>();
  const claim = (
    specsOf: ReadonlyMap<string | null, readonly TaskSpec[]>,
    keyOf: (task: ManifestTask) => string | null,
  ) => {
    for (const task of tasks) {
      const key = keyOf(task);
      const spec =
        key === null || found.has(task) ? undefined : specsOf.get(key)?.find((one) => !used.has(one));
      if (spec === undefined) continue;
      found.set(task, spec);
      used.add(spec);
    }
  };
  claim(
    groupedBy(specs, ({ id }) => id?.value ?? null),
    ({ id }) => id.value,
  );
  claim(groupedBy(specs, stemOf), ({ id }) => id.value);
  const numberOf = (spec: TaskSpec) => taskNumber(stemOf(spec)) ?? taskNumber(spec.id?.value ?? "");
  const byNumber = groupedBy(specs, numberOf);
  const sharing = groupedBy(tasks, ({ id }) => taskNumber(id.value));
  claim(byNumber, ({ id }) => {
    const number = taskNumber(id.value);
    return byNumber.get(number)?.length === 1 && sharing.get(number)?.length === 1 ? number : null;
  });
  return found;
}

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string | null): Map<string | null, T[]> {
  const found = new Map<string | null, T[]>();
  for (const one of list) {
    const group = found.get(keyOf(one));
    if (group === undefined) found.set(keyOf(one), [one]);
    else group.push(one);
  }
  return found;
}

function ofFiles({ files }: Manifest, specs: readonly TaskSpec[], found: Diagnostic[]): Unlinked[] {
  return files.flatMap((file) => {
    const path = posix.normalize(file.value);
    const spec = specs.find((one) => one.path === path || one.path === `tasks/${path}`);
    if (spec === undefined) {
      const paths = specs.map((one) => one.path);
      const suggestion = nearest(path, paths);
      const params = { kind: "named", path: file.value, suggestion } as const;
      found.push(buildFormatFinding("spec-missing", params, file.at, { severity: "error" }));
      return [];
    }
    const id = spec.id ?? { value: stemOf(spec), at: file.at };
    return [{ id, wave: spec.wave, agent: spec.agent, promptFile: null, spec, covers: spec.coverage.covers }];
  });
}

function unusedSpec(spec: TaskSpec, { generation }: Manifest): Diagnostic {
  const params = { path: spec.path, isListed: generation === "files" };
  return buildFormatFinding("spec-unused", params, spec.id?.at ?? spec.at);
}

function contradictions(one: ManifestTask, number: Located<number>, spec: TaskSpec): Diagnostic[] {
  const task = one.id.value;
  const here = [{ at: one.id.at, what: quoted(task) }];
  const found: Diagnostic[] = [];
  if (spec.id && !isSameTask(spec.id.value, task))
    found.push(
      buildFormatFinding("spec-mismatch", { task, key: "id", file: spec.id.value }, spec.id.at, {
        related: here,
      }),
    );
  if (spec.wave && spec.wave.value !== number.value) {
    const params = { task, key: "wave", file: spec.wave.value, manifest: number.value } as const;
    const related = [{ at: number.at, what: `wave ${number.value}` }];
    found.push(buildFormatFinding("spec-mismatch", params, spec.wave.at, { related }));
  }
  const [agent, other] = [one.agent, spec.agent];
  if (agent && other && bareName(agent.value) !== bareName(other.value)) {
    const params = { task, key: "agent", file: other.value, manifest: agent.value } as const;
    const related = [{ at: agent.at, what: "the agent" }];
    found.push(buildFormatFinding("spec-mismatch", params, other.at, { related, severity: "warning" }));
  }
  const file = spec.coverage.covers.map(({ value }) => value).sort();
  const manifest = one.covers.map(({ value }) => value).sort();
  if (file.length > 0 && manifest.length > 0 && file.join() !== manifest.join()) {
    const at = spec.coverage.covers[0]?.at ?? spec.at;
    const details = { related: here, severity: "warning" } as const;
    found.push(buildFormatFinding("spec-mismatch", { task, key: "covers", file, manifest }, at, details));
  }
  return found;
}

/** Equal, or one of them the number alone. */
function isSameTask(a: string, b: string): boolean {
  return a === b || (taskNumber(a) === taskNumber(b) && (a === taskNumber(b) || b === taskNumber(a)));
}

function bareName(agent: string): string {
  return agent.replace(/^.*:/, "");
}

function checkNames({ id, agent }: Unlinked): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (parseTaskId(id.value).ok && !/^task-\d{3,}(?:-[\w-]+)?$/.test(id.value))
    found.push(buildFormatFinding("task-id-form", { task: id.value }, id.at));
  if (agent === null) {
    const params = { key: "agent", place: quoted(id.value), line: '"agent": "plugin:agent"' };
    found.push(buildFormatFinding("missing-key", params, id.at, { severity: "warning" }));
  } else if (!/^[\w-]+(?::[\w-]+)?$/.test(agent.value)) {
    const fix = "use the agent's name, or `plugin:agent`";
    const params = { subject: quoted(id.value), value: agent.value, problem: "is not an agent name", fix };
    found.push(buildFormatFinding("bad-agent", { ...params, kind: "agent" }, agent.at));
  }
  return found;
}

const examples: Readonly<Record<string, string>> = {
  id: "id: task-001",
  component: "component: users",
  wave: "wave: 1",
  deps: "deps: []",
  agent: "agent: plugin:agent",
  contracts: "contracts: []",
};

/** The manifest says most of it too; but where tasks are files, nothing else says the wave. */
function missingKeys({ spec, wave }: Unlinked, { generation }: Manifest): Diagnostic[] {
  const isNeeded = (key: string) => generation === "files" && key === "wave";
  const keys = new Set([...(spec?.missing ?? []), ...(spec && wave === null ? ["wave"] : [])]);
  return Array.from(keys, (key) => {
    const params = { key, place: "the task file", line: examples[key] ?? key };
    const severity = isNeeded(key) ? "error" : "warning";
    return buildFormatFinding("missing-key", params, spec?.at ?? null, { severity });
  });
}

type Around = { readonly hasLostTasks: boolean; readonly found: Diagnostic[] };

/** `deps` of a task, and every task that says it blocks this one. */
function withNeeds(tasks: readonly Unlinked[], { hasLostTasks, found }: Around): PlannedTask[] {
  const resolve = resolver(tasks.map(({ id }) => id.value));
  const needs = new Map(tasks.map((task) => [task.id.value, [] as Located<string>[]]));
  for (const { id, spec } of tasks) {
    const own = needs.get(id.value) as Located<string>[];
    for (const { value, at } of spec?.deps ?? []) own.push({ value: resolve(value), at });
  }
  for (const { id, spec } of tasks) {
    for (const { value, at } of spec?.blocks ?? []) {
      const blocked = needs.get(resolve(value));
      if (blocked === undefined) {
        if (!hasLostTasks) found.push(unknownBlock(id.value, { value, at }, [...needs.keys()]));
      } else if (!blocked.some((need) => need.value === id.value)) blocked.push({ value: id.value, at });
    }
  }
  return tasks.map((task) => ({ ...task, needs: needs.get(task.id.value) ?? [] }));
}

/** Files say `task-001` where the manifest says `task-001-users`, and the other way round. */
function resolver(ids: readonly string[]): (name: string) => string {
  const known = new Set(ids);
  const byNumber = groupedBy(ids, taskNumber);
  return (name) => {
    const number = taskNumber(name);
    if (known.has(name) || number === null) return name;
    const same = (byNumber.get(number) ?? []).filter((id) => isSameTask(id, name));
    return same.length === 1 ? (same[0] as string) : name;
  };
}

function unknownBlock(task: string, { value, at }: Located<string>, ids: readonly string[]): Diagnostic {
  const others = ids.filter((id) => id !== task);
  const about = { task, need: value, suggestion: nearest(value, others), ids: others };
  const params = { ...about, verb: "blocks" } as const;
  return buildFormatFinding("unknown-need", params, at);
}
