// `npm run demo`: set-up, then the plan of the example as plait sees it. It starts no agent and changes nothing.
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { exitCodeOf, runNode } from "./tools.mjs";

ensureInstalled();
ensureBuilt();
process.exitCode = exitCodeOf(runNode(["dist/cli/main.js", "plan", "examples/checkout/plan.yaml"]));
