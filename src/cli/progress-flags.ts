import type { EnvSettings } from "../config/env.ts";
import type { Options } from "./flags.ts";
import { RequestError, UsageError } from "./request-error.ts";
import { errorStream } from "./streams.ts";

/**
 * How a run is to be shown, whichever way it was said: `--progress`, its short forms `--json` and `--quiet`, or the variable
 * PLAIT_PROGRESS. All others look at `json` and `quiet`, so these say the same afterwards.
 */
export function withProgress(options: Options, env: EnvSettings): Options {
  const [problem] = env.problems.filter(({ name }) => name === "PLAIT_PROGRESS");
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const { json = false, quiet = false } = options;
  if (json && quiet)
    throw new UsageError("--json and --quiet ask for different things", "leave one of them out");
  const short = json ? "json" : quiet ? "quiet" : undefined;
  const { progress } = options;
  if (progress !== undefined && short !== undefined && progress !== short)
    throw new UsageError(
      `--progress ${progress} and --${short} ask for different things`,
      "leave one of them out",
    );
  const { isTerminal } = errorStream(env.columns);
  if (progress === "tty" && !isTerminal)
    throw new RequestError(
      "--progress tty needs a terminal, and stderr is none",
      "for a log: --progress plain",
    );
  const how = progress ?? short ?? env.progress ?? "auto";
  return {
    ...options,
    progress: how,
    ...(how === "json" ? { json: true } : {}),
    ...(how === "quiet" ? { quiet: true } : {}),
  };
}
