import type { PlanInput } from "../format.ts";

/** The file that makes a folder an artefact folder. */
export const MANIFEST = "manifest.json";

/**
 * Whether a user pointed at an artefact folder, or at its manifest: JSON with waves that belong to a tech spec, or with the files
 * of tasks as the generation before had it. Reads no JSON, so that a broken manifest is recognised too.
 */
export function isCpo(input: PlanInput): boolean {
  if (input.kind === "folder") return input.names.includes(MANIFEST);
  if (!/^\s*\{/.test(input.text)) return false;
  const hasKey = (key: string, value: string) => new RegExp(`"${key}"\\s*:\\s*${value}`).test(input.text);
  if (hasKey("waves", "\\[")) return hasKey("tech_spec_id", "") || hasKey("number", "");
  return hasKey("tech_spec_id", "") || (hasKey("tech_spec", "\\{") && hasKey("tasks", "\\{"));
}
