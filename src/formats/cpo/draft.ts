import type { ClaimDraft, PlanDraft, TaskDraft, TaskSettingsDraft } from "../../core/draft.ts";
import { matches } from "../../core/ownership/match.ts";
import { parseClaim, parsePattern } from "../../core/ownership/parse.ts";
import type { Command } from "../../core/plan.ts";
import type { Located, SourceRange } from "../../core/source.ts";
import type { Ecosystem } from "../packages/spec.ts";
import { plainTask, unprepared, unsaid, unset } from "../unsaid.ts";
import type { Installation } from "./dependencies.ts";
import type { Manifest, Wave } from "./manifest.ts";
import type { PlannedTask } from "./planned-tasks.ts";
import { noTaskRules } from "./rules.ts";
import { DONE_FILE, SYSTEM_PROMPT } from "./system-prompt.ts";
import type { ToolAccess } from "./tools.ts";
import { validationCommand } from "./validation.ts";

/** A task with all that the folder says of it. */
export type ReadyTask = PlannedTask & {
  /** `text` where the file is not used as it is; null where there is no prompt, which has been told. */
  readonly prompt: { readonly path: string; readonly text: string | null } | null;
  /** From the artefact folder. */
  readonly contracts: readonly Located<string>[];
  readonly tools: ToolAccess;
};

export type Install = Pick<Installation, "line" | "program"> & {
  readonly ecosystem: Ecosystem;
  readonly at: SourceRange;
};

export type CpoParts = {
  readonly manifest: Manifest;
  readonly path: string;
  readonly name: string;
  readonly tasks: readonly ReadyTask[];
  readonly installs: readonly Install[];
  /** Of the manifest, from the root of the repository; null outside of one. */
  readonly folder: string | null;
  /** What lies beside the manifest. */
  readonly names: readonly string[];
  /** Some task is not among them, and has been told of. */
  readonly hasLost: boolean;
};

/** What an agent may take where nobody says otherwise, as ever in this format. */
const TWO_HOURS_MS = 2 * 3_600_000;

/**
 * Waves are barriers. What a wave's validation and the dependencies run are nodes between them, outside of the numbers that the
 * manifest gives: the validation needs the tasks of its wave, and the tasks of the next wave need it.
 */
export function draftOf(parts: CpoParts): PlanDraft {
  const { manifest, path, name, folder, hasLost } = parts;
  const { rules } = manifest;
  return {
    format: "cpo",
    path,
    name,
    ...unsaid,
    tasks: [...installTasks(parts.installs), ...inOrder(parts)].map((task) =>
      task.work.kind === "command" && rules.gates.length > 0 ? { ...task, gates: withoutGates } : task,
    ),
    defaults: { ...unset, totalMs: TWO_HOURS_MS },
    prepare: { ...unprepared, copy: folder === null ? null : copies(parts, folder) },
    gates: rules.gates,
    enforce: rules.enforce,
    ...(rules.consent.length > 0 && { consent: rules.consent }),
    slots: manifest.maxParallel,
    ...(hasLost && { lost: { tasks: "any", groups: [] } }),
  };
}

/** What agents are told to read, and what may not be committed. Only what git does not track is copied. */
function copies({ names, manifest }: CpoParts, folder: string): Located<string>[] {
  return ["architecture.md", "context.md", "contracts", "tasks"]
    .filter((name) => names.includes(name))
    .map((name) => ({ value: below(folder, name), at: manifest.at }));
}

