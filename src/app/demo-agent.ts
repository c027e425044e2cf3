import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = "dist/lib/programs/demo-agent.js";

/** The demo agent is a program of its own. It lies at one place of the package, wherever this code was bundled to. */
export function demoAgentProgram(): readonly string[] {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, PROGRAM);
    if (existsSync(path)) return [process.execPath, path];
    if (folder === dirname(folder)) return [process.execPath, join(start, PROGRAM)]; // its probe says that it is not there
  }
}
