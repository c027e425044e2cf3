import { createHash } from "node:crypto";
import { accountKey, oid, parseGroupName, parseTaskId, type TaskId, textHash } from "../../src/core/ids.ts";
import type { Gate, LandStyle, Plan, Task } from "../../src/core/plan.ts";

/** Small plans for tests: say what matters, the rest is filled in. */
export type TaskSketch = {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly group?: string;
} & Partial<Omit<Task, "id" | "needs" | "group">>;

export type PlanSketch = { readonly limits?: { readonly [group: string]: number } } & Partial<
  Omit<Plan, "tasks" | "limits">
>;

export function planOf(tasks: readonly TaskSketch[], { limits = {}, ...rest }: PlanSketch = {}): Plan {
  const gates = rest.gates ?? [];
  return {
    name: "test",
    source: { format: "native", path: "plan.yaml", hash: hashOf("plan") },
    context: [],
    prepare: NOTHING_TO_PREPARE,
    hooks: { start: [], end: [], failed: [], held: [] },
    notify: { bell: false, desktop: false, command: null, webhook: null, when: "needed" },
    keepAwake: false,
    budgetUsd: null,
    land: "end",
    landStyle: PLAIN_STYLE,
    publish: "no",
    enforce: "report",
    slots: null,
    ports: null,
    saveMaxBytes: 100_000_000,
    prices: [],
    folder: null,
    webhooks: { complete: null, failure: null },
    mergeMessage: null,
    ...rest,
    limits: Object.entries(limits).map(([group, max]) => ({ group: groupName(group), max })),
    gates,
    tasks: tasks.map((sketch) => taskOf(sketch, gates)),
  };
}

export const PLAIN_STYLE: LandStyle = {
  as: "merge",
  sign: false,
  signoff: false,
  message: null,
  author: "kept",
};

const NOTHING_TO_PREPARE = { copy: [], include: [], envFiles: false, setup: [], teardown: [] };

function taskOf({ id, needs = [], group, ...rest }: TaskSketch, planGates: readonly Gate[]): Task {
  const isReadOnly = rest.access === "read-only";
  return {
    id: taskId(id),
    title: id,
    needs: needs.map(taskId),
    wave: null,
    work: agentWork,
    access: "write",
    owns: [],
    boundary: [],
    gates: isReadOnly ? [] : planGates,
    prepare: NOTHING_TO_PREPARE,
    retries: 1,
    fixRounds: 0,
    race: 1,
    limits: { startMs: 60_000, idleMs: 600_000, totalMs: 2_700_000 },
    group: group === undefined ? null : groupName(group),
    env: {},
    priority: 0,
    estimate: null,
    allowEmpty: false,
    approve: false,
    history: "keep",
    artifacts: [],
    reports: [],
    hears: null,
    doneFile: null,
    dir: null,
    ...rest,
  };
}

export const agentWork: Extract<Task["work"], { kind: "agent" }> = {
  kind: "agent",
  agent: { use: "claude", name: null, model: null },
  prompt: { hash: hashOf("prompt"), bytes: 6, file: null },
  systemPrompt: null,
  tools: { allow: [], deny: [] },
  budgetUsd: null,
};

export function gateOf(line: string, rest: Partial<Gate> = {}): Gate {
  const run = { kind: "shell", line } as const;
  return {
    name: line,
    run,
    dir: null,
    when: [],
    retries: 0,
    slots: null,
    timeoutMs: 60_000,
    env: {},
    knownRed: false,
    results: null,
    ...rest,
  };
}

export const ACCOUNT = accountKey({ vendor: "anthropic", account: "me", model: "default" });

export function taskId(text: string): TaskId {
  const parsed = parseTaskId(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.id;
}

function groupName(text: string) {
  const parsed = parseGroupName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.id;
}

/** The same object name for the same word. */
export function oidOf(word: string) {
  return oid(createHash("sha1").update(word).digest("hex"));
}

export function hashOf(word: string) {
  return textHash(createHash("sha256").update(word).digest("hex"));
}
