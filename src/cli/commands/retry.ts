import { resolve } from "node:path";
import {
  type FoundRun,
  findRun,
  findTask,
  readText,
  resumeRun,
  retryCancelled,
  withPrompt,
} from "../../app/index.ts";
import { defaultCaps } from "../../config/caps.ts";
import { askForTasks } from "../ask.ts";
import { driveHere } from "../drive.ts";
import type { ExitCode } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError, UsageError } from "../request-error.ts";

/** `plait retry <task…>`: a fresh set of chances for tasks that failed; with other words, where a prompt is given. */
export const retry: RunCommand = async (request) => {
  const { promptFile: files = [] } = request.options;
  const [file] = files;
  if (file === undefined) return askForTasks(request, "retry");
  const [name, ...others] = request.args;
  if (name === undefined || others.length > 0 || files.length > 1)
    throw new UsageError("--prompt-file is for one task", "retry the others by themselves");
  const host = await drivingHost(request, `plait retry ${name} --prompt-file ${file}`);
  const found = granted(await findRun(host, request.options.run ?? null));
  return withWords(request, found, { name, file });
};

async function withWords(
  request: Request,
  found: FoundRun,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<ExitCode> {
  const { known } = found;
  const { task } = granted(findTask(known, name));
  const read = await readText(resolve(file), defaultCaps.maxPromptBytes);
  if (!read.ok) throw new RequestError(`--prompt-file ${file} ${read.detail}`, "name a file of text");
  if (read.text.trim() === "")
    throw new RequestError(`--prompt-file ${file} is empty`, "write what is to be done");
  const { revision } = granted(withPrompt(known.state, task, { text: read.text, file }));
  const host = await drivingHost(request, `plait retry ${task}`);
  const { run } = granted(await resumeRun(host, found, retryCancelled(task), { revision }));
  return driveHere(run, request);
}
