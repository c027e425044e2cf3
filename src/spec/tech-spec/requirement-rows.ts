import { gatherRequirements } from "../requirements/gather-requirements.ts";

/** The row of a new tech spec that is replaced by requirements, where there are any. */
export const REQUIREMENT_ROW = "| R1 | REPLACE ME: what must be true, in a testable form |";

/**
 * The new text with the requirements of the product requirements in its table: by their own ids, or by R1, R2, … where they have none. From
 * then on the tech spec is the place of those ids; the other document stays as it is.
 */
export function withRequirements(text: string, prd: string | null): string {
  if (prd === null) return text;
  const { requirements, hasIds } = gatherRequirements([{ file: "", text: prd }]);
  if (requirements.length === 0) return text;
  const rows = requirements.map(
    ({ id, text: says }, i) => `| ${hasIds ? id : `R${i + 1}`} | ${cell(says)} |`,
  );
  return text.replace(REQUIREMENT_ROW, () => rows.join("\n"));
}

/** As it is written there; a bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll(/(?<!\\)\|/g, "\\|");
}
