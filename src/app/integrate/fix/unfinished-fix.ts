// Before anything is judged: whether findings could be sent back at all, and whether an earlier fix was cut short.

import type { RunState, TaskState } from "../../../core/run-state.ts";
import { count } from "../../../core/select/preview/words.ts";
import { values } from "../../../core/sorted-map.ts";
import { type Host, type OrRefusal, refuse } from "../../host.ts";
import type { FoundRun } from "../../runs.ts";
import { findSubject, type SubjectAsked } from "../subject.ts";
import { listUnseen } from "../unseen-changes.ts";

/** The run whose tasks were sent back and did not come to their end; null: there is none. */
export async function findUnfinishedFix(
  host: Host,
  asked: SubjectAsked,
): Promise<OrRefusal<{ readonly found: FoundRun | null }>> {
  const answer = await findSubject(host, asked);
  if (!answer.ok) return answer;
  const { subject } = answer;
  const { repository, run } = subject;
  const running = subject.runs.runs.find(({ driver }) => driver !== null);
  if (running !== undefined)
    return refuse(
      "environment",
      `${running.run} is running`,
      `wait for it to end: plait watch ${running.run}`,
    );
  const changed = await listUnseen(repository, subject.folder?.path ?? null);
  if (changed.length > 0)
    return refuse(
      "environment",
      `uncommitted changes in ${count(changed.length, "file")}: ${changed.slice(0, 3).join(", ")}`,
      "commit or stash them: git stash",
    );
  const cut = [run, ...subject.runs.runs].find((one) => one !== null && isCutShort(one.state)) ?? null;
  if (cut !== null) return { ok: true, found: { repository, known: cut } };
  if (run !== null && run.state.ended === null)
    return refuse("environment", `${run.run} was interrupted`, `resume it: plait resume ${run.run}`);
  return { ok: true, found: null };
}

const CUT_SHORT: ReadonlySet<string> = new Set(["stopped", "drained"]);

function isCutShort({ tasks, ended }: RunState): boolean {
  if (ended !== null && !CUT_SHORT.has(ended.outcome)) return false;
  return [...values(tasks)].some(isOnItsWay);
}

function isOnItsWay({ brief, phase }: TaskState): boolean {
  return brief !== null && phase.kind !== "failed" && phase.kind !== "cancelled";
}
