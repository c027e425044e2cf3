import * as z from "zod";
import { planFile } from "./schema.ts";

/** JSON Schema (draft 2020-12) of what people write, for editors and other tools. */
export function nativeJsonSchema(): object {
  return z.toJSONSchema(planFile, { io: "input", target: "draft-2020-12" });
}
