import type { Revision } from "../../src/core/facts.ts";
import type { AccountKey, TaskId } from "../../src/core/ids.ts";
import type { Plan, Task } from "../../src/core/plan.ts";
import { pathsOf } from "./agents.ts";
import { withoutTasks } from "./case.ts";
import { accountNumber, randomNewTask } from "./plans.ts";
import { randomFrom } from "./random.ts";
import type { Trial } from "./trial.ts";
import { tokenOf } from "./worktrees.ts";

/** What a person does to a run, all of it through `decide`: work on a task by hand, and changes to the plan. */

export const pickFrom = <T>(list: readonly T[], pick: number): T | undefined =>
  list[pick % Math.max(1, list.length)];

export function pickTask({ world, planFile }: Trial, pick: number): Task {
  return pickFrom(world.ledger.plan?.tasks ?? planFile.tasks, pick)!;
}

/** Takes the task, works in its worktree as soon as that is there, and hands it in; or gives it up. */
export function takeOver(trial: Trial, task: Task, kind: "open" | "accept" | "cancel"): void {
  // Two attempts would get one number: a driver lets the person wait until its own starts are on disk.
  if (!trial.driver.isOver && trial.driver.hasUnseenStarts) return;
  const opened = trial.openTask(task.id);
  const { worktree = null } = opened ?? {};
  if (opened !== null && worktree !== null) workByHand(trial, task, { base: opened.base, worktree });
  trial.ask({ kind: opened === null && kind === "accept" ? "open" : kind, task: task.id });
}

/** Another login is found by a resume alone, so the driver goes first. */
export function logIn(trial: Trial, pick: number): void {
  trial.crash(60_000, 0, true);
  const tasks = Object.keys(trial.world.ledger.accounts);
  const accounts = Object.fromEntries(tasks.map((task, n) => [task, accountNumber((n + pick) % 4)]));
  trial.ask({ kind: "accounts", accounts });
}

type ByHand = { readonly base: Revision; readonly worktree: string };

function workByHand({ world }: Trial, task: Task, fact: ByHand): void {
  const { git, worktrees, theCase, ledger } = world;
  const token = tokenOf(task.id, git.files(fact.base.tree), { letter: "p", poisons: null });
  for (const path of pathsOf(theCase.seed, theCase.kind, task, ledger.plan?.tasks ?? [])) {
    worktrees.write(fact.worktree, path, token);
  }
}

type Revising = { readonly kind: "add" | "remove" | "restore" | "change" | "redo"; readonly pick: number };

export function revise(trial: Trial, { kind, pick }: Revising): void {
  const { planFile, world } = trial;
  const done = planFile.tasks.map(({ id }) => id).filter((id) => world.ledger.merged.has(id));
  const redo = kind === "redo" ? done.slice(pick % Math.max(1, done.length)).slice(0, 1) : [];
  const plan = revisedPlan(trial, { kind, pick }, redo);
  if (plan.tasks.length === 0) return;
  const accounts: { [task: string]: AccountKey } = {
    [newId(pick)]: accountNumber(0),
    ...world.ledger.accounts,
  };
  const policy = { ...world.theCase.policy, slots: world.ledger.slots };
  trial.ask({ kind: "revise", plan, accounts, redo, policy }, () => {
    trial.planFile = plan;
  });
}

function revisedPlan({ planFile, world }: Trial, { kind, pick }: Revising, redo: readonly TaskId[]): Plan {
  const picked = pickFrom(planFile.tasks, pick)!.id;
  switch (kind) {
    case "add":
      return withTask(planFile, randomNewTask(randomFrom(world.theCase.seed, pick), planFile, newId(pick)));
    case "remove":
      return withoutTasks(planFile, [picked]);
    case "restore":
      return restored(planFile, world.theCase.plan);
    case "change":
      return retitled(planFile, picked);
    case "redo":
      return redo.reduce(retitled, planFile);
    default:
      return kind satisfies never;
  }
}

const newId = (pick: number): string => `n${pick}`;

const withTask = (plan: Plan, task: Task): Plan =>
  plan.tasks.some(({ id }) => id === task.id) ? plan : { ...plan, tasks: [...plan.tasks, task] };

/** What was removed comes back as it was, with those of its needs that are there. */
function restored(plan: Plan, first: Plan): Plan {
  const ids = new Set(plan.tasks.map(({ id }) => id));
  const missing = first.tasks.find(({ id }) => !ids.has(id));
  if (missing === undefined) return plan;
  return withTask(plan, { ...missing, needs: missing.needs.filter((id) => ids.has(id)) });
}

function retitled(plan: Plan, id: TaskId): Plan {
  const tasks = plan.tasks.map((task) => (task.id === id ? { ...task, title: `${task.title} again` } : task));
  return { ...plan, tasks };
}
