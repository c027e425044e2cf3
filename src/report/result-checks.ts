import type { Fact } from "../core/facts.ts";
import type { Oid } from "../core/ids.ts";
import type { RunState } from "../core/run-state.ts";
import { commandText } from "../core/select/preview/commands.ts";
import type { ResultCheck } from "./model.ts";

/** The plan's gates on exactly the tree that landed, or is to land. The last verdict counts. */
export function checkResult(
  state: RunState,
  facts: readonly Fact[],
  tree: Oid = findResultTree(state),
): ResultCheck[] {
  return state.index.landingChecks.map(({ gate, key }) => {
    const { name } = gate;
    const last = facts.findLast(
      (fact) => fact.type === "gate.judged" && fact.tree === tree && fact.gate === key,
    );
    const judged = last?.type === "gate.judged" ? last : null;
    const verdict = judged?.verdict ?? null;
    return { name, command: commandText(gate.run), verdict, durationMs: judged?.durationMs ?? 0 };
  });
}

function findResultTree({ landing, tip }: RunState): Oid {
  if (landing.kind === "landed") return landing.to.tree;
  return landing.kind === "built" ? landing.result.tree : tip.tree;
}
