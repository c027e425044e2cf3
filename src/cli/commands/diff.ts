import { findAttempt, findRun, findTask, taskDiff } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { hasColours } from "../output.ts";
import { diffLines } from "../render/diff.ts";
import type { RunCommand } from "../request.ts";
import { resultStream } from "../streams.ts";

/** More than anybody reads, and less than memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `plait diff <task>`: what an attempt changed against its base. In a pipe it is a patch. */
export const diff: RunCommand = async (request) => {
  const { options, output, env } = request;
  const found = granted(await findRun(hostOf(request, "plait diff"), options.run ?? null));
  const { task } = granted(findTask(found.known, request.args[0] as string));
  const { attempt } = granted(findAttempt(found.known, task, options.attempt ?? null));
  const { stat = false } = options;
  const made = granted(await taskDiff(found, attempt, { maxBytes: MAX_BYTES, stat }));
  const name = attempt.replace("/", " #");
  if (made.kind === "at-work") {
    output.say([
      [
        `${name} is at work: what it changed is seen once it is saved; plait logs ${task} -f shows what it does`,
      ],
    ]);
    return exitCodes.ok;
  }
  const { text, cutBytes } = made.diff;
  const stream = resultStream(env.columns);
  if (text === "") output.say([[`${name} changed nothing`]]);
  else if (stream.isTerminal || hasColours(stream, env, options))
    output.result(diffLines(text, output.glyphs));
  else output.raw(text);
  if (cutBytes > 0) output.say([[`${cutBytes.toLocaleString("en-US")} bytes of it are left out`]]);
  return exitCodes.ok;
};
