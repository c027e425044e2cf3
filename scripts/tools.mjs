// What the other scripts share: where the repository is, where each tool's program lies, and how to run one.
// Tools are started as `node <file>`, never through a shell or PATH, so that every platform runs the pinned version.
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const programs = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  publint: "node_modules/publint/src/cli.js",
  tsc: "node_modules/typescript/bin/tsc",
  vite: "node_modules/vite/bin/vite.js",
  vitest: "node_modules/vitest/vitest.mjs",
};

/** Runs one of the tools above and gives its result; `options` are spawnSync's. */
export function runTool(name, args, options = {}) {
  return runNode([join(root, programs[name]), ...args], options);
}

/** Runs Node itself on `args`, in the repository, talking to the terminal unless `options` say otherwise. */
export function runNode(args, options = {}) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", ...options });
}

/** The exit code to pass on for a finished child: one that was ended by a signal counts as failed. */
export function exitCodeOf(result) {
  if (result.error) console.error(String(result.error));
  return result.status ?? 1;
}

/** True when the module with this `import.meta.url` is the program that was started. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}
