import type { Fact } from "../../../src/core/facts.ts";
import type { TaskId } from "../../../src/core/ids.ts";
import type { RunState, TaskPhase } from "../../../src/core/run-state.ts";
import { get } from "../../../src/core/sorted-map.ts";
import { causeKey } from "../gates.ts";
import { hold } from "../violation.ts";
import type { World } from "../world.ts";
import type { History } from "./history.ts";

/** I9 at the merge queue: what leaves it without being merged does so for its own work, not for a neighbour's. */
export class Blame {
  private readonly world: World;
  private readonly history: History;

  constructor(world: World, history: History) {
    this.world = world;
    this.history = history;
  }

  note(before: RunState, fact: Fact, after: RunState): void {
    if (fact.type === "gate.judged" && fact.verdict === "red") this.noteRed(before, fact, after);
    if (fact.type === "candidate.refused") this.noteConflict(before, fact, after);
  }

  /** Work that is only on its way may never come: a conflict with it would be another's failure. */
  private noteConflict(
    before: RunState,
    fact: Extract<Fact, { type: "candidate.refused" }>,
    after: RunState,
  ): void {
    const { task } = fact.task;
    if (!hasLeftQueue(before, after, task)) return;
    const others = fact.failure.reason === "conflict" ? fact.failure.with : [];
    const ghost = others.find((id) => !this.history.wasMerged(id));
    hold(
      ghost === undefined,
      "I9 conflicts",
      () => `${task} paid for a conflict with ${ghost}, which is not merged`,
    );
  }

  private noteRed(before: RunState, fact: Extract<Fact, { type: "gate.judged" }>, after: RunState): void {
    const causes = this.world.gates.causes.get(causeKey(fact.tree, fact.gate));
    for (const { task } of before.candidates.flatMap(({ tasks }) => tasks)) {
      if (!hasLeftQueue(before, after, task)) continue;
      const isOwn = causes !== undefined && (causes.size === 0 || causes.has(task));
      hold(
        isOwn,
        "I9 red trees",
        () => `${task} paid for a tree that ${[...(causes ?? [])].join(", ")} made red`,
      );
    }
  }
}

function hasLeftQueue(before: RunState, after: RunState, task: TaskId): boolean {
  return phaseOf(before, task)?.kind === "queued" && phaseOf(after, task)?.kind !== "queued";
}

function phaseOf(state: RunState, task: TaskId): TaskPhase | undefined {
  const i = state.index.indexOf.get(task);
  return i === undefined ? undefined : get(state.tasks, i)?.phase;
}
