// Before the check: whether findings can be sent to agents at all, and whether an earlier fix was interrupted.

import type { RunState, TaskState } from "../../../core/run-state.ts";
import { values } from "../../../core/sorted-map.ts";
import { formatCommand, plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { type Host, type OrRefusal, refuse } from "../../host.ts";
import type { FoundRun } from "../../runs.ts";
import { findSubject, type SubjectAsked } from "../subject.ts";
import { listUnseen } from "../unseen-changes.ts";

/** The run whose fixes were interrupted; null: there is none. */
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
      `wait for it: ${formatCommand(plait("watch", running.run))}`,
    );
  const changed = await listUnseen(repository, subject.folder?.path ?? null);
  if (changed.length > 0)
    return refuse(
      "environment",
      `uncommitted changes in ${count(changed.length, "file")}: ${changed.slice(0, 3).join(", ")}`,
      "commit or stash them: git stash",
    );
  const interrupted =
    [run, ...subject.runs.runs].find((one) => one !== null && isInterrupted(one.state)) ?? null;
  if (interrupted !== null) return { ok: true, found: { repository, known: interrupted } };
  if (run !== null && run.state.ended === null)
    return refuse(
      "environment",
      `${run.run} was interrupted`,
      `resume it: ${formatCommand(plait("resume", run.run))}`,
    );
  return { ok: true, found: null };
}

const INTERRUPTED: ReadonlySet<string> = new Set(["stopped", "drained"]);

function isInterrupted({ tasks, ended }: RunState): boolean {
  if (ended !== null && !INTERRUPTED.has(ended.outcome)) return false;
  return [...values(tasks)].some(isUnfinished);
}

function isUnfinished({ brief, phase }: TaskState): boolean {
  return brief !== null && phase.kind !== "failed" && phase.kind !== "cancelled";
}
