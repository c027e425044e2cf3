// Another plan for a run that has begun: an edited file, other words for one task, or another preparation of worktrees.

import type { TaskId } from "../core/ids.ts";
import type { Plan, Preparation, Task } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { listAccounts } from "../engines/local/find-accounts.ts";
import type { Asked, LocalRun, Revision } from "../engines/local/local-run.ts";
import type { Repository } from "../git/index.ts";
import { checkAgents, describeCheck } from "./check-agents.ts";
import { addDependencies } from "./dependencies.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { matchTasks, planTaskNames } from "./match-tasks.ts";
import { sha256 } from "./read-text.ts";
import { resumeRun, retryFailed } from "./resume-run.ts";
import type { FoundRun } from "./runs.ts";
import type { StartInput } from "./start-run.ts";
import { choiceFor, withoutMissing } from "./sub-agents.ts";
import { needsRepository } from "./without-repository.ts";

export type Revising = Pick<StartInput, "plan" | "texts" | "policy" | "subAgents" | "each"> & {
  readonly redo: readonly string[];
  /** What is asked besides; left out, what `resume` means. */
  readonly asked?: Asked;
};

/** Continues with the edited plan. A refusal changes nothing. */
export async function reviseRun(
  host: Host,
  found: FoundRun,
  revising: Revising,
): Promise<OrRefusal<{ run: LocalRun; warnings: readonly string[] }>> {
  const { plan, redo, each, asked = retryFailed } = revising;
  const { repository, known } = found;
  const ids = plan.tasks.map(({ id }) => id);
  const again = matchTasks(redo, planTaskNames(ids, each));
  if (!again.ok) return again;
  const { workFolder } = known.state;
  const { selected } = known.state;
  const tasks = plan.tasks.filter(({ id }) => selected?.has(id) ?? true);
  const why = workFolder === null ? null : needsRepository({ tasks });
  if (why !== null) return refuse("request", `${workFolder} is not in a repository`, why);
  const cwd = workFolder ?? repository.workTree ?? host.cwd;
  const check = { ...describeCheck(host, { cwd, run: known.run }), ...choiceFor(revising) };
  const checked = await checkAgents(plan, check);
  if (!checked.ok) return checked;
  const { accounts, warnings, replaced } = checked;
  const prepared = await addDependencies(repository, plan);
  const revision: Revision = {
    ...withoutMissing({ ...revising, plan: prepared.plan }, replaced),
    ...{ texts: revising.texts, accounts, redo: again.tasks },
  };
  const resumed = await resumeRun(host, found, asked, { revision });
  return resumed.ok ? { ...resumed, warnings } : resumed;
}

/** The same plan with other words for one task, which is tried again with them. */
export function withPrompt(
  state: RunState,
  task: TaskId,
  { text, file }: { readonly text: string; readonly file: string },
): OrRefusal<{ revision: Revision }> {
  const { plan } = state.index;
  const known = plan.tasks.find(({ id }) => id === task);
  if (known === undefined || known.work.kind !== "agent") {
    return refuse("request", `${task} is a command and has no prompt`, fix("retry it", plait("retry", task)));
  }
  const hash = sha256(text);
  const prompt = { hash, bytes: Buffer.byteLength(text), file };
  const changed: Task = { ...known, work: { ...known.work, prompt } };
  const tasks = plan.tasks
    .filter(({ id }) => !state.gone.has(id))
    .map((one) => (one.id === task ? changed : one));
  const revised: Plan = { ...plan, tasks };
  const texts = new Map([[hash, text]]);
  const { policy } = state;
  return { ok: true, revision: { plan: revised, texts, policy, accounts: listAccounts(state), redo: [] } };
}

/** Other words bring a task back by themselves, unless a person had cancelled it. */
export function retryCancelled(task: TaskId): Asked {
  return (_, now) => {
    const i = now.index.indexOf.get(task);
    const isCancelled = i !== undefined && taskState(now, i).phase.kind === "cancelled";
    return isCancelled ? [{ kind: "retry", task }] : [];
  };
}

export type Refreshed = {
  /** Null where nothing differs. */
  readonly revision: Revision | null;
  /** One line for each setting that differs from the start. */
  readonly changes: readonly string[];
};

/**
 * The plan of the run with the preparation that the plan's file and the configuration ask for now: a person may have changed them to
 * help the run. Its tasks stay as they were.
 */
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
