// Every agent and sub-agent that a plan names is checked before the first token is spent.

import type { Adapter, AgentWork, InvokeInput, Problem } from "../agents/adapter.ts";
import { type Agents, findAgent } from "../agents/registry.ts";
import type { AccountKey, RunId, TaskId } from "../core/ids.ts";
import type { Env, Task } from "../core/plan.ts";
import { findAccounts, type TaskAccounts } from "../engines/local/find-accounts.ts";
import { loginProblem, type ProbePlace, probeAgent } from "../engines/local/probe-agent.ts";
import { inheritable } from "../engines/local/run-context.ts";
import { agentsFor, type Host, type OrRefusal, refuse } from "./host.ts";
import {
  findMissingSubAgents,
  installedText,
  type MissingSubAgent,
  missingText,
  replacedText,
  type SubAgentChoice,
  type SubAgentPlace,
  tasksText,
} from "./sub-agents.ts";

export type AgentCheck = {
  readonly agents: Agents;
  readonly env: Env;
  readonly cwd: string;
  readonly run: RunId;
  readonly isRoot: boolean;
  readonly allowRoot: boolean;
  /** Left out, a sub-agent that is not installed refuses the run. */
  readonly subAgents?: SubAgentChoice;
};

/** With the agents, environment and rights of this process. */
export const describeCheck = (host: Host, { cwd, run }: Pick<AgentCheck, "cwd" | "run">): AgentCheck => ({
  ...{ agents: agentsFor(host), env: host.env, cwd, run },
  ...{ isRoot: process.getuid?.() === 0, allowRoot: host.allowRoot },
});

export type CheckedAgents = {
  /** By task: whose limits it shares. */
  readonly accounts: { readonly [task: string]: AccountKey };
  /** What the user should know, one sentence each. */
  readonly warnings: readonly string[];
  /** Whose tasks run with the plain agent. */
  readonly replaced: readonly MissingSubAgent[];
};

/** What of a task decides how its agent is started. */
export type CheckedTask = Pick<Task, "id" | "work" | "access" | "owns" | "reports" | "dir" | "env"> &
  SubAgentPlace;

type AgentTask = { readonly task: CheckedTask; readonly work: AgentWork; readonly adapter: Adapter };

export async function checkAgents(
  plan: { readonly tasks: readonly CheckedTask[] },
  check: AgentCheck,
): Promise<OrRefusal<CheckedAgents>> {
  const started = tryStarts(plan.tasks, check);
  if (!started.ok) return started;
  const { tasks, starts } = started;
  const asking = { env: inheritable(check.env), cwd: check.cwd, run: check.run };
  const warnings = warningsOf(starts);
  const adapters = [...new Set(tasks.map((one) => one.adapter))];
  for (const adapter of adapters) {
    const probed = await probeAgent(adapter, asking);
    if (!probed.ok) return refuse("environment", probed.problem.message, probed.problem.hint);
    if (probed.warning !== null) warnings.push(probed.warning);
  }
  const missing = await findMissingSubAgents(tasks, asking);
  const { subAgents: choice } = check;
  if (missing.length > 0 && !(await choice?.mayReplace(missing))) {
    const installed = `or use an installed one: ${installedText(missing)}`;
    const hint = [...(choice?.help(missing) ?? []), installed].join("\n");
    return refuse("environment", missingText(missing), hint);
  }
  for (const adapter of adapters) {
    const missing = await missingLogin(adapter, { tasks, agents: check.agents }, asking);
    if (missing !== null) return refuseTask("environment", missing);
  }
  warnings.push(...missing.map(replacedText));
  return {
    ok: true,
    accounts: await accountsOf(tasks, check.agents, asking.env),
    warnings,
    replaced: missing,
  };
}

/** The part that needs no program: whether each could be started with these rights. */
export function tryStarts(
  all: readonly CheckedTask[],
  check: Pick<AgentCheck, "agents" | "isRoot" | "allowRoot">,
): OrRefusal<{ readonly tasks: readonly AgentTask[]; readonly starts: readonly Start[] }> {
  const tasks: AgentTask[] = [];
  for (const task of all) {
    if (task.work.kind !== "agent") continue;
    const found = findAgent(check.agents, task.work.agent.use);
    if (!found.ok) return refuseTask("request", { task: task.id, problem: found.problem });
    tasks.push({ task, work: task.work, adapter: found.adapter });
  }
  const starts = tasks.map((one) => tryStart(one, check));
  const refused = starts.find((start) => "problem" in start);
  return refused
    ? refuse(refused.kind, refused.problem.message, refused.problem.hint)
    : { ok: true, tasks, starts };
}

/** Asked once an account: a task may bring a key along. */
async function missingLogin(
  adapter: Adapter,
  { tasks, agents }: { readonly tasks: readonly AgentTask[]; readonly agents: Agents },
  asking: ProbePlace,
): Promise<TaskProblem | null> {
  if (adapter.login === null) return null;
  const own = tasks.filter((one) => one.adapter === adapter);
  const accounts = await accountsOf(own, agents, asking.env);
  const first = new Map(own.map(({ task }) => [accounts[task.id], task] as const).reverse());
  for (const task of first.values()) {
    const problem = await loginProblem(adapter.login, { ...asking, env: { ...asking.env, ...task.env } });
    if (problem !== null) return { task: task.id, problem };
  }
  return null;
}

type TaskProblem = { readonly task: TaskId; readonly problem: Problem };

const refuseTask = (kind: "request" | "environment", { task, problem }: TaskProblem) =>
  refuse(kind, `${task}: ${problem.message}`, problem.hint);

type Start =
  | { readonly kind: "request" | "environment"; readonly problem: Problem }
  | { readonly task: TaskId; readonly warnings: readonly string[] };

/** Asked as if it were started: tools it cannot narrow, rights it refuses. What another user could start is the place's fault. */
function tryStart(
  { task, work, adapter }: AgentTask,
  check: Pick<AgentCheck, "isRoot" | "allowRoot">,
): Start {
  const input: InvokeInput = {
    ...{ task: task.id, attempt: 1, work, access: task.access, owns: task.owns },
    ...{ reports: task.reports, dir: task.dir, prompt: "", promptFile: "/", systemPrompt: null },
    ...{ sharedFile: null, worktree: "/", deny: [], sandboxed: false, answer: null },
    conversation: { kind: "new", id: "00000000-0000-4000-8000-000000000000" },
    ...{ isRoot: check.isRoot, allowRoot: check.allowRoot },
  };
  const invoked = adapter.invoke(input);
  if (invoked.ok) return { task: task.id, warnings: invoked.warnings ?? [] };
  const isPlace = check.isRoot && adapter.invoke({ ...input, isRoot: false }).ok;
  return { kind: isPlace ? "environment" : "request", problem: invoked.problem };
}

function warningsOf(starts: readonly Start[]): string[] {
  const tasks = new Map<string, TaskId[]>();
  for (const start of starts) {
    if ("problem" in start) continue;
    for (const warning of start.warnings) tasks.set(warning, [...(tasks.get(warning) ?? []), start.task]);
  }
  return [...tasks].map(([warning, ids]) => `${tasksText(ids)}: ${warning}`);
}

function accountsOf(tasks: readonly AgentTask[], agents: Agents, env: Env): Promise<TaskAccounts> {
  return findAccounts(
    tasks.map(({ task }) => task),
    { agents, env },
  );
}
