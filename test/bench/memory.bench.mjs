// What the process that drives a run holds at most, seen from outside (VmHWM in /proc): with many tasks at once, and with one
// agent that prints without end. It grows with neither.
import { SEES_PROCESSES, succeeded } from "../../scripts/bench/child.mjs";
import { makePlace, runArgs, someFiles, writePlan, writingTasks } from "../../scripts/bench/place.mjs";

export const name = "memory";

export async function run({ quick }) {
  const flood = quick ? "50MB" : "500MB";
  const flooding = [{ id: "flood", prompt: `demo: flood ${flood}\ndemo: write out.txt done` }];
  const cases = [
    { measure: "driver, 64 tasks at 16 workers", tasks: writingTasks(64), slots: 16, goal: 120 },
    { measure: `driver, one agent prints ${flood}`, tasks: flooding, slots: 1, goal: 150 },
  ];
  if (!SEES_PROCESSES)
    return cases.map(({ measure }) => ({ measure, value: "this system does not show it" }));
  const rows = [];
  for (const one of cases) rows.push(await peakOf(one));
  return rows;
}

async function peakOf({ measure, tasks, slots, goal }) {
  const place = makePlace(someFiles(100));
  try {
    const { repo, env } = place;
    const { peakMb } = await succeeded(runArgs(writePlan(place, tasks), slots), { cwd: repo, env });
    if (peakMb === null) throw new Error("the driver ended before anybody looked");
    return { measure, value: `${peakMb.toFixed(0)} MB`, goal: `<= ${goal} MB`, pass: peakMb <= goal };
  } finally {
    place.remove();
  }
}
