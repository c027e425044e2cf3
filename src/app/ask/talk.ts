// The questions of one talk, one after another: which of them go on with a conversation, what they have cost so far, and the one
// other try that each has.

import { randomUUID } from "node:crypto";
import type { Conversation } from "../../agents/adapter.ts";
import { sumOfUsage } from "../../agents/usage.ts";
import type { Usage } from "../../core/facts.ts";
import { type AttemptFailure, FAILURE_RULES } from "../../core/failure.ts";
import { clockOf, type Host } from "../host.ts";
import type { Ask, Asking, Question, Reply } from "./asking.ts";
import { type AskSite, makeAttempt, type Said } from "./one-attempt.ts";

/** Counts what is asked and spent over all questions. */
export function beginTalk(site: AskSite, asking: Asking): { readonly ask: Ask; readonly usage: () => Usage } {
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

const CANCELLED: AttemptFailure = {
  reason: "cancelled",
  because: "stop",
  detail: "canceled",
};

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
