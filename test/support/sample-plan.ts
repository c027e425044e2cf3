import type { Claim, PathPattern } from "../../src/core/ownership/pattern.ts";
import type { Command, Plan, Work } from "../../src/core/plan.ts";
import { agentWork as defaultWork, planOf, type TaskSketch } from "./plans.ts";

/** Plans for tests of what is shown about a plan: claims as people write them, gates where they are said. */
export type SampleTask = Omit<TaskSketch, "owns" | "boundary"> & {
  readonly owns?: readonly string[];
  readonly boundary?: readonly string[];
};

export function samplePlan(tasks: readonly SampleTask[], rest: Partial<Plan> = {}): Plan {
  const sketches = tasks.map(
    ({ owns = [], boundary = [], ...task }): TaskSketch => ({
      gates: [],
      fixRounds: 1,
      ...task,
      owns: owns.map(claim),
      boundary: boundary as readonly string[] as readonly PathPattern[],
    }),
  );
  return { ...planOf(sketches), name: "sample", ...rest };
}

export const shell = (line: string): Command => ({ kind: "shell", line });

export function agentWork(use = "claude", rest: Partial<Extract<Work, { kind: "agent" }>> = {}): Work {
  return { ...defaultWork, agent: { use, name: null, model: null }, ...rest };
}

export const minutes = (n: number) => ({ timeMs: n * 60_000, costUsd: null });

function claim(text: string): Claim {
  const [pattern, symbol] = text.split("::");
  return { mode: "any", pattern: pattern as PathPattern, symbol: symbol ?? null };
}
