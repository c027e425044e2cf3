import { evolve } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { type Happening, happenings, type TaskHappening } from "../core/select/happenings.ts";
import { count } from "../core/select/preview/words.ts";
import type { RunHappening } from "../core/select/run-happenings.ts";
import { dollars, elapsed, inText, shortOid, shortRef } from "../core/select/run-words.ts";
import { isLater, turnText } from "../core/select/turns.ts";
import type { Moment } from "./model.ts";

/** What happened when, in words: one line for each thing that a person would have seen. */
export function momentsOf(facts: Iterable<Fact>): Moment[] {
  const found: Moment[] = [];
  let state: RunState | null = null;
  for (const fact of facts) {
    const before: RunState | null = state;
    state = evolve(before, fact);
    if (before === null || state === null) continue;
    for (const one of happenings(fact, before, state))
      if (!isBeginning(one, found)) found.push({ at: one.at, task: one.task, says: wordsOf(one) });
  }
  return found;
}

/** A run in the background is taken on by its driver before anything happens: that is how it starts, and no coming back. */
const isBeginning = (one: Happening, told: readonly Moment[]): boolean =>
  told.length === 0 && one.kind === "resumed";

const wordsOf = (one: Happening): string => (one.task === null ? ofRun(one) : ofTask(one));

function ofTask(one: TaskHappening): string {
  switch (one.kind) {
    case "start":
      if (one.agent === null && one.command === null) return "handed in by a person";
      return one.attempt === 1 || one.turn === null ? "started" : `started, ${turnText(one.turn)}`;
    case "merged":
    case "passed":
      return doneText(one);
    case "retry":
      return `${one.why}; ${turnText(one.next)} ${inText(one.inMs)}`;
    case "failed":
      return `failed: ${one.why}`;
    case "parked":
      return `parked: ${one.why}`;
    case "held":
      return `held: ${one.why}`;
    case "open":
      return `open for a person at ${one.worktree}`;
    case "skipped":
      return one.because === null ? "skipped" : `skipped, it needs ${one.because}`;
    case "cancelled":
      return "cancelled";
    default:
      return one.kept === null ? "stopped" : "stopped, its work is saved";
  }
}

function doneText({
  kind,
  commit,
  workMs,
  costUsd,
  last,
}: Extract<TaskHappening, { kind: "merged" | "passed" }>) {
  const parts = [
    commit === null ? kind : `${kind} as ${shortOid(commit)}`,
    elapsed(workMs),
    costUsd === null ? null : dollars(costUsd),
    isLater(last) ? turnText(last) : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function ofRun(one: RunHappening): string {
  switch (one.kind) {
    case "landed":
      return `landed on ${shortRef(one.target)} as ${shortOid(one.commit)}`;
    case "refused":
      return `not landed: ${one.detail}`;
    case "run-held":
      return `held: ${one.why}`;
    case "base":
      return `gate ${one.gate} is ${one.verdict}${one.isKnown && one.verdict === "red" ? ", as it is known to be," : ""} on the base: ${one.summary}`;
    case "stopping":
      return one.failedFast ? "stopping, because a task failed" : `asked to ${one.mode}`;
    case "paused":
      return "paused";
    case "unpaused":
      return "goes on after the pause";
    case "resumed":
      return `resumed, ${one.done} done before`;
    case "revised":
      return `the plan was revised, it has ${count(one.tasks, "task")} now`;
    case "slots":
      return `${count(one.slots, "slot")} from now on`;
    default:
      return `plait could not do something: ${one.detail}`;
  }
}
