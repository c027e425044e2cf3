// `npm run soak`: what is too long for every day, one part after the other, all of them even when one fails. Arguments choose
// parts by name: `npm run soak -- runs`. PLAIT_SOAK_ROUNDS=3 makes the runs short.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { soakRuns } from "./soak/runs.mjs";
import { exitCodeOf, root, runTool } from "./tools.mjs";

const parts = [
  { name: "runs", perform: () => soakRuns() },
  { name: "sweeps", perform: () => suite(["test/git", "test/faults"], { PLAIT_FULL_SWEEPS: "1" }) },
  { name: "simulation", perform: () => suite(["test/sim"], { PLAIT_SIM_SEEDS: "10000" }) },
];

const words = process.argv.slice(2);
const unknown = words.find((word) => !parts.some(({ name }) => name === word));
if (unknown !== undefined) {
  console.error(`soak: there is no part ${unknown}; there are: ${parts.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
ensureInstalled();
ensureBuilt();
const verdicts = [];
for (const { name, perform } of parts) {
  if (words.length > 0 && !words.includes(name)) continue;
  console.log(`soak: ${name}`);
  const passed = await perform();
  verdicts.push(`${passed ? "ok    " : "FAILED"} ${name}`);
  if (!passed) process.exitCode = 1;
}
console.log(verdicts.join("\n"));

/** A suite that is not there fails: one that was renamed must not pass by being away. */
function suite(paths, env) {
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    console.error(`soak: ${missing.join(", ")} is not there`);
    return false;
  }
  const settings = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  console.log(`soak: ${settings.join(" ")} vitest run ${paths.join(" ")}`);
  return exitCodeOf(runTool("vitest", ["run", ...paths], { env: { ...process.env, ...env } })) === 0;
}
