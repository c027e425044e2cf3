import { parseGroupName, parseTaskId, type TaskId, textHash } from "../../src/core/ids.ts";
import type { Claim, PathPattern } from "../../src/core/ownership/pattern.ts";
import type { Command, Gate, Plan, Task, Work } from "../../src/core/plan.ts";

/** Plans made by hand, for tests of what is shown about a plan. */

export type SampleTask = Partial<Omit<Task, "id" | "needs" | "group" | "owns" | "boundary">> & {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly group?: string;
  readonly owns?: readonly string[];
  readonly boundary?: readonly string[];
};

export function samplePlan(tasks: readonly SampleTask[], rest: Partial<Plan> = {}): Plan {
  return {
    name: "sample",
    source: { format: "native", path: "plan.yaml", hash: textHash("0".repeat(64)) },
    context: [],
    tasks: tasks.map(sampleTask),
    limits: [],
    gates: [],
    prepare: { copy: [], setup: [], teardown: [] },
    hooks: { start: [], end: [], failed: [], held: [] },
    budgetUsd: null,
    land: "end",
    enforce: "report",
    slots: null,
    saveMaxBytes: 1_000_000,
    prices: [],
    ...rest,
  };
}

export function sampleGate(line: string, rest: Partial<Gate> = {}): Gate {
  return {
    name: line,
    run: shell(line),
    dir: null,
    when: [],
    retries: 0,
    slots: null,
    timeoutMs: 60_000,
    env: {},
    ...rest,
  };
}

export const shell = (line: string): Command => ({ kind: "shell", line });

export function agentWork(use = "claude", rest: Partial<Extract<Work, { kind: "agent" }>> = {}): Work {
  return {
    kind: "agent",
    agent: { use, name: null, model: null },
    prompt: { hash: textHash("1".repeat(64)), bytes: 10, file: null },
    tools: { allow: [], deny: [] },
    budgetUsd: null,
    ...rest,
  };
}

export const minutes = (n: number) => ({ timeMs: n * 60_000, costUsd: null });

function taskId(text: string): TaskId {
  const parsed = parseTaskId(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.id;
}

function sampleTask(task: SampleTask): Task {
  const group = task.group === undefined ? null : parseGroupName(task.group);
  return {
    title: task.id,
    wave: null,
    work: agentWork(),
    access: "write",
    gates: [],
    prepare: { copy: [], setup: [], teardown: [] },
    retries: 1,
    fixRounds: 1,
    race: 1,
    limits: { startMs: 1, idleMs: 1, totalMs: 1 },
    env: {},
    priority: 0,
    estimate: null,
    allowEmpty: false,
    approve: false,
    history: "keep",
    artifacts: [],
    ...task,
    id: taskId(task.id),
    needs: (task.needs ?? []).map(taskId),
    group: group?.ok ? group.id : null,
    owns: (task.owns ?? []).map(claim),
    boundary: (task.boundary ?? []) as readonly string[] as readonly PathPattern[],
  };
}

function claim(text: string): Claim {
  const [pattern, symbol] = text.split("::");
  return { mode: "any", pattern: pattern as PathPattern, symbol: symbol ?? null };
}
