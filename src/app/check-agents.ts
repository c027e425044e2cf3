// Every agent and sub-agent that a plan names is checked before the first token is spent.

import { createHash } from "node:crypto";
import type { Adapter, AgentWork, InvokeInput, Problem } from "../agents/adapter.ts";
import { type Agents, findAgent } from "../agents/registry.ts";
import { type AccountKey, accountKey, type RunId, type TaskId } from "../core/ids.ts";
import type { Env, Task } from "../core/plan.ts";
import { nearest } from "../core/suggest.ts";
import { listSubAgents, loginProblem, type ProbePlace, probeAgent } from "../engines/local/probe-agent.ts";
import { inheritable } from "../engines/local/program-env.ts";
import { type OrRefusal, refuse } from "./host.ts";

export type AgentCheck = {
  readonly agents: Agents;
  readonly env: Env;
  readonly cwd: string;
  readonly run: RunId;
  readonly isRoot: boolean;
  readonly allowRoot: boolean;
};

export type CheckedAgents = {
  /** By task: whose limits it shares. */
  readonly accounts: { readonly [task: string]: AccountKey };
  /** What the user should know, one sentence each. */
  readonly warnings: readonly string[];
};

/** What of a task decides how its agent is started. */
export type CheckedTask = Pick<Task, "id" | "work" | "access" | "owns" | "reports" | "dir" | "env">;

type AgentTask = { readonly task: CheckedTask; readonly work: AgentWork; readonly adapter: Adapter };

export async function checkAgents(
  plan: { readonly tasks: readonly CheckedTask[] },
  check: AgentCheck,
): Promise<OrRefusal<CheckedAgents>> {
  const tasks: AgentTask[] = [];
  for (const task of plan.tasks) {
    if (task.work.kind !== "agent") continue;
    const found = findAgent(check.agents, task.work.agent.use);
    if (!found.ok) return refuse("request", `${task.id}: ${found.problem.message}`, found.problem.hint);
    tasks.push({ task, work: task.work, adapter: found.adapter });
  }
  const starts = tasks.map((one) => tryStart(one, check));
  const refused = starts.find((start) => "problem" in start);
  if (refused) return refuse(refused.kind, refused.problem.message, refused.problem.hint);
  const asking = { env: inheritable(check.env), cwd: check.cwd, run: check.run };
  const warnings = warningsOf(starts);
  for (const adapter of new Set(tasks.map((one) => one.adapter))) {
    const probed = await probeAgent(adapter, asking);
    if (!probed.ok) return refuse("environment", probed.problem.message, probed.problem.hint);
    if (probed.warning !== null) warnings.push(probed.warning);
    const missing = await missingSubAgent(adapter, tasks, asking);
    const problem = missing ?? (await missingLogin(adapter, tasks, asking));
    if (problem !== null) return refuse("environment", problem.message, problem.hint);
  }
  return { ok: true, accounts: accountsOf(tasks, asking.env), warnings };
}

/** Asked once an account: a task may bring a key along. */
async function missingLogin(
  adapter: Adapter,
  tasks: readonly AgentTask[],
  asking: ProbePlace,
): Promise<Problem | null> {
  if (adapter.login === null) return null;
  const own = tasks.filter((one) => one.adapter === adapter);
  const accounts = accountsOf(own, asking.env);
  const first = new Map(own.map(({ task }) => [accounts[task.id], task] as const).reverse());
  for (const task of first.values()) {
    const problem = await loginProblem(adapter.login, { ...asking, env: { ...asking.env, ...task.env } });
    if (problem !== null) return { ...problem, message: `${task.id}: ${problem.message}` };
  }
  return null;
}

type Start =
  | { readonly kind: "request" | "environment"; readonly problem: Problem }
  | { readonly task: TaskId; readonly warnings: readonly string[] };

/** Asked as if it were started: tools it cannot narrow, rights it refuses. What another user could start is the place's fault. */
function tryStart({ task, work, adapter }: AgentTask, check: AgentCheck): Start {
  const input: InvokeInput = {
    ...{ task: task.id, attempt: 1, work, access: task.access, owns: task.owns },
    ...{ reports: task.reports, dir: task.dir },
    ...{
      prompt: "",
      promptFile: "/",
      systemPrompt: null,
      worktree: "/",
      deny: [],
      sandboxed: false,
      answer: null,
    },
    conversation: { kind: "new", id: "00000000-0000-4000-8000-000000000000" },
    isRoot: check.isRoot,
    allowRoot: check.allowRoot,
  };
  const invoked = adapter.invoke(input);
  if (invoked.ok) return { task: task.id, warnings: invoked.warnings ?? [] };
  const isPlace = check.isRoot && adapter.invoke({ ...input, isRoot: false }).ok;
  return { kind: isPlace ? "environment" : "request", problem: invoked.problem };
}

const TASKS_NAMED = 3;

/** Each once, with the tasks that it is about. */
function warningsOf(starts: readonly Start[]): string[] {
  const tasks = new Map<string, TaskId[]>();
  for (const start of starts) {
    if ("problem" in start) continue;
    for (const warning of start.warnings) tasks.set(warning, [...(tasks.get(warning) ?? []), start.task]);
  }
  return [...tasks].map(([warning, ids]) => {
    const more = ids.length > TASKS_NAMED ? ` and ${ids.length - TASKS_NAMED} more` : "";
    return `${ids.slice(0, TASKS_NAMED).join(", ")}${more}: ${warning}`;
  });
}

/** Asked once an agent, and only where a task names one. */
async function missingSubAgent(
  adapter: Adapter,
  tasks: readonly AgentTask[],
  asking: ProbePlace,
): Promise<Problem | null> {
  const named = tasks.filter((one) => one.adapter === adapter && one.work.agent.name !== null);
  if (named.length === 0 || adapter.subAgents === null) return null;
  const known = await listSubAgents(adapter.subAgents, asking);
  if (known === null) return null;
  for (const { task, work } of named) {
    const name = work.agent.name ?? "";
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    const hint =
      meant === null
        ? `install what has it, or name one that is there: ${known.join(", ")}`
        : `did you mean ${meant}?`;
    return { message: `${task.id}: ${adapter.title} knows no sub-agent ${JSON.stringify(name)}`, hint };
  }
  return null;
}

function accountsOf(tasks: readonly AgentTask[], env: Env): { [task: string]: AccountKey } {
  const fingerprint = (secret: string) => createHash("sha256").update(secret).digest("hex").slice(0, 12);
  return Object.fromEntries(
    tasks.map(({ task, work, adapter }) => {
      const facts = { env: { ...env, ...task.env }, model: work.agent.model, fingerprint };
      return [task.id, accountKey(adapter.account(facts))];
    }),
  );
}
