import { convertPlan } from "../../app/convert-plan.ts";
import { count } from "../../core/select/preview/words.ts";
import { exitCodes } from "../exit-codes.ts";
import { readPlan, tellFindings } from "../plan-file.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { writeOutput } from "../write-output.ts";

/** `plait convert <plan>`: the plan as a native one, on standard output or in a new file. */
export const convert: RunCommand = async (request) => {
  const { options, output } = request;
  const { output: file = null } = options;
  if (file !== null && /\.json$/i.test(file))
    throw new RequestError(`--output ${file} is named as JSON, and YAML is written`, "let it end in .yaml");
  const loaded = await readPlan(request, { runCommands: false });
  tellFindings(loaded, request);
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
