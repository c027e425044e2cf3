import type { Fact } from "../../core/facts.ts";
import type { AttemptId, Oid, TextHash } from "../../core/ids.ts";

/** What the last red gate printed, by the attempt whose work it judged: alone, or merged with that of others. */
export type RedOutputs = {
  readonly watch: (fact: Fact) => void;
  readonly of: (attempt: AttemptId) => TextHash | null;
};

export function redOutputs(): RedOutputs {
  const outputs = new Map<AttemptId, TextHash>();
  const carried = new Map<Oid, readonly AttemptId[]>();
  return {
    of: (attempt) => outputs.get(attempt) ?? null,
    watch: (fact) => {
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
