import { findMissingPrograms } from "./check-machine.ts";
import type { Inspect } from "./load-plan.ts";

/** All of an artefact folder, for who asks whether it is good. What that needs is loaded for such folders only. */
export const inspectFolder: Inspect = async ({ format, input, draft, env }, caps, around) => {
  if (format !== "cpo") return [];
  const { checkFolder } = await import("../spec/folder/check-folder.ts");
  const missing = draft === null ? [] : await findMissingPrograms(draft, env);
  return [...(await checkFolder(input, caps, around)), ...missing];
};

/** Before a run: prompts that say what their task files said before they were edited are not run. */
export const inspectPrompts: Inspect = async ({ format, input }, caps, around) => {
  if (format !== "cpo") return [];
  const { checkRunnable } = await import("../spec/folder/check-folder.ts");
  return checkRunnable(input, caps, around);
};
