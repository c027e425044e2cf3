import { formatTyped } from "../../app/command-links.ts";
import { wholeEnvironment } from "../../config/env.ts";
import { exitCodes } from "../exit-codes.ts";
import { help } from "../render/diagnostics.ts";
import { styled } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import { RequestError, toExpectedError } from "../request-error.ts";
import { version } from "../version.ts";
import type { Around, CommandLine } from "./command-lines.ts";
import { findFolder } from "./cpo/folder.ts";
import { usage, usageLine } from "./cpo/usage.ts";
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
        output.warn("WORKSPACE_ROOT has no effect: plait keeps its worktrees by itself.");
      return guarded(request, around);
  }
};

function wrong(problem: string, of: CpoCommand | null, { output }: Around): number {
  output.say([[styled("red", "error:"), ` ${shown(problem, output.glyphs)}`], [usageLine(of)]]);
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
    output.say([
      [styled("red", "error:"), ` ${shown(error.message, output.glyphs)}`],
      ...help(error.hint, { width: output.sayWidth, glyphs: output.glyphs }),
    ]);
    return error instanceof RequestError ? exitCodes.badRequest : exitCodes.incomplete;
  }
}

async function act(request: Doing, around: Around): Promise<number> {
  if (request.kind === "init") return (await import("./cpo/init.ts")).init(request, around);
  const found = await findFolder(request.dir, around);
  if ("problem" in found) {
    const typed = await formatTyped("cpo", wholeEnvironment());
    const hint = `make one: ${typed} init ${request.dir} -t TS-0042 -n name`;
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
