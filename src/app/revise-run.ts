// Another plan for a run that has begun: an edited file, or other words for one task.

import type { AccountKey, TaskId } from "../core/ids.ts";
import type { Plan, Task } from "../core/plan.ts";
import { accountOf } from "../core/queries.ts";
import type { RunState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { nearest } from "../core/suggest.ts";
import type { Asked, LocalRun, Revision } from "../engines/local/local-run.ts";
import { checkAgents } from "./check-agents.ts";
import { agentsFor, type Host, type OrRefusal, refuse } from "./host.ts";
import { sha256 } from "./read-text.ts";
import { resumeRun, retryFailed } from "./resume-run.ts";
import type { FoundRun } from "./runs.ts";
import type { StartInput } from "./start-run.ts";
import { choiceFor, withoutMissing } from "./sub-agents.ts";
import { needsRepository } from "./without-repository.ts";

export type Revising = Pick<StartInput, "plan" | "texts" | "policy" | "subAgents"> & {
  readonly redo: readonly string[];
  /** What is asked besides; left out, what `resume` means. */
  readonly asked?: Asked;
};

/** Goes on with the edited plan, or says why not; then nothing was changed. */
export async function reviseRun(
  host: Host,
  found: FoundRun,
  revising: Revising,
): Promise<OrRefusal<{ run: LocalRun; warnings: readonly string[] }>> {
  const { plan, redo, asked = retryFailed } = revising;
  const { repository, known } = found;
  const unknown = redo.find((name) => !plan.tasks.some(({ id }) => id === name));
  if (unknown !== undefined) {
    const ids = plan.tasks.map(({ id }) => id);
    const meant = nearest(unknown, ids);
    const hint = meant === null ? `the plan has ${ids.slice(0, 20).join(", ")}` : `did you mean ${meant}?`;
    return refuse("request", `there is no task ${JSON.stringify(unknown)} in the plan`, hint);
  }
  const { workFolder } = known.state;
  const why = workFolder === null ? null : needsRepository(selectedOf(known.state, plan));
  if (why !== null) return refuse("request", `${workFolder} is in no repository`, why);
  const cwd = workFolder ?? repository.workTree ?? host.cwd;
  const asking = { agents: agentsFor(host), env: host.env, cwd, run: known.run };
  const isRoot = process.getuid?.() === 0;
  const rights = { isRoot, allowRoot: host.allowRoot };
  const checked = await checkAgents(plan, { ...asking, ...rights, ...choiceFor(revising) });
  if (!checked.ok) return checked;
  const { accounts, warnings, replaced } = checked;
  const revision: Revision = {
    ...withoutMissing(revising, replaced),
    ...{ texts: revising.texts, accounts, redo: redo as readonly TaskId[] },
  };
  const resumed = await resumeRun(host, found, asked, { revision });
  return resumed.ok ? { ...resumed, warnings } : resumed;
}

function selectedOf({ selected }: RunState, { tasks }: Plan): Pick<Plan, "tasks"> {
  return { tasks: selected === null ? tasks : tasks.filter(({ id }) => selected.has(id)) };
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
    return refuse(
      "request",
      `${task} is a command, which has no prompt`,
      `try it again: plait retry ${task}`,
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
  return { ok: true, revision: { plan: revised, texts, policy, accounts: accountsIn(state), redo: [] } };
}

function accountsIn(state: RunState): { readonly [task: string]: AccountKey } {
  return Object.fromEntries(
    state.index.plan.tasks.flatMap(({ id }, i) => {
      const account = accountOf(state, i);
      return account === null ? [] : [[id, account] as const];
    }),
  );
}

/** Other words bring a task back by themselves, unless a person had cancelled it. */
export function retryCancelled(task: TaskId): Asked {
  return (_, now) => {
    const i = now.index.indexOf.get(task);
    const isCancelled = i !== undefined && taskState(now, i).phase.kind === "cancelled";
    return isCancelled ? [{ kind: "retry", task }] : [];
  };
}
