// Whether an account that was limited works again. Nothing is spent to find out. After a lost network its servers are
// connected to; after a lost login the agent's program is asked whether somebody is logged in. Where neither can be asked,
// the program is asked for its version, which tells whether it can be started at all, and time decides: the first attempt
// that starts tells the rest, and if it fails for the same reason the account waits twice as long.

import type { Adapter } from "../../../agents/adapter.ts";
import { findAgent } from "../../../agents/registry.ts";
import type { AccountKey } from "../../../core/ids.ts";
import type { Env } from "../../../core/plan.ts";
import { accountOf } from "../../../core/queries.ts";
import type { RunState } from "../../../core/run-state.ts";
import type { Want } from "../../../core/want.ts";
import type { Effects } from "../driver.ts";
import { findChangedAccounts } from "../find-accounts.ts";
import { loginProblem, probeAgent } from "../probe-agent.ts";
import { canReach } from "../reach.ts";
import type { RunContext } from "../run-context.ts";

export function probeEffect(site: RunContext): Effects["probe"] {
  return async ({ account, why }, hands) => {
    const use = useOf(hands.state(), account);
    const found = use === null ? null : findAgent(site.agents, use.agent);
    const env = { ...site.env, ...site.values.open(use?.env ?? {}) };
    const ok = found?.ok ? await works(site, { adapter: found.adapter, env, why }) : true;
    const accounts = ok ? await findChangedAccounts(hands.state(), site) : null;
    if (accounts !== null) await hands.record({ type: "accounts.changed", accounts });
    await hands.record({ type: "account.probed", account, ok });
  };
}

type Question = {
  readonly adapter: Adapter;
  readonly env: Env;
  readonly why: Extract<Want, { kind: "probe" }>["why"];
};

async function works(site: RunContext, { adapter, env, why }: Question): Promise<boolean> {
  const asking = { env, cwd: site.folder.path, run: site.run };
  if (why === "network") return (await canReach(adapter.servers(env), env, site.clock)) ?? true;
  if (why === "auth" && adapter.login !== null) return (await loginProblem(adapter.login, asking)) === null;
  return (await probeAgent(adapter, asking)).ok;
}

/** How a task that shares the account uses its agent. */
function useOf(state: RunState, account: AccountKey): { agent: string; env: Env } | null {
  const i = state.index.plan.tasks.findIndex((_, task) => accountOf(state, task) === account);
  const task = state.index.plan.tasks[i];
  return task?.work.kind === "agent" ? { agent: task.work.agent.use, env: task.env } : null;
}
