// `npm run demo`: set-up, then a run of six tasks by the demo agent, in a repository of its own that goes with it.
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { exitCodeOf, runNode } from "./tools.mjs";

ensureInstalled();
ensureBuilt();
process.exitCode = exitCodeOf(runNode(["dist/cli/main.js", "demo", ...process.argv.slice(2)]));
