// `npm run bench`: set-up, then every test/bench/*.bench.mjs in turn, and a table of what they measured. A bench file
// exports `name` and `async run({ quick })`, which gives rows { measure, value, goal, pass }. Goals are ratios, because
// absolute times say more about the machine than about plait. A row without a goal is there to be read. A goal that is
// not met ends with exit code 1. `--quick` takes fewer samples; other arguments choose files by a part of their name.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { root } from "./tools.mjs";

ensureInstalled();
ensureBuilt();

const args = process.argv.slice(2);
const quick = args.includes("--quick");
const words = args.filter((arg) => arg !== "--quick");
const folder = join(root, "test/bench");
const files = readdirSync(folder).filter(
  (name) => name.endsWith(".bench.mjs") && (words.length === 0 || words.some((word) => name.includes(word))),
);

const rows = [];
for (const file of files.sort()) {
  const bench = await import(pathToFileURL(join(folder, file)).href);
  console.error(`bench: ${bench.name}`);
  const measured = await bench.run({ quick });
  if (measured.length === 0) throw new Error(`${file} measured nothing`);
  rows.push(...measured.map((row) => ({ bench: bench.name, ...row })));
}
if (rows.length === 0) throw new Error("no bench file was found");

const table = [["bench", "measure", "value", "goal", ""], ...rows.map(cells)];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
const judged = rows.filter(({ pass }) => pass !== undefined);
const over = judged.filter(({ pass }) => !pass);
console.log(`bench: ${judged.length - over.length} of ${judged.length} goals met`);
for (const { bench, measure, value, goal } of over) {
  console.log(`bench: over: ${bench}, ${measure}: ${value}, goal ${goal}`);
}
if (over.length > 0) process.exitCode = 1;

function cells({ bench, measure, value, goal, pass }) {
  const verdict = pass === undefined ? "" : pass ? "PASS" : "over";
  return [bench, measure, String(value), String(goal ?? ""), verdict];
}
