// Why a task waits that could work: a limit of its account, a login, the time of its next try. Pure.

import type { AccountLimitReason, EpochMs } from "../../core/facts.ts";
import { PROBED } from "../../core/failure.ts";
import type { Task } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import { advanceClock, isSelected } from "../../core/run-tasks.ts";
import { type Block, findBlocker } from "../../core/select/blocking.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { plainText } from "../../core/text/sentence.ts";
import { terminalText } from "../../util/terminal-text.ts";
import { timeOfDay } from "../local-times.ts";

/** By task: what it waits for, as the end of a sentence. */
export type Waits = ReadonlyMap<string, string>;

const NONE: Waits = new Map();

export function waitsIn(state: RunState, now: EpochMs): Waits {
  const { parked, backoff } = state.indices.phases;
  if (state.accounts === null && parked + backoff === 0) return NONE;
  const found = new Map<string, string>();
  const current = advanceClock(state, now);
  for (const task of state.index.plan.tasks) {
    if (!isSelected(state, task.id)) continue;
    const block = findBlocker(current, task.id, now);
    const text = block === null ? null : waitText(task, block);
    if (text !== null) found.set(task.id, text);
  }
  return found;
}

function waitText(task: Task, block: Block): string | null {
  if (block.kind === "account") return limited(task, block.why, block.until);
  if (block.kind !== "retry") return null;
  const said = terminalText(plainText(formatFailure(block.failure, task.limits)).replace(/\s+/g, " "));
  return `${said}; next try at ${timeOfDay(block.until)}`;
}

/** What somebody has to see to ends when they have; a time would only be that of the next look. */
function limited({ work }: Task, why: AccountLimitReason, until: EpochMs): string {
  const agent = work.kind === "agent" ? work.agent.use : "the account";
  const text = LIMITS[why](agent);
  return PROBED.has(why) ? text : `${text} until ${timeOfDay(until)}`;
}

const LIMITS: { readonly [R in AccountLimitReason]: (agent: string) => string } = {
  "rate-limit": (agent) => `rate limit of ${agent}`,
  "usage-limit": (agent) => `usage limit of ${agent}`,
  overloaded: (agent) => `the servers of ${agent} are overloaded`,
  auth: (agent) => `${agent} is not logged in; log in and the run continues`,
  billing: (agent) => `fix the billing of ${agent}'s account and the run continues`,
  network: (agent) => `the servers of ${agent} are unreachable; the run continues when they respond`,
};

const MOST_LINES = 10;

/** A line for each that waits for something that it did not wait for before. */
export function newWaits(before: Waits, after: Waits): string[] {
  const news = [...after].filter(([task, text]) => before.get(task) !== text);
  return waitLines(new Map(news));
}

export function waitLines(waits: Waits): string[] {
  const lines = [...waits].map(([task, text]) => `[${task}] waiting: ${text}`);
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more tasks wait`];
}

const LONGEST = 45;

/** What an agent does, in the room that a line has: no escape sequence, nothing that is not seen, nothing that turns the text. */
export function shownAction(text: string): string {
  const clean = terminalText(text.replace(/[\r\n\t]+/g, " "))
    .replace(/<U\+[0-9A-F]{4,6}>/g, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  const chars = [...clean];
  return chars.length <= LONGEST ? clean : `${chars.slice(0, LONGEST - 3).join("")}...`;
}
