import { findRun, findTask, type Host, type OpenedTask, openTask, workInTerminal } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import { handInLines, openedLines } from "../render/open.ts";
import { warn } from "../render/warning.ts";
import type { Request, RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";

/** `plait open <task>`: makes the worktree of a task ready for a person, and says what is in it and how to go on. */
export const open: RunCommand = async (request) => {
  const { options, output } = request;
  const [name = ""] = request.args;
  if (options.start === true && options.json === true) {
    throw new RequestError("--start takes the terminal, so there is no document", "leave one of them out");
  }
  const host = await drivingHost(request, `plait open ${name}`);
  const found = granted(await findRun(host, options.run ?? null));
  const { task } = granted(findTask(found.known, name));
  const { opened } = granted(
    await openTask(host, found, {
      task,
      needsConversation: options.start === true,
      onTrouble: (detail) => output.say(warn(`${detail}; tried again`, output)),
    }),
  );
  if (options.json === true) output.json({ v: 1, ...opened });
  else output.result(openedLines(opened, namedRun(request, opened), lookOf(request)));
  if (options.start === true) await start(request, host, opened);
  return exitCodes.ok;
};

const namedRun = ({ options }: Request, { run }: OpenedTask) => ({
  run,
  isNamed: options.run !== undefined,
});

const lookOf = ({ output }: Request) => ({ width: output.resultWidth, glyphs: output.glyphs });

/** However the program ends, what it did is in the worktree, and the person says what becomes of it. */
async function start(request: Request, host: Host, opened: OpenedTask): Promise<void> {
  const { output } = request;
  const end = await workInTerminal(host, opened);
  if (!end.ok) {
    throw new EnvironmentError(end.message, `it is open all the same: cd ${opened.worktree}`);
  }
  output.result([[], ...handInLines(opened, namedRun(request, opened), lookOf(request))]);
}
