// Whole runs of the built program, again and again, each in a repository of its own: it must end with 0, everything merged and
// landed, the files exact, no effect failed, and nothing left. A run that did not is kept, to be looked at.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { watched } from "../bench/child.mjs";
import { makePlace, runArgs, writePlan } from "../bench/place.mjs";
import { lookAt } from "./look.mjs";
import { phasesOf, phasesText } from "./phases.mjs";
import { soakPlan } from "./plan.mjs";

const MOST_SHOWN = 10;

/** Whether all was well. PLAIT_SOAK_ROUNDS, _TASKS and _SLOTS make it shorter or longer; _MINUTES ends it after that time. */
export async function soakRuns(env = process.env) {
  const rounds = Number(env.PLAIT_SOAK_ROUNDS ?? 30);
  const tasks = Number(env.PLAIT_SOAK_TASKS ?? 64);
  const slots = (env.PLAIT_SOAK_SLOTS ?? "16,32").split(",").map(Number);
  const until = performance.now() + Number(env.PLAIT_SOAK_MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;
  const done = [];
  for (let round = 1; round <= rounds; round++) {
    for (const workers of slots) {
      if (performance.now() > until) break;
      done.push(await soakRun({ round, tasks, workers }));
    }
  }
  return tell(done);
}

async function soakRun({ round, tasks: count, workers }) {
  const { tasks, before, after } = soakPlan(count);
  const place = makePlace(before);
  const { repo, env } = place;
  const end = await watched(runArgs(writePlan(place, tasks), workers), { cwd: repo, env });
  const facts = factsIn(end.stdout);
  const found = lookAt(place, { end, facts, tasks, after });
  const phases = phasesOf(facts);
  const figures = [
    ...[`${(end.wallMs / 1000).toFixed(1)} s`, `${((end.cpuMs ?? 0) / 1000).toFixed(1)} s CPU`],
    ...[`${end.peakMb?.toFixed(0)} MB`, `ms median/max: ${phasesText(phases)}`],
  ];
  const verdict = found.length === 0 ? "ok    " : "FAILED";
  console.log(`${verdict} round ${round}, ${count} tasks at ${workers}: ${figures.join(", ")}`);
  for (const line of found.slice(0, MOST_SHOWN)) console.log(`    ${line}`);
  if (found.length > MOST_SHOWN) console.log(`    and ${found.length - MOST_SHOWN} more`);
  if (found.length === 0) place.remove();
  else keep(place, end);
  return { ...end, workers, found, phases, stdout: "", stderr: "" };
}

function factsIn(stdout) {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

function keep({ folder }, { stdout, stderr }) {
  writeFileSync(join(folder, "stdout.ndjson"), stdout);
  writeFileSync(join(folder, "stderr.txt"), stderr);
  console.log(`    kept: ${folder}`);
}

function tell(done) {
  const failed = done.filter(({ found }) => found.length > 0);
  for (const workers of new Set(done.map((run) => run.workers))) {
    const runs = done.filter((run) => run.workers === workers);
    const worst = (key) => Math.max(...runs.map((run) => run[key] ?? 0));
    const seconds = (ms) => (ms / 1000).toFixed(1);
    const stages = Object.keys(runs[0].phases).map(
      (stage) => `${stage} ${Math.round(Math.max(...runs.map(({ phases }) => phases[stage].maxMs)))}`,
    );
    const figures = `${seconds(worst("wallMs"))} s, ${seconds(worst("cpuMs"))} s CPU, ${worst("peakMb").toFixed(0)} MB`;
    console.log(`soak: ${runs.length} runs at ${workers}, at worst: ${figures}; ms: ${stages.join(", ")}`);
  }
  console.log(`soak: ${done.length} runs, ${failed.length} failed`);
  return done.length > 0 && failed.length === 0;
}
