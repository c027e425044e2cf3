import type { EnvSettings } from "../config/env.ts";
import type { Options } from "./flags.ts";
import { RequestError, UsageError } from "./request-error.ts";
import { errorStream } from "./streams.ts";

/**
 * The output mode from `--progress`, its short forms `--json` and `--quiet`, or PLAIT_PROGRESS. Commands read `json` and
 * `quiet`, so both are set to match.
 */
export function withProgress(options: Options, env: EnvSettings): Options {
  const [problem] = env.problems.filter(({ name }) => name === "PLAIT_PROGRESS");
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const { json = false, quiet = false } = options;
  if (json && quiet)
    throw new UsageError("--json and --quiet cannot be combined", "remove one of them: --json or --quiet");
  const short = json ? "json" : quiet ? "quiet" : undefined;
  const { progress } = options;
  if (progress !== undefined && short !== undefined && progress !== short)
    throw new UsageError(
      `--progress ${progress} and --${short} cannot be combined`,
      `remove one of them: --progress or --${short}`,
    );
  const { isTerminal } = errorStream(env.columns);
  if (progress === "tty" && !isTerminal)
    throw new RequestError(
      "--progress tty needs a terminal on stderr",
      "print lines instead: --progress plain",
    );
  const how = progress ?? short ?? env.progress ?? "auto";
  return {
    ...options,
    progress: how,
    ...(how === "json" ? { json: true } : {}),
    ...(how === "quiet" ? { quiet: true } : {}),
  };
}
