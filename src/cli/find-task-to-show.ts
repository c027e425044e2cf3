import { type FoundRun, findRun, findTask, SHOWN } from "../app/index.ts";
import type { TaskId } from "../core/ids.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { createHost, granted } from "./host.ts";
import type { Request } from "./request.ts";
import { RequestError } from "./request-error.ts";

/** How a command whose argument is a task shows a whole run. */
const WHOLE_RUN = { diff: "show all its changes", logs: "show its events" } as const;

type TaskQuery = { readonly command: keyof typeof WHOLE_RUN; readonly typed: string };

/** Most commands take a run where these take a task, so its name is often typed. */
export async function findTaskToShow(
  request: Request,
  found: FoundRun,
  { command, typed }: TaskQuery,
): Promise<TaskId> {
  const task = findTask(found.known, typed);
  const other = task.ok ? null : await findRun(createHost(request, plait(command)), typed, SHOWN);
  if (other?.ok && other.known.run === typed) {
    const hint = fix(WHOLE_RUN[command], plait(command, [], { run: typed }));
    throw new RequestError(`${typed} is a run, not a task`, hint);
  }
  return granted(task).task;
}
