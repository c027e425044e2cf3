import type { Fact } from "../../core/facts.ts";
import type { AttemptId, Oid, TextHash } from "../../core/ids.ts";

/** What the last red gate printed, by the attempt whose work it judged: alone, or merged with that of others. */
export function redOutputs() {
  const outputs = new Map<AttemptId, TextHash>();
  const carried = new Map<Oid, readonly AttemptId[]>();
  return {
    of: (attempt: AttemptId): TextHash | null => outputs.get(attempt) ?? null,
    watch: (fact: Fact): void => {
      if (fact.type === "candidate.built") {
        carried.set(
          fact.result.commit,
          fact.tasks.map(({ attempt }) => attempt),
        );
      } else if (fact.type === "integration.advanced") {
        carried.delete(fact.to.commit);
      } else if (fact.type === "gate.judged" && fact.verdict === "red" && fact.output !== null) {
        for (const asker of fact.asked) {
          const attempts = asker.kind === "attempt" ? [asker.attempt] : (carried.get(asker.commit) ?? []);
          for (const attempt of attempts) outputs.set(attempt, fact.output);
        }
      }
    },
  };
}
