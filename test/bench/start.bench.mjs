// How long plait takes to start, as CPU time in ratio to bare Node. The commands run in turn, many times over, so that
// a busy machine slows them alike, and the smallest sample of each counts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const plait = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const CPU_TIME_IS_KNOWN = process.platform === "linux";
const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux that Node runs on

export const name = CPU_TIME_IS_KNOWN
  ? "start"
  : "start (wall time: this system shows no CPU time of children)";

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "plait-bench-"));
  try {
    const plan = join(folder, "plan.yaml");
    writeFileSync(plan, planOf(20));
    const commands = {
      bare: ["-e", "0"],
      version: [plait, "--version"],
      validate: [plait, "validate", plan],
      plan: [plait, "plan", plan],
    };
    const best = measure(commands, { samples: quick ? 3 : 9, runsPerSample: quick ? 5 : 20 });
    return [
      { measure: "node -e 0", value: `${best.bare.toFixed(1)} ms` },
      ratio("plait --version", best.version / best.bare, 1.3),
      ratio("plait validate, 20 tasks", best.validate / best.bare, 3),
      ratio("plait plan, 20 tasks", best.plan / best.bare, 3),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ratio(measure, value, goal) {
  return { measure, value: `${value.toFixed(2)}x`, goal: `<= ${goal}x`, pass: value <= goal };
}

/** The smallest mean of each command over all samples, in milliseconds a run. */
function measure(commands, { samples, runsPerSample }) {
  const best = Object.fromEntries(Object.keys(commands).map((key) => [key, Number.POSITIVE_INFINITY]));
  for (let sample = 0; sample < samples; sample++) {
    for (const [key, args] of Object.entries(commands)) {
      const before = spentMs();
      for (let i = 0; i < runsPerSample; i++) succeed(args);
      best[key] = Math.min(best[key], (spentMs() - before) / runsPerSample);
    }
  }
  return best;
}

/** A command that fails early would look fast, so a failure ends the bench. */
function succeed(args) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
}

/**
 * CPU time of all children waited for so far. Node does not show it; Linux does, as cutime and cstime in
 * /proc/self/stat, but in ticks too coarse for one run: hence many runs a sample.
 */
function spentMs() {
  if (!CPU_TIME_IS_KNOWN) return performance.now();
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the fields from the third on
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

function planOf(count) {
  const tasks = Array.from({ length: count }, (_, i) => {
    const needs = i === 0 ? "" : `\n    needs: [task-${i - 1}]`;
    return `  - id: task-${i}\n    title: Part ${i}${needs}\n    prompt: Write part ${i}.`;
  });
  return `plait: 1\nname: start\ntasks:\n${tasks.join("\n")}\n`;
}
