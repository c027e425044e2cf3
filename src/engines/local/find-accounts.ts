// Whose limits the tasks of a plan share: from the environment that their agents get, and from the files in which programs keep
// who is logged in.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Adapter } from "../../agents/adapter.ts";
import { hashDefinitions } from "../../agents/definitions.ts";
import { type Agents, findAgent } from "../../agents/registry.ts";
import type { Fact } from "../../core/facts.ts";
import { type AccountKey, accountKey } from "../../core/ids.ts";
import type { Env, Task } from "../../core/plan.ts";
import { accountOf } from "../../core/queries.ts";
import type { RunState } from "../../core/run-state.ts";
import { hashText } from "./run-folder.ts";

export type TaskAccounts = { readonly [task: string]: AccountKey };

type AccountTask = Pick<Task, "id" | "work" | "env">;

/** As agents are started. */
export type AgentPlace = { readonly agents: Agents; readonly env: Env };

/** Tasks whose agent is not known are left out. */
export async function findAccounts(
  tasks: readonly AccountTask[],
  { agents, env }: AgentPlace,
): Promise<TaskAccounts> {
  const found: { [task: string]: AccountKey } = {};
  const logins = new Map<string, Promise<string | null>>();
  for (const task of tasks) {
    if (task.work.kind !== "agent") continue;
    const { use, model } = task.work.agent;
    const agent = findAgent(agents, use);
    if (!agent.ok) continue;
    const own = { ...env, ...task.env };
    const path = agent.adapter.loginFile?.path(own) ?? null;
    if (path !== null && !logins.has(path)) logins.set(path, readLogin(agent.adapter, path));
    const login = path === null ? null : ((await logins.get(path)) ?? null);
    found[task.id] = accountKey(agent.adapter.account({ env: own, model, login, fingerprint }));
  }
  return found;
}

/** A file that cannot be read names no account. */
async function readLogin({ loginFile }: Adapter, path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : (loginFile?.parse(text) ?? null);
}

const fingerprint = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex").slice(0, 12);

/** As the run knows them. */
export function listAccounts(state: RunState): TaskAccounts {
  return Object.fromEntries(
    state.index.plan.tasks.flatMap(({ id }, i) => {
      const account = accountOf(state, i);
      return account === null ? [] : [[id, account] as const];
    }),
  );
}

/**
 * The accounts of a run as they are now; null where none is another than the run knows. Variables of a task are sealed in a
 * run's plan: where they decide, the task keeps its account.
 */
export async function findChangedAccounts(state: RunState, place: AgentPlace): Promise<TaskAccounts | null> {
  const { tasks } = state.index.plan;
  const sealed = await findAccounts(tasks, place);
  const plain = await findAccounts(
    tasks.map((task) => ({ ...task, env: {} })),
    place,
  );
  const accounts: { [task: string]: AccountKey } = {};
  let isChanged = false;
  for (const [i, { id }] of tasks.entries()) {
    const known = accountOf(state, i);
    const account = sealed[id] === plain[id] ? (plain[id] ?? known) : known;
    if (account === null) continue;
    accounts[id] = account;
    if (account !== known) isChanged = true;
  }
  return isChanged ? accounts : null;
}

/** `account of claude, used by 3 tasks`, for each agent whose account is another one now. */
export function listChangedAccounts(state: RunState, accounts: TaskAccounts | null): string[] {
  if (accounts === null) return [];
  const changed = new Map<string, number>();
  for (const [i, { id, work }] of state.index.plan.tasks.entries()) {
    if (work.kind !== "agent" || accounts[id] === undefined || accounts[id] === accountOf(state, i)) continue;
    changed.set(work.agent.use, (changed.get(work.agent.use) ?? 0) + 1);
  }
  return [...changed].map(([agent, n]) => `account of ${agent}, used by ${n} ${n === 1 ? "task" : "tasks"}`);
}

/** `agent mine: its configuration`, for each agent of the plan that is configured otherwise than at the start. */
export function listChangedAgents(
  { facts, state }: { readonly facts: readonly Fact[]; readonly state: RunState },
  agents: Agents,
): string[] {
  const started = facts[0]?.type === "run.started" ? facts[0].agents : undefined;
  if (started === undefined) return [];
  const now = hashDefinitions(state.index.plan, agents, hashText);
  return Object.keys(now)
    .filter((name) => started[name] !== undefined && started[name] !== now[name])
    .map((name) => `agent ${name}: its configuration`);
}
