import { formatTyped } from "../../app/command-links.ts";
import { wholeEnvironment } from "../../config/env.ts";
import { otherCommand } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { errorLines } from "../render/diagnostics.ts";
import { RequestError, toExpectedError } from "../request-error.ts";
import { version } from "../version.ts";
import type { Around, CommandLine } from "./command-lines.ts";
import { findFolder } from "./cpo/folder.ts";
import { type CpoCommand, type CpoRequest, readWords } from "./cpo/words.ts";

/**
 * The command line of cpo, the parallel orchestrator: `init`, `validate`, `run`, `status` of an artefact folder. Its exit codes are
 * its own: 0 done, 1 not, 2 for words that make no sense and folders that are not there.
 */
export const cpo: CommandLine = async (words, around) => {
  const { output } = around;
  const env = wholeEnvironment();
  const { WORKSPACE_ROOT = "" } = env;
  const request = readWords(words, env);
  switch (request.kind) {
    case "help":
      output.raw(usage(request.of));
      return exitCodes.ok;
    case "version":
      output.raw(`cpo (plait ${version})\n`);
      return exitCodes.ok;
    case "wrong":
      return wrong(request.problem, request.of, around);
    default:
      if (request.kind === "run" && WORKSPACE_ROOT !== "")
        output.warn("WORKSPACE_ROOT has no effect: plait manages its own worktrees.");
      return guarded(request, around);
  }
};

function wrong(problem: string, of: CpoCommand | null, { output }: Around): number {
  output.say([...errorLines(problem, null, output.look), [usageLine(of)]]);
  return exitCodes.badRequest;
}

type Doing = Exclude<CpoRequest, { kind: "help" | "version" | "wrong" }>;

/** What is expected to go wrong is told; where the place is not fit for a run, cpo says 1. */
async function guarded(request: Doing, around: Around): Promise<number> {
  const { output } = around;
  try {
    return await act(request, around);
  } catch (thrown) {
    const error = await toExpectedError(thrown);
    output.say(errorLines(error.message, error.hint, { width: output.sayWidth, glyphs: output.glyphs }));
    return error instanceof RequestError ? exitCodes.badRequest : exitCodes.incomplete;
  }
}

async function act(request: Doing, around: Around): Promise<number> {
  if (request.kind === "init") return (await import("./cpo/init.ts")).init(request, around);
  const found = await findFolder(request.dir, around);
  if ("problem" in found) {
    const typed = await formatTyped("cpo", wholeEnvironment());
    const hint = fix("make one", otherCommand(typed, "init", [request.dir, "-t", "TS-0042", "-n", "name"]));
    throw new RequestError(`${request.dir}: ${found.problem}`, hint);
  }
  const { folder } = found;
  switch (request.kind) {
    case "validate":
      return (await import("./cpo/validate.ts")).validate(folder, found.around);
    case "status":
      return (await import("./cpo/status.ts")).status(folder, found.around);
    case "run":
      return (await import("./cpo/run.ts")).run(folder, request.options, found.around);
  }
}

/** The help of `cpo`, whole or of one command. Scripts ask for it to find out whether cpo is there. */
export function usage(command: CpoCommand | null): string {
  if (command !== null) return `${USAGES[command]}\n`;
  return `usage: cpo <command> <dir> [options]

  cpo init <dir> -t <tech-spec> -n <name>      create the artifact folder for a spec
  cpo validate <dir>                           check the manifest and the files it names
  cpo run <dir>                                run the waves, one agent per task, and land the work
  cpo status <dir>                             show the latest run's progress
  cpo --help, cpo <command> --help             show this help, or a command's options
  cpo --version

Exit codes: 0 done, 1 not done or invalid, 2 bad arguments or no such folder.
This is plait's cpo command. Differences: docs/guide/migrating-from-cpo.md
`;
}

/** One line, for whoever typed something wrong. */
export function usageLine(command: CpoCommand | null): string {
  return command === null
    ? "usage: cpo init|validate|run|status <dir> [options]"
    : firstLine(USAGES[command]);
}

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));

const USAGES: { readonly [C in CpoCommand]: string } = {
  init: `usage: cpo init <dir> -t <tech-spec> -n <name> [--tech python|django|typescript|go]

Creates a complete, valid folder with one placeholder task. Existing files are never overwritten.

  -t, --tech-spec-id TS-0042   the tech spec: its id, or the path to its file
  -n, --name feature-name      the feature's name
      --tech <technology>      python (default), django, typescript or go`,
  validate: `usage: cpo validate <dir>

Checks manifest.json, task files, prompts and contracts. Exit codes: 0 valid, 1 invalid, 2 no such folder or no manifest.`,
  run: `usage: cpo run <dir> [--dry-run] [--wave N] [--max-concurrent N] [--retry-failed] [--skip id,id] [--validate] [--status]

Validates the folder, installs dependencies, runs the waves in order and lands the result on the current branch.

      --dry-run            show what would run without starting it
      --wave N             run only this wave; earlier waves must have landed
      --max-concurrent N   tasks to run at once (default: MAX_CONCURRENT, metadata.max_parallel, 3)
      --retry-failed       continue the folder's latest incomplete run, rereading the folder
      --skip id,id         skip these tasks
      --validate, --status same as cpo validate and cpo status

As in plait run: --agent, --without-sub-agents, --model, --land end|partial|never, --allow-root, --allow-nested.
Variables: PARALLEL_DIR (the folder), MAX_CONCURRENT, TIMEOUT_HOURS (per attempt, default 2).`,
  status: `usage: cpo status <dir>

Shows the folder's latest run, wave by wave. Exit codes: 0 shown, 1 no run, 2 no such folder.`,
};
