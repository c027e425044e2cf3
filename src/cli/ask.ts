import {
  askDriver,
  type FoundRun,
  findRun,
  findTask,
  type Host,
  ifGone,
  type RunCommand,
  resumeRun,
  type WantedRun,
} from "../app/index.ts";
import type { TaskId } from "../core/ids.ts";
import { openTasks } from "../core/select/open-tasks.ts";
import { driveHere } from "./drive.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { drivingHost, granted, hostOf } from "./host.ts";
import { goOnLines } from "./render/status.ts";
import type { Request } from "./request.ts";
import { RequestError } from "./request-error.ts";

/** Asks a run to do something: its driver, or, where nobody drives it, this process, which then drives it. */
export async function askOrDrive(
  request: Request,
  found: FoundRun,
  { commands, command }: { readonly commands: readonly RunCommand[]; readonly command: string },
): Promise<ExitCode> {
  const { known } = found;
  for (const one of commands) {
    const { asked } = granted(await askDriver(known, one));
    if (asked.kind === "nobody") {
      const resumed = granted(await resumeRun(await drivingHost(request, command), found, () => commands));
      return driveHere(resumed.run, request);
    }
    if (!asked.decision.ok)
      throw new RequestError(asked.decision.refusal, `look at it: plait status ${known.run}`);
  }
  const { resultWidth: width, glyphs, result } = request.output;
  result([[`${known.run} goes on`], ...goOnLines(known.run, { width, glyphs })]);
  return exitCodes.ok;
}

/** The same question about each task that was named. */
export async function askForTasks(request: Request, kind: "retry" | "approve" | "accept"): Promise<ExitCode> {
  const command = `plait ${kind}`;
  const host = hostOf(request, command);
  const isAccept = kind === "accept";
  const found = isAccept
    ? await findOpen(request, host)
    : granted(await findRun(host, request.options.run ?? null));
  const tasks = tasksOf(request, found);
  for (const task of isAccept ? tasks : []) {
    const gone = await ifGone(found.known.state, task);
    if (gone !== null) granted(gone);
  }
  const commands = tasks.map((task) => ({ kind, task }));
  return askOrDrive(request, found, { commands, command: `${command} ${tasks.join(" ")}` });
}

/** The run that a person has one of the named tasks open in, else the latest. */
export async function findOpen({ args, options }: Request, host: Host): Promise<FoundRun> {
  const isOpen: WantedRun = {
    fits: ({ state }) => openTasks(state).some(({ task }) => args.includes(task)),
    none: { message: "", hint: "" }, // the latest is asked for then
  };
  const open = options.run === undefined ? await findRun(host, null, isOpen) : null;
  return open?.ok ? open : granted(await findRun(host, options.run ?? null));
}

/** The tasks that were named, each once. */
export function tasksOf({ args }: Request, { known }: FoundRun): readonly TaskId[] {
  return [...new Set(args.map((name) => granted(findTask(known, name)).task))];
}
