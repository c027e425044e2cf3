// A question to an agent outside any run. It looks around in a commit and changes nothing: neither the repository nor the
// user's files are touched (I3), and where it looked is gone when the question is over (I8). Whoever asks decides how often: an
// agent that can goes on with its conversation.

import { findAgent } from "../../agents/registry.ts";
import type { Usage } from "../../core/facts.ts";
import { count } from "../../core/text/figures.ts";
import { countUncommitted } from "../../git/index.ts";
import { createMasker, type Masker } from "../../process/mask/masker.ts";
import { secretsOf } from "../../process/mask/secrets.ts";
import { killLive } from "../../process/spawn.ts";
import { checkAgents } from "../check-agents.ts";
import { agentsFor, clockOf, type Host, nestedRefusal, type OrRefusal, refuse } from "../host.ts";
import { type Ask, type Asking, taskName, workOf } from "./asking.ts";
import { newMarker, withReadOnlyCheckout } from "./looking-place.ts";
import { openRecord } from "./record.ts";
import { beginTalk } from "./talk.ts";

export type Asked<T> = {
  readonly result: T;
  readonly usage: Usage;
  /** Where everything that was said is kept. */
  readonly folder: string;
};

/** All that can be refused is refused before the first question. */
export async function askAgent<T>(
  host: Host,
  asking: Asking,
  talk: (ask: Ask) => Promise<T>,
): Promise<OrRefusal<Asked<T>>> {
  const nested = nestedRefusal(host);
  if (nested !== null) return { ok: false, refusal: nested };
  const found = findAgent(agentsFor(host), asking.agent.use);
  if (!found.ok) return refuse("request", found.problem.message, found.problem.hint);
  const checked = await checkFirst(host, asking);
  if (!checked.ok) return checked;
  if (asking.budgetUsd !== null && !found.adapter.supports.cost)
    asking.tell.warning(`${asking.agent.use} does not report costs, so the budget cannot be enforced.`);
  for (const warning of checked.warnings) asking.tell.warning(warning);
  const { repository, commit = null, signal, tell } = asking;
  const looking = { repository, commit, signal, warning: tell.warning };
  return withReadOnlyCheckout(host, looking, async ({ place, lifeline }) => {
    const masker = maskerFor(host);
    const now = new Date(clockOf(host).now()).toISOString();
    const opened = await openRecord(repository, { about: asking.about, now, masker, id: place.marker });
    if (!opened.ok) return opened;
    const { record } = opened;
    const site = { host, place, record, masker, lifeline, adapter: found.adapter };
    const { ask, usage } = beginTalk(site, asking);
    const result = await talk(ask);
    return { ok: true, result, usage: usage(), folder: record.folder };
  });
}

/** Whether the program is there and somebody is logged in, asked without spending a token. */
async function checkFirst(host: Host, asking: Asking) {
  const { repository, name, signal } = asking;
  const task = { id: taskName(name), work: workOf(asking, ""), access: "read-only" } as const;
  signal.addEventListener("abort", killLive);
  const checked = await checkAgents(
    { tasks: [{ ...task, owns: [], reports: [], dir: null, env: {}, prepare: { copy: [] } }] },
    {
      agents: agentsFor(host),
      env: host.env,
      cwd: repository.workTree ?? host.cwd,
      run: newMarker(),
      isRoot: process.getuid?.() === 0,
      allowRoot: host.allowRoot,
    },
  ).finally(() => signal.removeEventListener("abort", killLive));
  if (!checked.ok) return checked;
  // Who names a commit does not mean what lies around.
  const uncommitted = asking.commit === undefined ? await countUncommitted(repository) : 0;
  const unseen = `${count(uncommitted, "file")} with uncommitted changes, which the agent will not see; it reads the last commit.`;
  return { ok: true, warnings: [...checked.warnings, ...(uncommitted > 0 ? [unseen] : [])] } as const;
}

function maskerFor({ env, agents = [] }: Host): Masker {
  return createMasker([...new Set([env, ...agents.map((agent) => agent.env)].flatMap(secretsOf))]);
}
