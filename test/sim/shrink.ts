import type { Fact } from "../../src/core/facts.ts";
import { type Cut, makeCase, WHOLE } from "./case.ts";
import { type Result, runSeed } from "./run.ts";
import type { System } from "./trial.ts";

/** A failing case made small: without the faults and tasks that it fails without as well. */
export type Shrunk = { readonly cut: Cut; readonly result: Result; readonly runs: number };

const MOST_RUNS = 400;

export function shrink(seed: number, system: System, found: Result): Shrunk {
  let best: Shrunk = { cut: WHOLE, result: found, runs: 0 };
  const attempt = (cut: Cut): void => {
    if (best.runs >= MOST_RUNS) return;
    const result = runSeed(seed, system, cut);
    const isSame = result.broken?.invariant === found.broken?.invariant;
    best = { ...(isSame ? { cut, result } : best), runs: best.runs + 1 };
  };
  for (let before = -1; before !== sizeOf(best.cut); ) {
    before = sizeOf(best.cut);
    halveTasks(seed, best.cut, attempt);
    for (const fault of makeCase(seed).faults.keys()) {
      if (!best.cut.faults.includes(fault)) attempt({ ...best.cut, faults: [...best.cut.faults, fault] });
    }
    for (const { id } of makeCase(seed, best.cut).plan.tasks.slice(1).reverse()) {
      attempt({ ...best.cut, tasks: [...best.cut.tasks, id] });
    }
  }
  return best;
}

const sizeOf = ({ faults, tasks }: Cut): number => faults.length + tasks.length;

/** A large plan one task at a time would take too long. */
function halveTasks(seed: number, cut: Cut, attempt: (cut: Cut) => void): void {
  const left = makeCase(seed, cut).plan.tasks.map(({ id }) => id);
  if (left.length > 8) attempt({ ...cut, tasks: [...cut.tasks, ...left.slice(Math.ceil(left.length / 2))] });
}

/** What a person needs to see: the seed, how to run it again, and the small case with its last facts. */
export function report(seed: number, { cut, result, runs }: Shrunk): string {
  const whole = makeCase(seed);
  const small = makeCase(seed, cut);
  const of = (part: readonly unknown[], all: readonly unknown[]): string => `${part.length} of ${all.length}`;
  return [
    `seed ${seed}: ${result.broken?.message}`,
    `again: PLAIT_SIM_SEED=${seed} npm test -- test/sim/sim.test.ts`,
    `shrunk in ${runs} runs to ${of(small.plan.tasks, whole.plan.tasks)} tasks and ${of(small.faults, whole.faults)} faults`,
    `policy ${JSON.stringify(small.policy)}`,
    ...small.plan.tasks.map(
      ({ id, needs, race, retries }) =>
        `task ${id} needs [${needs.join(" ")}] race ${race} retries ${retries}`,
    ),
    ...small.faults.map((fault) => `fault ${JSON.stringify(fault)}`),
    ...result.facts
      .slice(-40)
      .map((fact, i, last) => `${result.facts.length - last.length + i} ${lineOf(fact)}`),
  ].join("\n");
}

function lineOf({ v: _, at, type, ...rest }: Fact): string {
  const shown = "plan" in rest ? { ...rest, plan: rest.plan.tasks.map(({ id }) => id).join(" ") } : rest;
  // Object names of the model are small numbers behind many zeros.
  return `${at} ${type} ${JSON.stringify(shown)
    .replace(/"0{8,}/g, '"')
    .slice(0, 220)}`;
}