function below(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** One after the other: each is committed before the next begins. */
function installTasks(installs: readonly Install[]): TaskDraft[] {
  return installs.map(({ ecosystem, line, program, at }, i) => {
    const before = installs[i - 1];
    const task = commandTask({
      id: { value: installId(ecosystem, installs), at },
      title: `dependencies for ${ecosystem === "python" ? "Python" : "Node"}`,
      needs: before ? [{ value: installId(before.ecosystem, installs), at }] : [],
      run: { kind: "shell", line },
      settings: { ...unset, access: "write", allowEmpty: true },
    });
    // A manifest that asks for packages asks for the lock file.
    return { ...task, work: { ...task.work, program }, consent: ["lockfiles"] };
  });
}

function installId(ecosystem: Ecosystem, { length }: readonly Install[]): string {
  return length === 1 ? "dependencies" : `dependencies-${ecosystem}`;
}

function inOrder(parts: CpoParts): TaskDraft[] {
  const { manifest, tasks, installs } = parts;
  const last = installs.at(-1);
  // What the next wave waits for besides the wave before it.
  let gate: Located<string>[] = last ? [{ value: installId(last.ecosystem, installs), at: last.at }] : [];
  const byWave = new Map<number | null, ReadyTask[]>();
  for (const task of tasks) {
    const number = task.wave?.value ?? null;
    byWave.set(number, [...(byWave.get(number) ?? []), task]);
  }
  const validations = new Map(manifest.waves.map((wave) => [wave.number.value, wave]));
  const judging = manifest.waves.filter(({ validation }) => validation !== null);
  const numbers = new Set([...byWave.keys(), ...judging.map(({ number }) => number.value)]);
  // Those of the latest wave that has any.
  let members: readonly ReadyTask[] = [];
  return [...numbers]
    .toSorted((a, b) => (a ?? 0) - (b ?? 0))
    .flatMap((number) => {
      const own = byWave.get(number) ?? [];
      const drafts = own.map((task) => agentTask(task, gate, parts));
      const wave = number === null ? undefined : validations.get(number);
      // A wave without tasks is judged when the one before is done, also with its validation.
      const after = own.length > 0 ? [] : gate;
      if (own.length > 0) members = own;
      // One that has nothing to judge is refused.
      const check = wave?.validation && members.length > 0 ? [validationTask(wave, members, after)] : [];
      if (own.length + check.length > 0) gate = check.map(({ id }) => id);
      return [...drafts, ...check];
    });
}

function validationTask(
  { number, validation }: Wave,
  members: readonly ReadyTask[],
  after: readonly Located<string>[],
): TaskDraft {
  const { value, at } = validation as Located<string>;
  return commandTask({
    id: { value: `wave-${number.value}-validation`, at },
    title: `validation of wave ${number.value}`,
    needs: [...members.map(({ id }) => id), ...after].map(({ value: id }) => ({ value: id, at })),
    run: validationCommand(value),
    // A check that is red stays red: nothing has changed since.
    settings: { ...unset, access: "read-only", retries: 0 },
  });
}

type CommandTask = Pick<TaskDraft, "id" | "title" | "needs" | "settings"> & { readonly run: Command };

function commandTask({ run, ...task }: CommandTask): TaskDraft {
  return { ...plainTask, ...task, work: { kind: "command", run, at: task.id.at } };
}

/**
 * Gates judge the work of tasks. Installing may leave the project red until a task has caught up with it, and a validation is a check
 * itself.
 */
const withoutGates = { mode: "only", gates: [] } as const;

function agentTask(task: ReadyTask, gate: readonly Located<string>[], { folder }: CpoParts): TaskDraft {
  const { id, spec, prompt } = task;
  const rules = spec?.rules ?? noTaskRules;
  const owns: ClaimDraft[] = [
    ...(spec?.create ?? []).map((text) => ({ mode: "create" as const, text })),
    ...(spec?.modify ?? []).map((text) => ({ mode: "modify" as const, text })),
  ];
  const source =
    prompt === null || prompt.text !== null
      ? ({ kind: "inline", text: prompt?.text ?? "?" } as const)
      : ({ kind: "file", file: prompt.path } as const);
  return {
    ...plainTask,
    id,
    title: spec?.title ?? null,
    needs: [...task.needs, ...gate],
    wave: task.wave,
    work: { kind: "agent", prompt: { value: source, at: task.promptFile?.at ?? id.at } },
    owns,
    boundary: [...(spec?.boundary ?? []), ...contractPaths(task, owns, folder)],
    gates: rules.gates,
    settings: agentSettings(task),
    ...(rules.consent.length > 0 && { consent: rules.consent }),
  };
}

/** Contracts are read by several tasks, so none may change them; but a glob that happens to reach one is not wrong for that. */
function contractPaths(
  { contracts }: ReadyTask,
  owns: readonly ClaimDraft[],
  folder: string | null,
): Located<string>[] {
  if (folder === null) return [];
  const globs = owns.flatMap(({ mode, text }) => {
    const parsed = parseClaim(text.value, mode);
    return parsed.ok && /[*?[{]/.test(text.value) ? [parsed.claim.pattern] : [];
  });
  return contracts
    .map(({ value, at }) => ({ value: below(folder, value), at }))
    .filter(({ value }) => parsePattern(value).ok && !globs.some((glob) => matches(glob, value) !== false));
}

function agentSettings({ id, agent, tools, spec }: ReadyTask): TaskSettingsDraft {
  const name = agent === null || agent.value === "main" ? null : agent;
  const mayWrite = !tools.isReadOnly;
  // An agent that may only do what is listed must be able to say that it is done.
  const done = { value: `Bash(touch ${DONE_FILE})`, at: tools.allow[0]?.at ?? id.at };
  const allow = mayWrite && tools.allow.length > 0 ? [...tools.allow, done] : tools.allow;
  return {
    ...unset,
    agent: name && { value: { name: name.value }, at: name.at },
    access: mayWrite ? null : "read-only",
    tools: allow.length > 0 ? { allow, deny: [] } : null,
    systemPrompt: { value: { kind: "inline", text: SYSTEM_PROMPT }, at: id.at },
    // The marker says that the agent is done. It is not work: a writing task changes something, unless its own file allows that.
    allowEmpty: spec?.rules.allowEmpty || null,
    doneFile: mayWrite ? { value: DONE_FILE, at: id.at } : null,
    estimate: spec?.estimateMs == null ? null : { timeMs: spec.estimateMs, costUsd: null },
  };
}
