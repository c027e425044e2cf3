import { convertPlan } from "../../app/convert-plan.ts";
import { plait } from "../../core/text/command.ts";
import { count } from "../../core/text/figures.ts";
import { exitCodes } from "../exit-codes.ts";
import { printFindings, readPlan, withOnlyPlan } from "../plan-file.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { writeOutput } from "../write-output.ts";

/** `plait convert <plan>`: prints the plan in plait's own format, or writes a new file. */
export const convert: RunCommand = async (given) => {
  const { options, output } = given;
  const { output: file = null } = options;
  if (file !== null && /\.json$/i.test(file))
    throw new RequestError(
      `--output ${file} ends in .json, but the output is YAML`,
      "use a .yaml file: --output plan.yaml",
    );
  const request = await withOnlyPlan(given, plait("convert"));
  const loaded = await readPlan(request, { runCommands: false });
  printFindings(loaded, request);
  const { plan, written } = loaded;
  if (plan === null || written === null) return exitCodes.badRequest;
  const text = await convertPlan(written, file);
  if (file === null) {
    output.raw(text);
    return exitCodes.ok;
  }
  await writeOutput(file, text);
  const tasks = count(written.draft.tasks.length, "task");
  output.result([
    [`${shown(file, output.glyphs)}: ${tasks}, from ${shown(written.draft.path, output.glyphs)}`],
  ]);
  return exitCodes.ok;
};
