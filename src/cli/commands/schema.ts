import { configSchema, designSchema, planSchema } from "../../app/json-schemas.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";

const schemas = new Map([
  ["plan", planSchema],
  ["config", configSchema],
  ["design", designSchema],
]);

/** `plait schema [what]`: the JSON Schema of a file that people write. */
export const schema: RunCommand = async ({ args, output }) => {
  const [what = "plan"] = args;
  const found = schemas.get(what);
  if (found === undefined)
    throw new UsageError(
      `unknown schema ${JSON.stringify(what)}`,
      fix("choose plan, config or design", plait("schema", "plan")),
    );
  output.json(await found());
  return exitCodes.ok;
};
