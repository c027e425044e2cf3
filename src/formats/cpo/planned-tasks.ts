import { basename, posix } from "node:path";
import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { quoted } from "../../core/analyze/words.ts";
import { parseTaskId } from "../../core/ids.ts";
import { type Diagnostic, diagnostic, type Located } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { FormatCode } from "../codes.ts";
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

/** The name of a task file without its ending. */
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
        found.push(specMissing(task));
      const agent = task.agent ?? spec?.agent ?? null;
      return {
        id: task.id,
        wave: number,
        agent,
        promptFile: task.promptFile,
        spec,
        covers: pickCovers(task, spec),
      };
    }),
  );
}

function pickCovers(task: ManifestTask, spec: TaskSpec | null): readonly Located<string>[] {
  const own = spec?.coverage.covers ?? [];
  return own.length > 0 ? own : task.covers;
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

function numberOf(spec: TaskSpec): string | null {
  return taskNumber(stemOf(spec)) ?? taskNumber(spec.id?.value ?? "");
}

function ofFiles({ files }: Manifest, specs: readonly TaskSpec[], found: Diagnostic[]): Unlinked[] {
  return files.flatMap((file) => {
    const path = posix.normalize(file.value);
    const spec = specs.find((one) => one.path === path || one.path === `tasks/${path}`);
    if (spec === undefined) {
      const message = `the manifest names the task file ${quoted(file.value)}, which does not exist`;
      const near = nearest(
        path,
        specs.map((one) => one.path),
      );
      const hint = near
        ? `did you mean ${quoted(near)}?`
        : "names are relative to the folder of the manifest";
      found.push(diagnostic({ code: "spec-missing" satisfies FormatCode, message, at: file.at, hint }));
      return [];
    }
    const id = spec.id ?? { value: stemOf(spec), at: file.at };
    return [{ id, wave: spec.wave, agent: spec.agent, promptFile: null, spec, covers: spec.coverage.covers }];
  });
}

function specMissing({ id }: ManifestTask): Diagnostic {
  return diagnostic({
    code: "spec-missing" satisfies FormatCode,
    severity: "warning",
    message: `${quoted(id.value)} has no task file, so nothing is known of its scope and its needs`,
    at: id.at,
    hint: `write tasks/${id.value}.md`,
  });
}

function unusedSpec(spec: TaskSpec, { generation }: Manifest): Diagnostic {
  return diagnostic({
    code: "spec-unused" satisfies FormatCode,
    severity: "warning",
    message: `the task file ${quoted(spec.path)} belongs to no task of the manifest and is skipped`,
    at: spec.id?.at ?? spec.at,
    hint: generation === "files" ? "add it to tasks.files" : "add its task to a wave, or delete the file",
  });
}

function contradictions(task: ManifestTask, number: Located<number>, spec: TaskSpec): Diagnostic[] {
  const name = quoted(task.id.value);
  const code: FormatCode = "spec-mismatch";
  const here = { at: task.id.at, message: `${name} is here in the manifest` };
  const found: Diagnostic[] = [];
  if (spec.id && !isSameTask(spec.id.value, task.id.value)) {
    const message = `the task file of ${name} has the id ${quoted(spec.id.value)}`;
    const hint = `write id: ${task.id.value}, or rename the file`;
    found.push(diagnostic({ code, message, at: spec.id.at, hint, related: [here] }));
  }
  if (spec.wave && spec.wave.value !== number.value) {
    const message = `the task file of ${name} says wave ${spec.wave.value}, the manifest says wave ${number.value}`;
    const related = [{ at: number.at, message: `wave ${number.value} is here in the manifest` }];
    found.push(diagnostic({ code, message, at: spec.wave.at, hint: `write wave: ${number.value}`, related }));
  }
  const [agent, other] = [task.agent, spec.agent];
  if (agent && other && bareName(agent.value) !== bareName(other.value)) {
    const message = `the task file of ${name} names the agent ${quoted(other.value)}, the manifest ${quoted(agent.value)}, which is used`;
    const related = [{ at: agent.at, message: "the manifest's agent is here" }];
    const hint = `write agent: ${agent.value}`;
    found.push(diagnostic({ code, severity: "warning", message, at: other.at, hint, related }));
  }
  const covers = spec.coverage.covers.map(({ value }) => value).sort();
  const listed = task.covers.map(({ value }) => value).sort();
  if (covers.length > 0 && listed.length > 0 && covers.join() !== listed.join()) {
    const message = `the task file of ${name} covers ${covers.join(", ")}, which is used, the manifest lists ${listed.join(", ")}`;
    const at = spec.coverage.covers[0]?.at ?? spec.at;
    const hint = "write the same in both";
    found.push(diagnostic({ code, severity: "warning", message, at, hint, related: [here] }));
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
  if (parseTaskId(id.value).ok && !/^task-\d{3,}(?:-[\w-]+)?$/.test(id.value)) {
    const message = `the task id ${quoted(id.value)} is not of the form task-001 or task-001-component`;
    const hint = "other tools of this format find files by the number";
    found.push(
      diagnostic({
        code: "task-id-form" satisfies FormatCode,
        severity: "warning",
        message,
        at: id.at,
        hint,
      }),
    );
  }
  if (agent === null) {
    const message = `${quoted(id.value)} names no agent and runs as the agent program itself`;
    const hint = 'add "agent": "plugin:agent"';
    found.push(
      diagnostic({ code: "missing-key" satisfies FormatCode, severity: "warning", message, at: id.at, hint }),
    );
  } else if (!/^[\w-]+(?::[\w-]+)?$/.test(agent.value)) {
    const message = `${quoted(id.value)} names the agent ${quoted(agent.value)}, which is no name of one`;
    const hint = "write plugin:agent, or the name of the agent alone";
    found.push(diagnostic({ code: "bad-agent" satisfies AnalyzeCode, message, at: agent.at, hint }));
  }
  return found;
}

const examples: Readonly<Record<string, string>> = {
  id: "id: task-001",
  component: "component: users",
  wave: "wave: 1",
  deps: "deps: [] where it needs no other task",
  agent: "agent: plugin:agent",
  contracts: "contracts: [contracts/types.ts], or [] where there are none",
};

/** The manifest says most of it too; but where tasks are files, nothing else says the wave. */
function missingKeys({ spec, wave }: Unlinked, { generation }: Manifest): Diagnostic[] {
  const isNeeded = (key: string) => generation === "files" && key === "wave";
  const keys = new Set([...(spec?.missing ?? []), ...(spec && wave === null ? ["wave"] : [])]);
  return [...keys].map((key) =>
    diagnostic({
      code: "missing-key" satisfies FormatCode,
      severity: isNeeded(key) ? "error" : "warning",
      message: `the key ${quoted(key)} is missing in the front matter of the task file`,
      at: spec?.at ?? null,
      hint: `add ${examples[key]}`,
    }),
  );
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
  const near = nearest(
    value,
    ids.filter((id) => id !== task),
  );
  return diagnostic({
    code: "unknown-need" satisfies AnalyzeCode,
    message: `${quoted(task)} blocks ${quoted(value)}, which is no task of this plan`,
    at,
    hint: near ? `did you mean ${quoted(near)}?` : "delete it, or add the task to the manifest",
  });
}
