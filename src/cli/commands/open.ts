import { findRun, type Host, type OpenedTask, openTask, workInTerminal } from "../../app/index.ts";
import { plait } from "../../core/text/command.ts";
import { findNamedTask } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import { handInLines, openedLines } from "../render/open.ts";
import type { Request, RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";

/** `plait open <task>`: prepares the worktree of a task for a person, and prints its state and the next commands. */
export const open: RunCommand = async (request) => {
  const { options, output } = request;
  const [name = ""] = request.args;
  if (options.start === true && options.json === true) {
    throw new RequestError("--start and --json cannot be combined", "remove one of them: --start or --json");
  }
  const host = await drivingHost(request, plait("open", name));
  const found = granted(await findRun(host, options.run ?? null));
  const task = findNamedTask(request, found, name);
  const { opened } = granted(
    await openTask(host, found, {
      task,
      needsConversation: options.start === true,
      onTrouble: (detail) => output.warn(`${detail}; trying again`),
    }),
  );
  if (options.json === true) output.json({ v: 1, ...opened });
  else output.result(openedLines(opened, output.look));
  if (options.start === true) await start(request, host, opened);
  return exitCodes.ok;
};

/** However the program exits, its work is in the worktree for the person to submit or drop. */
async function start(request: Request, host: Host, opened: OpenedTask): Promise<void> {
  const { output } = request;
  const end = await workInTerminal(host, opened);
  if (!end.ok) {
    throw new EnvironmentError(end.message, `work in the worktree yourself: cd ${opened.worktree}`);
  }
  output.result([[], ...handInLines(opened, output.look)]);
}
