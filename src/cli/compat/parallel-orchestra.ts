import { exitCodes } from "../exit-codes.ts";
import { shown } from "../render/visible.ts";
import { type EnvironmentError, RequestError, toExpectedError } from "../request-error.ts";
import { version } from "../version.ts";
import type { Around, CommandLine } from "./command-lines.ts";
import { runManifest } from "./parallel-orchestra/run.ts";
import { readWords, type Words } from "./parallel-orchestra/words.ts";

/** `parallel-orchestra [--version] [-h] run <manifest> [options]`, run by plait. */
export const parallelOrchestra: CommandLine = async (words, around) => {
  const { output } = around;
  const read = readWords(words);
  switch (read.kind) {
    case "version":
      output.raw(`${version}\n`);
      return exitCodes.ok;
    case "help":
      output.raw(helpText(read.of));
      return exitCodes.ok;
    case "wrong":
      output.annotate(wrongText(read));
      return exitCodes.badRequest;
    default:
      try {
        return await runManifest(read.asked, around);
      } catch (problem) {
        return tellProblem(await toExpectedError(problem), around);
      }
  }
};

function tellProblem(problem: RequestError | EnvironmentError, { output }: Around): number {
  const kind = problem instanceof RequestError ? "ManifestError" : "RunnerError";
  const hint = (problem.hint?.split("\n") ?? []).map((line) => [`  ${shown(line, output.glyphs)}`]);
  output.say([[`${kind}: ${shown(problem.message, output.glyphs)}`], ...hint]);
  return problem instanceof RequestError ? exitCodes.badRequest : exitCodes.badEnvironment;
}

const PROGRAM_USAGE = "usage: parallel-orchestra [-h] [--version] {run} ...";

const RUN_USAGE = `usage: parallel-orchestra run [-h] [--max-workers N] [--claude-exe PATH] [--quiet] [--log-dir PATH]
                              [--no-log] [--dry-run] [--resume] [--report PATH]
                              [--dashboard | --no-dashboard] [--without-sub-agents]
                              [--allow-root] [--allow-nested]
                              manifest_path`;

const PROGRAM_HELP = `${PROGRAM_USAGE}

Runs the tasks of a parallel-orchestra manifest with plait: same manifest, same options, same output.

  run         run all tasks in a manifest

  -h, --help  show this help
  --version   print the version of plait

See docs/guide/migrating-from-parallel-orchestra.md for what differs.`;

const RUN_HELP = `${RUN_USAGE}

  manifest_path      the manifest, a .md file
  --max-workers N    agents to run at once (default: 3)
  --claude-exe PATH  the claude executable (default: claude on your PATH)
  --quiet            do not print successful tasks
  --log-dir PATH     log folder (default: .claude/logs in the repository root)
  --no-log           do not write log files
  --dry-run          print the plan without running it
  --resume           continue an earlier run of the manifest
  --report PATH      write a report: .json, .md or .markdown
  --dashboard        show live progress even if stderr is not a terminal
  --no-dashboard     do not show live progress
  -h, --help         show this help

Added by plait:
  --without-sub-agents
                     run tasks with plain Claude if their agent is missing
  --allow-root       allow agents to bypass permissions as root
  --allow-nested     allow a run inside another run

exit codes:
  0  all tasks succeeded and their work is on your branch
  1  a task failed, timed out or was skipped
  2  the manifest or the command line is invalid
  3  the environment is not usable, or work could not be merged
  130, 143  ended by a signal: INT, TERM`;

function helpText(of: "program" | "run"): string {
  return `${of === "run" ? RUN_HELP : PROGRAM_HELP}\n`;
}

function wrongText({ of, problem }: Extract<Words, { kind: "wrong" }>): string {
  const usage = of === "run" ? RUN_USAGE : PROGRAM_USAGE;
  const name = of === "run" ? "parallel-orchestra run" : "parallel-orchestra";
  return problem === null ? `${usage}\n` : `${usage}\n${name}: error: ${problem}\n`;
}
