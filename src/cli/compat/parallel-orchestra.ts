import { exitCodes } from "../exit-codes.ts";
import { shown } from "../render/visible.ts";
import { type EnvironmentError, RequestError, toExpectedError } from "../request-error.ts";
import { version } from "../version.ts";
import type { Around, CommandLine } from "./command-lines.ts";
import { runManifest } from "./parallel-orchestra/run.ts";
import { helpText, wrongText } from "./parallel-orchestra/usage.ts";
import { readWords } from "./parallel-orchestra/words.ts";

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
