// Another plan for a run that has begun: an edited file, or other words for one task.

import type { TaskId } from "../core/ids.ts";
import type { Plan, Task } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { listAccounts } from "../engines/local/find-accounts.ts";
import type { Asked, LocalRun, Revision } from "../engines/local/local-run.ts";
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
