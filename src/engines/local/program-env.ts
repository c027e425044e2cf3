import type { Env } from "../../core/plan.ts";
import { agentGitEnvironment, type Lease } from "../../git/index.ts";
import type { RunContext } from "./run-context.ts";

/** What a program sees: the user's own environment, without what would redirect git or speak of plait. */
export function programEnv({ env, shadow, values }: RunContext, own: Env, ofSlot: Env = {}): Env {
  return { ...env, ...agentGitEnvironment(shadow.excludesFile), ...ofSlot, ...values.open(own) };
}

/** What an agent, a command or a gate sees that is about to start in this worktree. */
export async function envIn(site: RunContext, lease: Lease, own: Env): Promise<Env> {
  return programEnv(site, own, await site.slots.handOver(lease));
}

/** GIT_* would send the agent's git to somebody else's index, PLAIT_* belongs to the run that plait may be part of. */
export function inheritable(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:GIT|PLAIT)_/.test(name)));
}
