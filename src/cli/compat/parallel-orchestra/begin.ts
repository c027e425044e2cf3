// Which run is driven: the one that --resume finds unfinished, or a new one; and which tasks count as done before it begins.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  earlierRun,
  type FoundRun,
  type LocalRun,
  resumeRun,
  retryFailed,
  withLeftWork,
} from "../../../app/index.ts";
import type { TaskId } from "../../../core/ids.ts";
import type { Plan } from "../../../core/plan.ts";
import { doneTasks } from "../../../core/select/past-attempts.ts";
import { begin } from "../../begin.ts";
import { granted, hostOf } from "../../host.ts";
import { warn } from "../../render/warning.ts";
import type { Prepared } from "./run.ts";
import { readStateFile } from "./state-file.ts";

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
  const earlier = await earlierRun(hostOf(request, COMMAND), plan);
  if (earlier.kind === "same") return goOn(prepared, earlier.found);
  if (earlier.kind === "changed") {
    const why = `the manifest has changed since the run ${earlier.run} (hash mismatch)`;
    request.output.say(warn(`--resume: ${why}; its tasks run again`, request.output));
  }
  return fromStateFile(prepared, { path: stateFile, isNeeded: earlier.kind === "none" });
}

const COMMAND = "plait parallel-orchestra run";
const NOTHING = { resumed: new Set<TaskId>(), left: new Map<string, string>() };

async function fresh({ request, loaded, asked }: Prepared, plan: Plan): Promise<Begun> {
  const command = `${COMMAND} ${asked.manifest}`;
  return { run: await begin(request, loaded, { plan, command, takesLand: false }), ...NOTHING };
}

/** What failed there is tried again; what was cut off goes on. */
async function goOn({ asked, request, loaded }: Prepared, found: FoundRun): Promise<Begun> {
  const { known } = found;
  const host = {
    ...hostOf(request, `${COMMAND} ${asked.manifest}`),
    agents: loaded.agents,
  };
  const { run } = granted(
    await resumeRun(host, found, (left, now) => [
      ...retryFailed(left, now),
      ...(now.policy.slots === asked.maxWorkers
        ? []
        : [{ kind: "resize", slots: asked.maxWorkers } as const]),
    ]),
  );
  request.output.say([[`goes on with the run ${known.run}`]]);
  return { run, resumed: new Set(doneTasks(known.state)), left: NOTHING.left };
}

/** What parallel-orchestra itself remembers; git says what of it is merged. */
async function fromStateFile(
  prepared: Prepared,
  { path, isNeeded }: { readonly path: string; readonly isNeeded: boolean },
): Promise<Begun> {
  const { asked, request, plan, checkout } = prepared;
  const { output } = request;
  const bytes = await readFile(resolve(asked.manifest));
  const hash = createHash("sha256").update(bytes).digest("hex");
  const remembered = await readStateFile(path, hash);
  if (remembered.kind === "useless") output.say(warn(remembered.warning, output));
  if (remembered.kind === "missing" && isNeeded) {
    const why = `there is no unfinished run of this manifest, and no state file ${path}`;
    output.say(warn(`--resume: ${why}; all tasks run`, output));
  }
  if (remembered.kind !== "done") return fresh(prepared, plan);
  const done = new Set(plan.tasks.map(({ id }) => id).filter((id) => remembered.tasks.includes(id)));
  const { plan: going, merges } = await withLeftWork(checkout.repository, plan, done);
  for (const { task, branch } of merges) output.say([[`brings in the work of ${task} from ${branch}`]]);
  const begun = await fresh(prepared, going);
  return { ...begun, resumed: done, left: new Map(merges.map(({ task, branch }) => [task, branch])) };
}
