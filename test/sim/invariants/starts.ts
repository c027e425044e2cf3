import type { EpochMs, Revision } from "../../../src/core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../../src/core/ids.ts";
import { gateKey, type Task } from "../../../src/core/plan.ts";
import type { Want } from "../../../src/core/want.ts";
import type { Ledger } from "../ledger.ts";
import { hold } from "../violation.ts";
import type { World } from "../world.ts";
import { retriesUsed } from "./chances.ts";
import type { History } from "./history.ts";

/** What must hold at the moment in which an attempt is begun. */
export type Start = {
  readonly world: World;
  readonly history: History;
  readonly want: Extract<Want, { kind: "start" }>;
  readonly now: EpochMs;
  /** Attempts begun in this moment that the journal does not show yet, this one included. */
  readonly decided: ReadonlySet<AttemptId>;
};

export function checkStart(start: Start): void {
  const { world, want } = start;
  const { ledger } = world;
  const task = ledger.task(want.task);
  hold(task !== undefined, "start", () => `${want.attempt} is of no task in the plan`);
  hold(
    !ledger.attempts.has(want.attempt),
    "I4 no attempt is started twice",
    () => `${want.attempt} is in the journal`,
  );
  checkAllowed(start, task);
  checkRoom(start, task);
  checkBase(start, want);
  checkSaved(ledger, task);
  checkAccount(start);
  const used = retriesUsed(ledger, task, { continues: want.fix?.attempt ?? null });
  hold(used <= task.retries, "retries are counted", () => `${task.id} has ${task.retries} and used ${used}`);
}

function checkAllowed({ world, want, history }: Start, task: Task): void {
  const { ledger } = world;
  const says = (why: string) => () => `${want.attempt} starts although ${why}`;
  hold(ledger.stopping === null, "nothing starts in a stop", says("the run is stopping"));
  hold(!ledger.paused, "nothing starts in a pause", says("the run is paused"));
  hold(!ledger.held, "nothing starts in a held run", says("the run is held"));
  hold(ledger.isSelected(task.id), "only selected tasks start", says("it was not selected"));
  hold(!ledger.cancelled.has(task.id), "cancelled tasks do not start", says("the task was cancelled"));
  const isFitting = want.fix !== null && ledger.isFitting(task.id, want.base.commit);
  hold(
    isFitting || !history.isSatisfied(task, true),
    "I4 what is done is not done again",
    says("the task is merged or passed"),
  );
  const budget = ledger.start?.policy.budgetUsd ?? null;
  hold(
    budget === null || ledger.spentUsd < budget,
    "budget",
    says(`${ledger.spentUsd} of ${budget} are spent`),
  );
}

/** Processes that live, and those that will: a driver that was lost counts as well. */
function checkRoom({ world, want, decided }: Start, task: Task): void {
  const { ledger } = world;
  const busy = new Set<AttemptId>(decided);
  for (const { attempt } of world.alive()) busy.add(attempt);
  for (const { id } of ledger.open) busy.add(id);
  hold(busy.size <= ledger.slots, "slots", () => `${want.attempt} is number ${busy.size} of ${ledger.slots}`);
  const max = ledger.plan?.limits.find(({ group }) => group === task.group)?.max;
  if (max === undefined) return;
  const inGroup = [...busy].filter((id) => ledger.task(splitAttemptId(id).task)?.group === task.group);
  hold(inGroup.length <= max, "group limits", () => `${want.attempt} is number ${inGroup.length} of ${max}`);
}

type Based = { readonly attempt: AttemptId; readonly base: Revision };

/** I11: the base is a place where the branch was, and every need is merged there or has passed. */
export function checkBase(
  { world, history }: Pick<Start, "world" | "history">,
  { attempt, base }: Based,
): void {
  const { ledger } = world;
  const { task } = splitAttemptId(attempt);
  const join = ledger.isFitting(task, base.commit) ? ledger.joins.get(base.commit) : undefined;
  const position = history.position(join?.tip ?? base.commit);
  hold(
    position !== undefined,
    "I11",
    () => `${attempt} starts from ${base.commit}, where the branch never was`,
  );
  for (const id of ledger.task(task)?.needs ?? []) {
    const merged = history.merged(id);
    const need = ledger.task(id);
    const hasPassed = merged === null && need !== undefined && history.hasPassed(need);
    hold(merged !== null || hasPassed, "I11", () => `${attempt} starts, its need ${id} is not done`);
    const isThere = merged === null || merged.position <= position;
    hold(isThere, "I11", () => `${attempt} starts from a tree without the work of ${id}`);
  }
}

/** A gate of the plan judges no work before it has judged the base: what is red there is nobody's failure (I9). */
export function checkBaseFirst(
  { world, history }: Pick<Start, "world" | "history">,
  { check, asked }: Extract<Want, { kind: "gate" }>,
): void {
  const { ledger, base } = world;
  const isOfPlan = ledger.plan?.gates.some((gate) => gateKey(gate) === check.key) === true;
  if (!isOfPlan || history.tip !== base.commit || !asked.some(({ kind }) => kind === "attempt")) return;
  const isKnown = ledger.hasGreen(base.tree, check.preparation, check.key);
  hold(isKnown, "I9 the base is judged first", () => `${check.gate.name} is wanted for work`);
}

/** I2, the core's part: a task has one worktree, and it is not used again before what is in it is saved. */
function checkSaved(ledger: Ledger, task: Task): void {
  const records = ledger.of(task.id);
  const live = records.filter(({ ended, started }) => ended === null && started.author === "agent");
  hold(
    live.length < task.race,
    "one attempt at a time",
    () => `${task.id} has ${live.length} of ${task.race} live`,
  );
  if (task.race > 1) return;
  const unsaved = records.find(({ ended, saved }) => ended !== null && saved === null);
  hold(unsaved === undefined, "I2 saved before the next attempt", () => `${unsaved?.id} is not saved`);
}

/** Where waits were skipped, one attempt of a limited account is let through. */
function checkAccount({ world, want, now, decided }: Start): void {
  const { accounts, limits } = world.ledger;
  const account = accounts[want.task];
  const limit = account === undefined ? undefined : limits.get(account);
  const isFirst = ![...decided].some(
    (id) => id !== want.attempt && accounts[splitAttemptId(id).task] === account,
  );
  const isFree = limit === undefined || limit.until <= now || (limit.trial === "due" && isFirst);
  hold(
    isFree,
    "accounts",
    () => `${want.attempt} starts ${limit!.until - now} ms before its account is free`,
  );
}
