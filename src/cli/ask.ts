import {
  type RunCommand as AskedCommand,
  askDriver,
  dropTasks,
  type FoundRun,
  findRun,
  findTask,
  type Host,
  ifGone,
  refuseByRun,
  resumeRun,
  type WantedRun,
} from "../app/index.ts";
import type { TaskId } from "../core/ids.ts";
import { openTasks } from "../core/select/task-lists.ts";
import { type Command, plait } from "../core/text/command.ts";
import { listed, quoted } from "../core/text/figures.ts";
import { driveHere } from "./drive.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { createHost, drivingHost, granted } from "./host.ts";
import { droppedLines } from "./render/open.ts";
import { backgroundLines } from "./render/status.ts";
import type { Request, RunCommand } from "./request.ts";

/** Sends commands to the process that runs the run; where there is none, this process resumes the run with them. */
export async function askOrDrive(
  request: Request,
  found: FoundRun,
  { commands, command, granted: text }: Asking,
): Promise<ExitCode> {
  const { known } = found;
  for (const one of commands) {
    const { asked } = granted(await askDriver(known, one));
    if (asked.kind === "nobody") {
      const resumed = granted(await resumeRun(await drivingHost(request, command), found, () => commands));
      return driveHere(resumed.run, request);
    }
    if (!asked.decision.ok) granted(refuseByRun(known.run, asked.decision.refusal));
  }
  const { look, result } = request.output;
  result([[text], ...backgroundLines(known.run, look)]);
  return exitCodes.ok;
}

export type Asking = {
  readonly commands: readonly AskedCommand[];
  /** As the user would type it. */
  readonly command: Command;
  /** One sentence for the user when the commands were accepted. */
  readonly granted: string;
};

/** The same command for each named task. */
export async function askForTasks(request: Request, kind: "retry" | "approve" | "accept"): Promise<ExitCode> {
  const isAccept = kind === "accept";
  const verb = isAccept ? "submit" : kind;
  const host = createHost(request, plait(verb));
  const found = isAccept
    ? await findOpen(request, host)
    : granted(await findRun(host, request.options.run ?? null));
  const tasks = findNamedTasks(request, found);
  for (const task of isAccept ? tasks : []) {
    const gone = await ifGone(found.known.state, task);
    if (gone !== null) granted(gone);
  }
  const commands = tasks.map((task) => ({ kind, task }));
  return askOrDrive(request, found, {
    ...{ commands, command: plait(verb, tasks) },
    granted: `${GRANTED[kind]} ${listed(tasks)} in ${found.known.run}.`,
  });
}

const GRANTED = { retry: "Retrying", approve: "Approved", accept: "Submitted" } as const;

/** The run in which one of the named tasks is open; otherwise the latest. */
async function findOpen({ args, options }: Request, host: Host): Promise<FoundRun> {
  const isOpen: WantedRun = {
    fits: (known) => {
      const named = args
        .map((name) => findTask(known, name))
        .flatMap((found) => (found.ok ? found.task : []));
      return openTasks(known.state).some(({ task }) => named.includes(task));
    },
    none: { message: "", hint: "" }, // not shown: the latest run is used
  };
  const open = options.run === undefined ? await findRun(host, null, isOpen) : null;
  return open?.ok ? open : granted(await findRun(host, options.run ?? null));
}

/** The named tasks, each once. */
export function findNamedTasks(request: Request, found: FoundRun): readonly TaskId[] {
  return [...new Set(request.args.map((name) => findNamedTask(request, found, name)))];
}

/** For commands that change something: an id that was not typed in full is shown before it is acted on. */
export function findNamedTask({ output, options }: Request, { known }: FoundRun, typed: string): TaskId {
  const { task } = granted(findTask(known, typed));
  const isHeard = options.quiet !== true && options.json !== true;
  if (task !== typed && isHeard) output.say([[`${quoted(typed)} is task ${quoted(task)} in ${known.run}`]]);
  return task;
}

/** `plait approve <task…>`: allows held work to be merged. */
export const approve: RunCommand = (request) => askForTasks(request, "approve");

/** `plait submit <task…>`: saves, checks and merges a person's work in an opened worktree. */
export const submit: RunCommand = (request) => askForTasks(request, "accept");

/** `plait drop <task…>`: saves the work of tasks and drops them; their dependents are skipped. */
export const drop: RunCommand = async (request) => {
  const { output, options } = request;
  const host = await drivingHost(request, plait("drop"));
  const found = await findOpen(request, host);
  const { dropped } = granted(await dropTasks(host, found, findNamedTasks(request, found)));
  const { run } = found.known;
  if (options.json === true) output.json({ v: 1, run, dropped });
  else output.result(droppedLines(dropped, run, output.look));
  return exitCodes.ok;
};
