// `npm run demo`: set-up, then a run of six tasks by the demo agent, in a repository of its own that goes with it.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { exitCodeOf, root, runNode } from "./tools.mjs";

ensureInstalled();
ensureBuilt();
const words = process.argv.slice(2);
process.exitCode = exitCodeOf(runNode(["dist/cli/main.js", "demo", ...words]));

const names = process.platform === "win32" ? ["plait.cmd", "plait.exe"] : ["plait"];
const folders = (process.env["PATH"] ?? "").split(delimiter).filter((one) => one !== "");
const isInstalled = folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
// To stderr: stdout may be JSON. Suggested commands name plait, which this shell does not find yet.
if (!isInstalled) {
  console.error(`To get the plait command: npm install --global ${JSON.stringify(root)}`);
  if (!words.includes("--keep"))
    console.error("To keep the demo repository without it: npm run demo -- --keep");
}
