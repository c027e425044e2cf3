import { outcomeOf } from "../outcome.ts";
import type { RunState } from "../run-state.ts";
import { isSelected } from "../run-tasks.ts";
import { shellWord } from "../text/shell-word.ts";

/**
 * Tasks that were made from a spec keep to contracts that gates need not know: when all of them are done, it is time to look
 * whether the parts fit. One sentence; null where that is not due.
 */
export function integrationDue(state: RunState): string | null {
  const { plan } = state.index;
  const { format, path } = plan.source;
  const outcome = state.ended?.outcome ?? outcomeOf(state);
  if (format !== "cpo" || outcome !== "complete") return null;
  if (plan.tasks.some(({ id }) => !isSelected(state, id))) return null; // more is to come
  const folder = shellWord(path.replace(/\/manifest\.json$/, ""));
  return `Integration is due: see whether the parts fit: plait spec integrate --parallel-dir ${folder}`;
}
