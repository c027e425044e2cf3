// `npm run soak`: the suites that are too long for every day, one after the other, all of them even when one fails.
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { exitCodeOf, runTool } from "./tools.mjs";

const suites = [{ name: "simulation", path: "test/sim", env: { PLAIT_SIM_SEEDS: "10000" } }];

ensureInstalled();
ensureBuilt();
for (const { name, path, env } of suites) {
  const settings = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  console.log(`soak: ${name} (${settings.join(" ")} vitest run ${path})`);
  const result = runTool("vitest", ["run", path], { env: { ...process.env, ...env } });
  if (exitCodeOf(result) !== 0) process.exitCode = 1;
}
