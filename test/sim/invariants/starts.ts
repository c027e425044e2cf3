import type { EpochMs, Revision } from "../../../src/core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../../src/core/ids.ts";
import type { Task } from "../../../src/core/plan.ts";
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
  hold(
    !history.isSatisfied(task, true),
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
  const position = history.position(base.commit);
  hold(
    position !== undefined,
    "I11",
    () => `${attempt} starts from ${base.commit}, where the branch never was`,
  );
  for (const id of world.ledger.task(splitAttemptId(attempt).task)?.needs ?? []) {
    const merged = history.merged(id);
    const need = world.ledger.task(id);
    const hasPassed = merged === null && need !== undefined && history.hasPassed(need);
    hold(merged !== null || hasPassed, "I11", () => `${attempt} starts, its need ${id} is not done`);
    const isThere = merged === null || merged.position <= position;
    hold(isThere, "I11", () => `${attempt} starts from a tree without the work of ${id}`);
  }
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

function checkAccount({ world, want, now }: Start): void {
  const account = world.ledger.accounts[want.task];
  const limit = account === undefined ? undefined : world.ledger.limits.get(account);
  const isFree = limit === undefined || limit.until <= now;
  hold(
    isFree,
    "accounts",
    () => `${want.attempt} starts ${limit!.until - now} ms before its account is free`,
  );
}
