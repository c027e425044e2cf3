// Another plan for a run that has begun: an edited file, other words for one task, or another preparation of worktrees.

import { isDeepStrictEqual } from "node:util";
import { defaultPolicy } from "../config/settings.ts";
import type { Policy } from "../core/facts.ts";
import type { TaskId } from "../core/ids.ts";
import type { Plan, Task } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { listPreparationChanges, listReadAgain, listRevision } from "../core/select/plan-changes.ts";
import { forRun, plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { listAccounts } from "../engines/local/find-accounts.ts";
import type { Asked, LocalRun, Revision } from "../engines/local/local-run.ts";
import { openValues, type ValuesPlace } from "../engines/local/sealed-values.ts";
import { checkAgents, describeCheck } from "./check-agents.ts";
import { addDependencies } from "./dependencies.ts";
import { type Host, type OrRefusal, refuse, valuesKey } from "./host.ts";
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
  const { run } = state;
  const { plan } = state.index;
  const known = plan.tasks.find(({ id }) => id === task);
  if (known === undefined || known.work.kind !== "agent") {
    return refuse(
      "request",
      `${task} is a command and has no prompt`,
      fix("retry it", forRun(state, plait("retry", task, { run }))),
    );
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
  /** Whether the plan differs in more than that: only `resume --plan` applies it. */
  readonly hasOtherChanges: boolean;
};

/**
 * The plan of the run with the preparation that the plan's file and the configuration ask for now, and the settings of the
 * configuration: a person may have changed them to help the run. The work of its tasks stays as it was.
 */
export async function refreshSettings(
  host: Host,
  { repository, known }: FoundRun,
  read: Plan,
): Promise<Refreshed> {
  const { state, folder } = known;
  const { plan: fresh } = await addDependencies(repository, read);
  const old = readSettings(state.index.plan, fresh);
  const settings = listReadAgain(state.index.plan, old);
  const byId = new Map(fresh.tasks.map((task) => [task.id, task.prepare]));
  const tasks = old.tasks
    .filter(({ id }) => !state.gone.has(id))
    .map((task) => ({ ...task, prepare: byId.get(task.id) ?? task.prepare }));
  const changes = listPreparationChanges(old.prepare, fresh.prepare);
  const before = new Map(old.tasks.map((task) => [task.id, task.prepare]));
  const others = tasks.filter(({ id, prepare }) => {
    const was = before.get(id) ?? prepare;
    const isPlans =
      listPreparationChanges(was, old.prepare).length === 0 &&
      listPreparationChanges(prepare, fresh.prepare).length === 0;
    return !isPlans && listPreparationChanges(was, prepare).length > 0;
  });
  const all = [...changes, ...others.map(({ id }) => `preparation of ${id} changed`), ...settings];
  const hasOtherChanges = await differsElse(state, fresh, { folder, keyFile: valuesKey(host) });
  if (all.length === 0) return { revision: null, changes: [], hasOtherChanges };
  const plan: Plan = { ...old, prepare: fresh.prepare, tasks };
  const policy = withSettings(state, plan);
  return {
    revision: { plan, texts: new Map(), policy, accounts: listAccounts(state), redo: [] },
    changes: all,
    hasOtherChanges,
  };
}

/**
 * The plan with the settings that the configuration gives now. Where the plan's file was edited too, what differs may be its own;
 * then, and for a run that does not know the flags of its start, nothing is taken.
 */
function readSettings(old: Plan, fresh: Plan): Plan {
  if (old.source.flags === undefined || fresh.source.hash !== old.source.hash) return old;
  const byId = new Map(fresh.tasks.map((task) => [task.id, task]));
  const tasks = old.tasks.map((task) => {
    const { retries, fixRounds, limits } = byId.get(task.id) ?? task;
    return { ...task, retries, fixRounds, limits };
  });
  const { slots, budgetUsd, land, publish } = fresh;
  const { onto, ...landStyle } = fresh.landStyle;
  // The target branch is that of the start.
  const { onto: target } = old.landStyle;
  const style = { ...landStyle, ...(target !== undefined && { onto: target }) };
  return { ...old, tasks, slots, budgetUsd, land, publish, landStyle: style };
}

/** What was changed while the run ran stays, where the configuration asks for nothing else than before. */
function withSettings({ policy, index }: RunState, now: Plan): Policy {
  const { plan: old } = index;
  const isSame = (key: "slots" | "budgetUsd" | "land" | "publish" | "landStyle") =>
    isDeepStrictEqual(old[key], now[key]);
  return {
    ...policy,
    ...(!isSame("slots") && { slots: now.slots ?? defaultPolicy.slots }),
    ...(!isSame("budgetUsd") && { budgetUsd: now.budgetUsd }),
    ...(!isSame("land") && { land: now.land }),
    ...(!isSame("publish") && { publish: now.publish }),
    ...(!isSame("landStyle") && { landStyle: now.landStyle }),
  };
}

/** Compared as the journal has it: with sealed values, and the preparation aside. */
async function differsElse(state: RunState, fresh: Plan, place: ValuesPlace): Promise<boolean> {
  const { plan: old } = state.index;
  if (fresh.source.hash === old.source.hash) return false;
  const sealed = (await openValues(place)).seal(fresh);
  const before = new Map(old.tasks.map((task) => [task.id, task.prepare]));
  const tasks = sealed.tasks.map((task) => ({ ...task, prepare: before.get(task.id) ?? task.prepare }));
  return listRevision(state, { ...sealed, prepare: old.prepare, tasks }, []).length > 0;
}
