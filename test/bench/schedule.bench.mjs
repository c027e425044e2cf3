// How much longer a run takes than any schedule must: random plans in the simulator, where only agents take time. The test of
// the simulator computes it; this asks it and holds the answer against the goal.
import { runTool } from "../../scripts/tools.mjs";

export const name = "schedule";

const TEST = "test/sim/scheduling.test.ts";
const GOAL = 1.05;

export async function run() {
  const { stdout, status } = runTool("vitest", ["run", TEST], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
  });
  const [, average, worst] =
    /makespan: ([\d.]+) of the lower bound on average, ([\d.]+) at worst/.exec(stdout) ?? [];
  if (status !== 0 || average === undefined) throw new Error(`${TEST} did not tell the makespan:\n${stdout}`);
  const measure = "makespan / lower bound, 20 random plans of 200 tasks at 8 workers";
  return [
    { measure, value: `${average}x`, goal: `<= ${GOAL}x`, pass: Number(average) <= GOAL },
    { measure: "the worst of them", value: `${worst}x` },
  ];
}
