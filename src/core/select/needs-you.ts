import type { AccountKey, RunId } from "../ids.ts";
import { accountOf } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { limitText } from "./failure-text.ts";
import { type NextCommand, nextCommands } from "./next-commands.ts";
import { progress } from "./progress.ts";
import { shortRef } from "./run-words.ts";

/** Something that does not go on without a person. The key stays the same as long as it is the same thing. */
export type NeedsYou = { readonly key: string; readonly text: string };

export function needsYou(state: RunState): NeedsYou[] {
  return [...theEnd(state), ...theRun(state), ...theAccounts(state), ...theTasks(state)];
}

/** Who stopped the run by a command or ^C knows of it; a hang-up or a machine that shuts down asked nobody. */
function theEnd(state: RunState): NeedsYou[] {
  const { ended, stopSignal } = state;
  if (ended === null || ended.outcome === "complete") return [];
  const { outcome } = ended;
  const isStopped = outcome === "stopped" || outcome === "drained";
  if (isStopped && (stopSignal === null || stopSignal === "SIGINT")) return [];
  const { done, total } = progress(state);
  const how = isStopped ? `stopped by ${stopSignal}` : `ended, ${outcome.replaceAll("-", " ")}`;
  return [{ key: "ended", text: `${how}: ${done} of ${total} tasks are done${failedText(state)}` }];
}

/** `, 3 failed (tax, promo and 1 more)`. */
function failedText(state: RunState): string {
  const { failed } = state.indices.phases;
  if (failed === 0) return "";
  const names = [...entries(state.tasks)].flatMap(([i, { phase }]) =>
    phase.kind === "failed" ? [taskAt(state.index, i).id] : [],
  );
  const named = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `, ${failed} failed (${named}${more})`;
}

function theRun({ held, landing, published }: RunState): NeedsYou[] {
  const found: NeedsYou[] = [];
  if (held !== null) found.push({ key: "held", text: `held: ${held}` });
  if (landing.kind === "refused") found.push({ key: "landing", text: `not landed: ${landing.detail}` });
  if (published.kind === "refused")
    found.push({ key: "published", text: `not on the server: ${published.detail}` });
  return found;
}

/**
 * A login that broke, an account that cannot pay: until an attempt has succeeded again, also while attempts may be made.
 * Otherwise each vain try would be told anew.
 */
function theAccounts(state: RunState): NeedsYou[] {
  return [...entries(state.accounts)].flatMap(([account, { why }]) => {
    const isPersons = why === "auth" || why === "billing";
    if (!isPersons) return [];
    return [{ key: `account ${account}`, text: limitText(agentOf(state, account as AccountKey), why) }];
  });
}

/** Whose account it is. */
export function agentOf(state: RunState, account: AccountKey): string | null {
  const task = state.index.plan.tasks.find((_, i) => accountOf(state, i) === account);
  return task?.work.kind === "agent" ? task.work.agent.use : null;
}

function theTasks(state: RunState): NeedsYou[] {
  if (state.indices.phases.held === 0) return [];
  return [...entries(state.tasks)].flatMap(([i, { phase }]) => {
    if (phase.kind !== "held") return [];
    const { id } = taskAt(state.index, i);
    return [{ key: `task ${id}`, text: `${id} waits for you: ${phase.why}` }];
  });
}

/** Keys of what a person was told of. */
export type Told = readonly string[];

/**
 * Whether a person has become needed, and what is told then. As long as something stands that they were told of, more of it
 * is no news: who comes to see to the first sees the others too.
 */
export function news(state: RunState, told: Told): { readonly isNews: boolean; readonly told: Told } {
  const standing = needsYou(state).map(({ key }) => key);
  return { isNews: standing.length > 0 && !standing.some((key) => told.includes(key)), told: standing };
}

export type Message = {
  readonly run: RunId;
  readonly text: string;
  readonly needs: readonly string[];
  readonly next: readonly NextCommand[];
};

const MOST_NAMED = 5;

/** One sentence with everything that is needed now, or how the run ended. */
export function message(state: RunState): Message {
  const { run } = state;
  const all = [...new Set(needsYou(state).map(({ text }) => text))];
  const more = all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} more`] : [];
  const text =
    all.length > 0
      ? `${run} needs you: ${[...all.slice(0, MOST_NAMED), ...more].join("; ")}`
      : `${run} ${endText(state)}`;
  const next = nextCommands(state);
  const look = { command: `plait status ${run}`, says: "look at it" };
  return { run, text, needs: all, next: next.length > 0 ? next : [look] };
}

function endText(state: RunState): string {
  const { done, total, outcome } = progress(state);
  const { landing } = state;
  const where = landing.kind === "landed" ? `, landed on ${shortRef(landing.target)}` : "";
  return `is ${outcome}: ${done} of ${total} tasks are done${where}`;
}
