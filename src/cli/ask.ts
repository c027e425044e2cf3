import { askDriver, type FoundRun, findRun, findTask, type RunCommand, resumeRun } from "../app/index.ts";
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
export async function askForTasks(request: Request, kind: "retry" | "approve"): Promise<ExitCode> {
  const command = `plait ${kind}`;
  const found = granted(await findRun(hostOf(request, command), request.options.run ?? null));
  const tasks = request.args.map((name) => granted(findTask(found.known, name)).task);
  const commands = tasks.map((task) => ({ kind, task }));
  return askOrDrive(request, found, { commands, command: `${command} ${tasks.join(" ")}` });
}
