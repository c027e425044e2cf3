// The real agents that test/e2e drives: `node scripts/agents.mjs` installs them into .agents, outside of package.json, since
// they are large, not ours to pass on, and needed by nobody who only uses plait. The versions are pinned, with their
// hashes, by test/e2e/agents/<name>/package-lock.json. No install script runs: the program for this platform lies in a
// package of its own, and is started from there.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

const pinned = join(root, "test/e2e/agents");
const installed = join(root, ".agents");

mkdirSync(installed, { recursive: true });
writeFileSync(join(installed, ".gitignore"), "*\n");
for (const name of readdirSync(pinned)) {
  if (isInstalled(name) || install(name)) continue;
  console.error(`agents: npm could not install ${name}`);
  process.exitCode = 1;
}

/** npm leaves a list of what it installed as its last act, so a broken install does not look complete. */
function isInstalled(name) {
  try {
    readFileSync(join(installed, name, "node_modules/.package-lock.json"));
    return lockOf(pinned, name).equals(lockOf(installed, name));
  } catch {
    return false; // not there yet
  }
}

function lockOf(folder, name) {
  return readFileSync(join(folder, name, "package-lock.json"));
}

function install(name) {
  const cwd = join(installed, name);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  console.error(`agents: installing ${name} (npm ${args.join(" ")})`);
  mkdirSync(cwd, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(pinned, name, file), join(cwd, file));
  const shell = process.platform === "win32";
  return spawnSync("npm", args, { cwd, stdio: ["ignore", 2, 2], shell }).status === 0;
}
