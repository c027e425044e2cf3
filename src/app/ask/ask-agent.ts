// A question to an agent outside any run. It looks around in a commit and changes nothing: neither the repository nor the
// user's files are touched (I3), and where it looked is gone when the question is over (I8). Whoever asks decides how often: an
// agent that can goes on with its conversation.

import { randomUUID } from "node:crypto";
import type { Conversation } from "../../agents/adapter.ts";
import { findAgent } from "../../agents/registry.ts";
import { sumOfUsage } from "../../agents/usage.ts";
import type { Usage } from "../../core/facts.ts";
import { type AttemptFailure, FAILURE_RULES } from "../../core/failure.ts";
import { count } from "../../core/text/figures.ts";
import { countUncommitted } from "../../git/index.ts";
import { createMasker, type Masker } from "../../process/mask/masker.ts";
import { secretsOf } from "../../process/mask/secrets.ts";
import { killLive } from "../../process/spawn.ts";
import { checkAgents, describeCheck } from "../check-agents.ts";
import { agentsFor, clockOf, type Host, nestedRefusal, type OrRefusal, refuse } from "../host.ts";
import { type Ask, type Asking, type Question, type Reply, taskName, workOf } from "./asking.ts";
import { newMarker, withReadOnlyCheckout } from "./looking-place.ts";
import { type AskSite, makeAttempt, type Said } from "./one-attempt.ts";
import { openRecord } from "./record.ts";

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
    describeCheck(host, { cwd: repository.workTree ?? host.cwd, run: newMarker() }),
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

/** Counts what is asked and spent over all questions. */
function beginTalk(site: AskSite, asking: Asking): { readonly ask: Ask; readonly usage: () => Usage } {
  const said: Said[] = [];
  const usage = () => sumOfUsage(said.map((one) => one.usage));
  /** The conversation that goes on, if the last answer left one. */
  const before = (): string | null =>
    site.adapter.supports.conversation ? (said.at(-1)?.conversation ?? null) : null;

  async function attempt({ prompt, more, schema }: Question): Promise<Said> {
    const id = more === null ? null : before();
    const conversation: Conversation =
      id === null ? { kind: "new", id: randomUUID() } : { kind: "continue", id };
    const spent = usage().costUsd ?? 0;
    const one = await makeAttempt(site, {
      ...asking,
      schema: schema ?? asking.schema,
      n: said.length + 1,
      prompt: id === null || more === null ? prompt : more,
      conversation,
      budgetUsd: asking.budgetUsd === null ? null : Math.max(0, asking.budgetUsd - spent),
      before:
        id === null ? null : sumOfUsage(said.filter((it) => it.conversation === id).map((it) => it.usage)),
    });
    said.push(one);
    return one;
  }

  async function ask(question: Question): Promise<Reply> {
    const { budgetUsd, signal, tell } = asking;
    const isSpent = () => budgetUsd !== null && (usage().costUsd ?? 0) >= budgetUsd;
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    if (isSpent()) {
      const detail = `the budget of $${budgetUsd} is spent`;
      return { ok: false, failure: { reason: "budget", detail } };
    }
    const first = await attempt(question);
    if (first.reply.ok || signal.aborted || isSpent()) return first.reply;
    const waitMs = waitAfter(first.reply.failure);
    if (waitMs === null) return first.reply;
    tell.again(first.reply.failure, waitMs);
    await patience(waitMs, site.host, signal);
    return signal.aborted ? first.reply : (await attempt(question)).reply;
  }

  return { ask, usage };
}

const CANCELLED: AttemptFailure = { reason: "cancelled", because: "stop", detail: "canceled" };

/** Nobody who sits there waits longer; a night has `plait run`. */
const LONGEST_WAIT_MS = 5 * 60_000;

const THROTTLED_MS = 30_000;

/** Before the one other try; null where there is none. */
function waitAfter(failure: AttemptFailure): number | null {
  const rule = FAILURE_RULES[failure.reason];
  // All of its time was not enough: nobody waits for that twice.
  const isSpent = failure.reason === "timeout" && failure.clock === "total";
  if (rule.kind !== "retry" || isSpent) return null;
  // There is one more try, so it does not come while the server still throttles.
  const asked = failure.reason === "rate-limit" ? (failure.retryAfterMs ?? THROTTLED_MS) : null;
  const waitMs = asked ?? rule.backoff.firstMs;
  return waitMs > LONGEST_WAIT_MS ? null : waitMs;
}

function patience(ms: number, host: Host, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clockOf(host).setTimer(ms, resolve);
    signal.addEventListener("abort", () => {
      timer.cancel();
      resolve();
    });
  });
}
