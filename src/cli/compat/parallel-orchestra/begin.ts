import { type Command, otherCommand } from "../../../core/text/command.ts";
// Which run is driven: the one that --resume finds unfinished, or a new one; and which tasks count as done before it begins.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  bringsIn,
  earlierRun,
  type FoundRun,
  type LocalRun,
  resumeRun,
  retryFailed,
  unmergedIn,
  withLeftWork,
} from "../../../app/index.ts";
import type { TaskId } from "../../../core/ids.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { isResultLanded } from "../../../core/select/landing-text.ts";
import { doneTasks } from "../../../core/select/task-lists.ts";
import { begin } from "../../begin.ts";
import { createHost, granted } from "../../host.ts";
import type { Prepared } from "./run.ts";
import { readStateFile, stateWrittenAt } from "./state-file.ts";
import type { Asked } from "./words.ts";

export type Begun = {
  readonly run: LocalRun;
  /** Tasks that were done before. */
  readonly resumed: ReadonlySet<TaskId>;
  /** By task whose work parallel-orchestra left unmerged: the branch that holds it. */
  readonly left: ReadonlyMap<string, string>;
};

export async function beginOrGoOn(prepared: Prepared, stateFile: string): Promise<Begun> {
  const { asked, request, plan } = prepared;
  if (!asked.resume) return fresh(prepared, plan);
  const earlier = await earlierRun(createHost(request, orchestraCommand()), plan);
  if (earlier.kind === "same") {
    const { state } = earlier.found.known;
    const { left, merged } = await unmergedIn(prepared.checkout.repository, state);
    // What could not be brought in is there, and the run would try it again: only what that run has not done is left.
    if (merged.length > 0 && isResultLanded(state))
      return fromStateFile(prepared, { path: stateFile, isNeeded: false, done: doneTasks(state) });
    return goOn(prepared, earlier.found, left);
  }
  if (earlier.kind === "complete" && bringsIn(earlier.known.state.index.plan)) {
    const { startedAt, index } = earlier.known.state;
    // It was complete after a person had resolved what the state file stands for.
    if ((await stateWrittenAt(stateFile)) < startedAt)
      return fromStateFile(prepared, {
        path: stateFile,
        isNeeded: true,
        done: index.plan.tasks.map(({ id }) => id),
      });
  }
  if (earlier.kind === "changed") {
    const why = `the manifest has changed since run ${earlier.run} (hash mismatch)`;
    request.output.warn(`--resume: ${why}; running its tasks again`);
  }
  return fromStateFile(prepared, { path: stateFile, isNeeded: earlier.kind !== "changed", done: [] });
}

/** As the user typed it. */
export const orchestraCommand = (...words: readonly string[]): Command =>
  otherCommand("plait parallel-orchestra", "run", words);

const NOTHING = { resumed: new Set<TaskId>(), left: new Map<string, string>() };

async function fresh({ request, loaded, asked }: Prepared, plan: Plan): Promise<Begun> {
  const command = orchestraCommand(asked.manifest);
  const isVain = vainWarnings(plan, asked);
  return { run: await begin(request, loaded, { plan, command, takesPlanFlags: false, isVain }), ...NOTHING };
}

/** Another program than Claude may write where it likes; who lists reports under `writes` has a place that Claude may write to. */
function vainWarnings({ tasks }: Plan, { claudeExe }: Asked): (warning: string) => boolean {
  const hasPlace = ({ reports }: Task) => reports.some((path) => !path.includes(".claude/"));
  const isNeedless = claudeExe !== null || tasks.every((task) => task.access === "write" || hasPlace(task));
  return (warning) => isNeedless && /\bwrite below \.claude\b/.test(warning);
}

/** What failed there is tried again; what was cut off goes on. */
async function goOn(
  { asked, request, loaded }: Prepared,
  found: FoundRun,
  left: Begun["left"],
): Promise<Begun> {
  const { known } = found;
  const host = { ...createHost(request, orchestraCommand(asked.manifest)), agents: loaded.agents };
  const { run } = granted(
    await resumeRun(host, found, (left, now) => [
      ...retryFailed(left, now),
      ...(request.env.keepWorktrees ? [{ kind: "keep-worktrees" } as const] : []),
      ...(now.policy.slots === asked.maxWorkers
        ? []
        : [{ kind: "resize", slots: asked.maxWorkers } as const]),
    ]),
  );
  request.output.say([[`continuing run ${known.run}`]]);
  return { run, resumed: new Set(doneTasks(known.state)), left };
}

type StatePlace = {
  readonly path: string;
  readonly isNeeded: boolean;
  /** What a run of plait's own has done and landed. */
  readonly done: readonly TaskId[];
};

/** What parallel-orchestra itself remembers; git says what of it is merged. */
async function fromStateFile(prepared: Prepared, { path, isNeeded, done: ours }: StatePlace): Promise<Begun> {
  const { asked, request, plan, checkout } = prepared;
  const { output } = request;
  const bytes = await readFile(resolve(asked.manifest));
  const hash = createHash("sha256").update(bytes).digest("hex");
  const remembered = await readStateFile(path, hash);
  if (remembered.kind === "useless") output.warn(remembered.warning);
  if (remembered.kind === "missing" && isNeeded) {
    const why = `no unfinished run of this manifest and no state file ${path}`;
    output.warn(`--resume: ${why}; running all tasks`);
  }
  if (remembered.kind !== "done") return fresh(prepared, plan);
  const theirs = plan.tasks.map(({ id }) => id).filter((id) => remembered.tasks.includes(id));
  const done = new Set([...ours, ...theirs]);
  const { plan: going, merges } = await withLeftWork(checkout.repository, plan, {
    done,
    landed: new Set(ours),
  });
  for (const { task, branch } of merges) output.say([[`merging the work of ${task} from ${branch}`]]);
  const begun = await fresh(prepared, going);
  return { ...begun, resumed: done, left: new Map(merges.map(({ task, branch }) => [task, branch])) };
}
