// `npm run check`: everything that is judged without running the program. All checks run even when one fails; each
// gives one line, and its output only when it failed. `npm run check -- types layers` runs those two. Each check must
// fail when it sees nothing; where the tool itself would not, `sees` counts what it is about to look at.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isBuilt, rebuild } from "./build.mjs";
import { ensureInstalled } from "./setup.mjs";
import { root, runNode, runTool } from "./tools.mjs";

// Reference pages that are generated from the code are checked here: [{ name, node: ["scripts/x.mjs", "--check"] }]
const documentChecks = [{ name: "reference", node: ["scripts/reference.mjs", "--check"] }];

const checks = [
  { name: "lint", tool: ["biome", "ci", "--error-on-warnings", "--colors=off"], sees: sourceFiles },
  { name: "types", tool: ["tsc", "--noEmit", "-p", "tsconfig.json"], sees: sourceFiles },
  { name: "types of core", tool: ["tsc", "--noEmit", "-p", "tsconfig.core.json"] },
  { name: "types of ui", tool: ["tsc", "--noEmit", "-p", "tsconfig.ui.json"] },
  { name: "layers", tool: ["vitest", "run", "test/arch"] },
  { name: "dead code", tool: ["knip", "--no-progress"], sees: sourceFiles },
  {
    name: "package",
    tool: ["publint", "run", "--strict", "--pack", "npm"],
    first: () => isBuilt() || rebuild(),
  },
  ...documentChecks,
];

ensureInstalled();
const wanted = process.argv.slice(2);
const chosen = checks.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
if (chosen.length === 0) {
  console.error(`check: no check has that name; there are: ${checks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
for (const check of chosen) {
  const start = performance.now();
  const { passed, output } = run(check);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!passed) console.log(output.trimEnd());
  console.log(`${passed ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
  if (!passed) process.exitCode = 1;
}

function run({ tool, node, first, sees }) {
  if (sees?.() === 0) return { passed: false, output: "There is nothing to look at." };
  if (first && !first()) return { passed: false, output: "What this check looks at could not be built." };
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env };
  const result = tool ? runTool(tool[0], tool.slice(1), options) : runNode(node, options);
  return { passed: result.status === 0, output: `${result.stdout}${result.stderr}${result.error ?? ""}` };
}

function sourceFiles() {
  return readdirSync(join(root, "src"), { recursive: true }).filter((name) => /\.tsx?$/.test(name)).length;
}
