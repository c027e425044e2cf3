import type { EnvSettings } from "../config/env.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Options } from "./flags.ts";
import type { Output } from "./output.ts";

/** What a command gets: the words after it, its flags, and where to talk. */
export type Request = {
  readonly args: readonly string[];
  readonly options: Options;
  readonly env: EnvSettings;
  /** The folder that the program was started in, before `--cwd`; null when it is gone. */
  readonly startedIn: string | null;
  readonly output: Output;
  /** The program that stands for Claude; left out where it is the one on the path. */
  readonly claude?: string;
  /** Whether exit codes 2, 126 and 127 of an agent are final; left out where they are not. */
  readonly hasFinalExits?: boolean;
};

export type RunCommand = {
  (request: Request): Promise<ExitCode>;
  /** Throws a UsageError for flags that do not go together; also asked by the test of all printed commands. */
  readonly checkFlags?: (options: Options) => void;
};
