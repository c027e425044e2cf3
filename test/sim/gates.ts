import type { GateKey, Oid, TaskId } from "../../src/core/ids.ts";
import { gateKey, type Task } from "../../src/core/plan.ts";
import type { Check } from "../../src/core/run-index.ts";
import type { Case } from "./case.ts";
import type { Files, GitModel } from "./git-model.ts";
import { randomFrom } from "./random.ts";
import { poisonOf, taskOf } from "./worktrees.ts";

/**
 * What gates say. The verdict is a function of the tree and the gate: red where somebody's work poisons the gate, and
 * where the works of two tasks meet that do not know of each other. Only a flaky gate may answer differently next time.
 */
export type Judgement = { readonly verdict: "green" | "red"; readonly tries: number };

/** Two tasks that break a gate together, until one of them was made on top of the other. */
type Pair = { readonly one: TaskId; readonly other: TaskId; readonly gate: GateKey };

export class Gates {
  /** How many of each gate run now. */
  readonly running = new Map<GateKey, number>();
  /** By tree and gate, whose work made it red; empty for a flake. */
  readonly causes = new Map<string, ReadonlySet<string>>();
  private readonly pairs: readonly Pair[];
  private readonly seed: number;
  private readonly git: GitModel;
  private judged = 0;

  constructor({ seed, kind, plan }: Case, git: GitModel) {
    this.seed = seed;
    this.git = git;
    this.pairs = kind === "wild" ? randomPairs(seed, plan.tasks) : [];
  }

  began(gate: GateKey): void {
    this.running.set(gate, (this.running.get(gate) ?? 0) + 1);
  }

  left(gate: GateKey): void {
    this.running.set(gate, (this.running.get(gate) ?? 1) - 1);
  }

  /** They were children of a driver that is gone. */
  clear(): void {
    this.running.clear();
  }

  judge(tree: Oid, { gate, key }: Check): Judgement {
    const causes = this.causesOf(this.git.files(tree), key);
    const mayFlake = gate.name.startsWith("flaky");
    for (let tries = 1; tries <= 1 + gate.retries; tries += 1) {
      this.judged += 1;
      const flakes = mayFlake && randomFrom(this.seed, "flake", this.judged).chance(0.4);
      if (causes.size === 0 && !flakes) return { verdict: "green", tries };
    }
    this.causes.set(causeKey(tree, key), causes);
    return { verdict: "red", tries: 1 + gate.retries };
  }

  /** Paths that a task writes when it is made on top of the one it does not go together with. */
  meetings(task: TaskId, base: Files): string[] {
    return this.pairs
      .filter(
        ({ one, other }) =>
          (one === task && hasWorkOf(base, other)) || (other === task && hasWorkOf(base, one)),
      )
      .map(meetingPath);
  }

  private causesOf(files: Files, gate: GateKey): Set<string> {
    const causes = new Set<string>();
    for (const words of files.values()) {
      for (const word of words) if (poisonOf(word) === gate) causes.add(taskOf(word));
    }
    for (const pair of this.pairs) {
      if (pair.gate !== gate || files.has(meetingPath(pair))) continue;
      if (hasWorkOf(files, pair.one) && hasWorkOf(files, pair.other)) causes.add(pair.one).add(pair.other);
    }
    return causes;
  }
}

export const causeKey = (tree: Oid, gate: GateKey): string => `${tree} ${gate}`;

const meetingPath = ({ one, other }: Pair): string => `meet/${one}-${other}`;

const hasWorkOf = (files: Files, task: TaskId): boolean =>
  files.get(`own/${task}`)?.some((word) => taskOf(word) === task) ?? false;

/** Only gates that both have: otherwise one would merge what the other has to pay for. */
function randomPairs(seed: number, tasks: readonly Task[]): Pair[] {
  const random = randomFrom(seed, "pairs");
  const writing = tasks.filter(({ access }) => access === "write");
  if (writing.length < 2 || random.chance(0.25)) return [];
  return Array.from({ length: random.int(1, 1 + Math.ceil(writing.length / 3)) }).flatMap(() => {
    const [one, other] = random.shuffle(writing) as [Task, Task];
    const shared = one.gates.filter((gate) => other.gates.some((its) => gateKey(its) === gateKey(gate)));
    return shared.length === 0 ? [] : [{ one: one.id, other: other.id, gate: gateKey(random.pick(shared)) }];
  });
}
