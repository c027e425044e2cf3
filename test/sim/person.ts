import type { RunCommand } from "../../src/core/decide.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { AccountKey, TaskId } from "../../src/core/ids.ts";
import type { Plan, Task } from "../../src/core/plan.ts";
import { pathsOf } from "./agents.ts";
import { withoutTasks } from "./case.ts";
import { accountNumber, randomNewTask } from "./plans.ts";
import { randomFrom } from "./random.ts";
import type { Trial } from "./trial.ts";
import { tokenOf } from "./worktrees.ts";
import { savedRef } from "./world.ts";

/** What a person does to a run, all of it through `decide`: work on a task by hand, and changes to the plan. */

export const pickFrom = <T>(list: readonly T[], pick: number): T | undefined =>
  list[pick % Math.max(1, list.length)];

export function pickTask({ world, planFile }: Trial, pick: number): Task {
  return pickFrom(world.ledger.plan?.tasks ?? planFile.tasks, pick)!;
}

/** The person works in a folder of their own, on top of what the last attempt left. */
export function accept(trial: Trial, { pick }: { readonly pick: number }): void {
  const task = pickTask(trial, pick);
  // Two attempts would get one number: a driver lets the person wait until its own starts are on disk.
  if (!trial.driver.isOver && trial.driver.hasUnseenStarts) return;
  const worktree = `/person/${task.id}`;
  const attempt = trial.world.ledger.of(task.id).at(-1)?.id ?? null;
  const command: RunCommand = { kind: "accept", task: task.id, attempt, worktree, marker: "a person" };
  trial.ask(command, (facts) => {
    for (const fact of facts) if (fact.type === "attempt.started") workByHand(trial, task, fact);
  });
}

function workByHand({ world }: Trial, task: Task, fact: Extract<Fact, { type: "attempt.started" }>): void {
  const { git, worktrees, theCase, ledger } = world;
  const before = fact.continues === null ? null : git.ref(savedRef(fact.continues));
  const goesOn = before === null ? null : { task: task.id, result: git.revision(before) };
  worktrees.prepare(fact.worktree, fact.attempt, fact.base, goesOn);
  const token = tokenOf(task.id, git.files(fact.base.tree), { letter: "p", poisons: null });
  for (const path of pathsOf(theCase.seed, theCase.kind, task, ledger.plan?.tasks ?? [])) {
    worktrees.write(fact.worktree, path, token);
  }
}

type Revision = { readonly kind: "add" | "remove" | "restore" | "change" | "redo"; readonly pick: number };

export function revise(trial: Trial, { kind, pick }: Revision): void {
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

function revisedPlan({ planFile, world }: Trial, { kind, pick }: Revision, redo: readonly TaskId[]): Plan {
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
