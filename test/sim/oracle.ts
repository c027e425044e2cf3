import type { TaskId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import { pathsOf, scriptOf } from "./agents.ts";
import type { History } from "./invariants/history.ts";
import { hold } from "./violation.ts";
import { taskOf } from "./worktrees.ts";
import type { World } from "./world.ts";

/**
 * I4: after any crashes the tree is that of a calm run. For an oracle plan that tree needs no run: each selected task
 * writes its paths once, after its needs, and no two tasks without an order between them share one.
 */
export function checkFinalTree({ theCase, git, ledger }: World, history: History): void {
  if (theCase.kind !== "oracle") return;
  const tasks = (ledger.plan?.tasks ?? []).filter(({ id }) => ledger.isSelected(id));
  const undone = tasks.find((task) => !history.isSatisfied(task));
  hold(undone === undefined, "I4 every task comes to its end", () => `${undone?.id} is not done`);
  const found = authorsByPath(git.files(git.look(history.tip).tree));
  const expected = expectedTree(theCase.seed, theCase.plan.tasks, new Set(tasks.map(({ id }) => id)));
  hold(found === expected, "I4 the tree of a calm run", () => `\n is     ${found}\n should ${expected}`);
}

function expectedTree(seed: number, tasks: readonly Task[], chosen: ReadonlySet<TaskId>): string {
  const files = new Map<string, string[]>([["README", ["user"]]]);
  // Tasks come after their needs in the plan, so one walk gives each file its authors in order.
  for (const task of tasks) {
    if (!chosen.has(task.id) || !scriptOf(seed, "oracle", task)(LAST_TRY).writes) continue;
    for (const path of pathsOf(seed, "oracle", task, tasks))
      files.set(path, [...(files.get(path) ?? []), task.id]);
  }
  return plain(files);
}

/** Beyond every stumble of a script. */
const LAST_TRY = 1_000;

function authorsByPath(files: ReadonlyMap<string, readonly string[]>): string {
  return plain(new Map([...files].map(([path, words]) => [path, words.map(taskOf)])));
}

function plain(files: ReadonlyMap<string, readonly string[]>): string {
  return [...files]
    .map(([path, authors]) => `${path}=${authors.join("+")}`)
    .sort()
    .join(" ");
}
