// What a person may have changed to help a run that is to continue: how worktrees are prepared, in the plan's file or in a
// configuration file. The tasks of a run stay as they were; an edited plan is for `resume --plan`.

import type { Plan, Preparation } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { listAccounts } from "../engines/local/find-accounts.ts";
import type { Revision } from "../engines/local/local-run.ts";
import type { Repository } from "../git/index.ts";
import { addDependencies } from "./dependencies.ts";

export type Refreshed = {
  /** Null where nothing differs. */
  readonly revision: Revision | null;
  /** One line for each setting that differs from the start. */
  readonly changes: readonly string[];
};

/** The plan of the run with the preparation that the plan's file and the configuration ask for now. */
export async function refreshPreparation(
  repository: Repository,
  state: RunState,
  read: Plan,
): Promise<Refreshed> {
  const { plan: fresh } = await addDependencies(repository, read);
  const { plan: old } = state.index;
  const byId = new Map(fresh.tasks.map((task) => [task.id, task.prepare]));
  const tasks = old.tasks
    .filter(({ id }) => !state.gone.has(id))
    .map((task) => ({ ...task, prepare: byId.get(task.id) ?? task.prepare }));
  const changes = listChanges(old.prepare, fresh.prepare);
  const before = new Map(old.tasks.map((task) => [task.id, task.prepare]));
  const others = tasks.filter(({ id, prepare }) => {
    const was = before.get(id) ?? prepare;
    const isPlans =
      listChanges(was, old.prepare).length === 0 && listChanges(prepare, fresh.prepare).length === 0;
    return !isPlans && listChanges(was, prepare).length > 0;
  });
  const all = [...changes, ...others.map(({ id }) => `preparation of ${id} changed`)];
  if (all.length === 0) return { revision: null, changes: [] };
  const plan: Plan = { ...old, prepare: fresh.prepare, tasks };
  const { policy } = state;
  return {
    revision: { plan, texts: new Map(), policy, accounts: listAccounts(state), redo: [] },
    changes: all,
  };
}

const SETTINGS = [
  ["setup", "setup"],
  ["copy", "copy"],
  ["include", "files to copy"],
  ["envFiles", "env-files"],
  ["teardown", "teardown"],
] as const;

function listChanges(before: Preparation, now: Preparation): string[] {
  return SETTINGS.flatMap(([key, name]) =>
    isSame(before[key], now[key]) ? [] : [`${name}: ${format(before[key])} → ${format(now[key])}`],
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const MOST_LETTERS = 60;

function format(value: Preparation[keyof Preparation]): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (!Array.isArray(value) || value.length === 0) return "none";
  const text = value.map(formatEntry).join(", ");
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

/** A path, a pair of paths, or a command. */
function formatEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const { from, to, line, argv } = entry as {
    readonly [key in "from" | "to" | "line"]?: string;
  } & { readonly argv?: readonly string[] };
  if (from !== undefined) return `${from} as ${to}`;
  return line ?? argv?.join(" ") ?? JSON.stringify(entry);
}
