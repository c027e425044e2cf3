import type { TaskId } from "../../src/core/ids.ts";
import type { Plan, Task } from "../../src/core/plan.ts";
import { type Fault, randomFaults } from "./faults.ts";
import { PACES, type Pace } from "./pace.ts";
import { type Kind, type PlanCase, randomPlan } from "./plans.ts";
import { randomFrom } from "./random.ts";

/** All that one simulated run is made of; the seed and the cut determine it to the last byte. */
export type Case = PlanCase & {
  readonly seed: number;
  readonly kind: Kind;
  /** Whether there is a branch to land on; without one HEAD was detached. */
  readonly hasTarget: boolean;
  readonly pace: Pace;
  readonly faults: readonly Fault[];
};

/** What shrinking took away. */
export type Cut = { readonly faults: readonly number[]; readonly tasks: readonly TaskId[] };

export const WHOLE: Cut = { faults: [], tasks: [] };

export function makeCase(seed: number, cut: Cut = WHOLE): Case {
  const kind: Kind = randomFrom(seed, "kind").chance(0.35) ? "oracle" : "wild";
  const whole = randomPlan(randomFrom(seed, "plan"), kind);
  const faults = randomFaults(randomFrom(seed, "faults"), kind, whole.plan.tasks.length);
  const plan = withoutTasks(whole.plan, cut.tasks);
  return {
    seed,
    kind,
    ...whole,
    plan,
    selected: whole.selected?.filter((id) => !cut.tasks.includes(id)) ?? null,
    pace: PACES[randomFrom(seed, "pace").chance(0.5) ? "crowded" : "usual"],
    hasTarget: !randomFrom(seed, "target").chance(0.05),
    faults: faults.filter((_, i) => !cut.faults.includes(i)),
  };
}

/** The same run without a fault: what the others are measured by. */
export function calm(theCase: Case): Case {
  return { ...theCase, faults: [] };
}

export function withoutTasks(plan: Plan, gone: readonly TaskId[]): Plan {
  if (gone.length === 0) return plan;
  const stays = (id: TaskId): boolean => !gone.includes(id);
  const tasks = plan.tasks.filter(({ id }) => stays(id));
  return { ...plan, tasks: tasks.map((task): Task => ({ ...task, needs: task.needs.filter(stays) })) };
}
