import { resolve } from "node:path";
import {
  type RunCommand as AskedCommand,
  type FoundRun,
  findRun,
  readText,
  resumeRun,
  retryCancelled,
  withPrompt,
} from "../../app/index.ts";
import { defaultCaps } from "../../config/settings.ts";
import { plait } from "../../core/text/command.ts";
import { listed } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { askForTasks, askOrDrive, findNamedTask, findNamedTasks } from "../ask.ts";
import { driveHere } from "../drive.ts";
import type { ExitCode } from "../exit-codes.ts";
import { createHost, drivingHost, granted } from "../host.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError, UsageError } from "../request-error.ts";

/**
 * `plait retry <task…>`: retries failed tasks, optionally with a new prompt. With `--now`, one attempt tests each limited
 * account immediately.
 */
export const retry: RunCommand = async (request) => {
  const { promptFile: files = [] } = request.options;
  const [file] = files;
  if (file === undefined) return request.options.now ? retryNow(request) : retryTasks(request);
  const [name, ...others] = request.args;
  if (name === undefined || others.length > 0 || files.length > 1)
    throw new UsageError(
      "--prompt-file needs exactly one task",
      fix(
        "retry one task",
        plait("retry", { placeholder: "task" }, { "prompt-file": { placeholder: "file" } }),
      ),
    );
  const host = await drivingHost(request, plait("retry", name, { "prompt-file": file }));
  const found = granted(await findRun(host, request.options.run ?? null));
  return retryWithPrompt(request, found, name, file);
};

function retryTasks(request: Request): Promise<ExitCode> {
  if (request.args.length === 0)
    throw new UsageError(
      "missing task",
      fix("specify a task, or retry all paused tasks", plait("retry", [], { now: true })),
    );
  return askForTasks(request, "retry");
}

async function retryNow(request: Request): Promise<ExitCode> {
  const found = granted(
    await findRun(createHost(request, plait("retry", [], { now: true })), request.options.run ?? null),
  );
  const tasks = findNamedTasks(request, found);
  const commands: AskedCommand[] =
    tasks.length === 0
      ? [{ kind: "retry-now" }]
      : tasks.map((task) => ({ kind: "retry", task, now: true }) as const);
  const command = plait("retry", tasks, { now: true });
  const what = tasks.length === 0 ? "all paused and retrying tasks" : listed(tasks);
  const said = `Retrying ${what} in ${found.known.run} now.`;
  return askOrDrive(request, found, { commands, command, granted: said });
}

async function retryWithPrompt(
  request: Request,
  found: FoundRun,
  name: string,
  file: string,
): Promise<ExitCode> {
  const { known } = found;
  const task = findNamedTask(request, found, name);
  const read = await readText(resolve(file), defaultCaps.maxPromptBytes);
  if (!read.ok)
    throw new RequestError(`--prompt-file ${file} ${read.detail}`, "pass a text file: --prompt-file <file>");
  if (read.text.trim() === "")
    throw new RequestError(
      `--prompt-file ${file} is empty`,
      fix("write a prompt in the file, then", plait("retry", name, { "prompt-file": file })),
    );
  const { revision } = granted(withPrompt(known.state, task, { text: read.text, file }));
  const host = await drivingHost(request, plait("retry", task));
  const { run } = granted(await resumeRun(host, found, retryCancelled(task), { revision }));
  return driveHere(run, request);
}
