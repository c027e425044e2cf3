import { outcomeOf } from "../outcome.ts";
import type { RunState } from "../run-state.ts";
import { isSelected } from "../run-tasks.ts";
import { shellWord } from "./preview/commands.ts";

/**
 * Tasks that were made from a spec keep to contracts that no gate knows: when all of them are done, somebody has to look whether
 * the parts fit. One sentence; null where that is not due.
 */
export function integrationDue(state: RunState): string | null {
  const { plan } = state.index;
  const { format, path } = plan.source;
  const outcome = state.ended?.outcome ?? outcomeOf(state);
  if (format !== "cpo" || outcome !== "complete") return null;
  if (plan.tasks.some(({ id }) => !isSelected(state, id))) return null; // more is to come
  const command = `/plait:parallel-integrate ${shellWord(path)}`;
  return `Integration is due: check that the parts fit before you go on (in Claude Code: ${command})`;
}
