// Whether an account that was limited works again. Nothing is spent to find out: the agent's program is asked for its version,
// which tells whether it can be started at all; the first attempt that starts tells the rest, and if it fails for the same
// reason the account waits twice as long.

import { findAgent } from "../../../agents/registry.ts";
import type { AccountKey } from "../../../core/ids.ts";
import { accountOf } from "../../../core/queries.ts";
import type { RunState } from "../../../core/run-state.ts";
import type { Effects } from "../driver.ts";
import { probeAgent } from "../probe-agent.ts";
import type { Site } from "../site.ts";

export function probeEffect(site: Site): Effects["probe"] {
  return async ({ account }, hands) => {
    const use = agentOf(hands.state(), account);
    const found = use === null ? null : findAgent(site.agents, use);
    const probed = found?.ok
      ? await probeAgent(found.adapter, { env: site.env, cwd: site.folder.path, run: site.run })
      : null;
    await hands.record({ type: "account.probed", account, ok: probed?.ok ?? true });
  };
}

/** The agent of a task that shares the account. */
function agentOf(state: RunState, account: AccountKey): string | null {
  const i = state.index.plan.tasks.findIndex((_, task) => accountOf(state, task) === account);
  const work = state.index.plan.tasks[i]?.work;
  return work?.kind === "agent" ? work.agent.use : null;
}
