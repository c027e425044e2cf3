import { planSchema } from "../../app/plan-schema.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RunCommand } from "../request.ts";

/** `plait schema`: the JSON Schema of plan files. */
export const schema: RunCommand = async ({ output }) => {
  output.json(await planSchema());
  return exitCodes.ok;
};
