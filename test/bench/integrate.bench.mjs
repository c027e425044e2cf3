// What it costs to hold a project against its contracts: some 200 files in five frameworks, read and compared, in ratio to only
// parsing them and looking for errors; twice the files, so that nothing looks at every pair of them; and what memory more files take, since trees must
// not be kept. What is found in the end is checked: a reader that sees nothing is quick.
import { fileURLToPath } from "node:url";
import { isImplementation } from "../../dist/lib/spec/integrate/project.js";
import { languageOf } from "../../dist/lib/syntax/language.js";
import { readSource } from "../../dist/lib/syntax/read-source.js";
import { SEES_PROCESSES, succeeded } from "../../scripts/bench/child.mjs";
import { readAll, readAndCompare } from "../../scripts/bench/read-and-compare.mjs";
import { largeProject } from "../support/large-project/index.mjs";

export const name = "integrate";

export async function run({ quick }) {
  const [once, some, twice] = [1, 2, 4].map((size) => largeProject({ size }));
  const long = longFile();
  const works = {
    parsed: () => parseAll(once),
    read: () => readAndCompare(once),
    some: () => readAndCompare(some),
    twice: () => readAndCompare(twice),
    longParsed: () => parseAll(long),
    longRead: () => readAll(long),
  };
  const { best, all } = await measured(works, quick ? 3 : 7);
  // Of all samples together: a small one may be lucky and end before garbage is collected, which a large one never is.
  const perFile = (all.twice / all.some) * (some.files.size / twice.files.size) * 2;
  return [
    { measure: `${once.files.size} files read and compared`, value: `${best.read.toFixed(0)} ms` },
    ratio("that / parsing them", best.read / best.parsed, 15),
    ratio("twice the files", perFile, 2.3),
    { measure: "a file of 10,000 lines read", value: `${best.longRead.toFixed(0)} ms` },
    ratio("that / parsing it", best.longRead / best.longParsed, 10),
    ...(await memoryRows()),
  ];
}

async function parseAll({ files }) {
  for (const [path, text] of files) {
    const language = isImplementation(path) ? languageOf(path) : null;
    if (language !== null) (await readSource(language, text)).tree.free();
  }
}

/** As long as a file may be: all types of a project in one. */
function longFile() {
  const { files } = largeProject({ size: 48 });
  const texts = [...files].flatMap(([path, text]) =>
    /^store\/src\/domain\/\w+\.ts$/.test(path) ? [text] : [],
  );
  const lines = texts.join("\n").split("\n").slice(0, 10_000);
  if (lines.length < 10_000) throw new Error(`only ${lines.length} lines`);
  // Cut after a type.
  return { files: new Map([["src/all.ts", lines.slice(0, lines.lastIndexOf("}") + 1).join("\n")]]) };
}

/** The smallest CPU time of each, and the sum, in turn, so that a busy machine slows them alike. */
async function measured(works, samples) {
  const [best, all] = [{}, {}];
  for (const work of Object.values(works)) await work(); // what is only done once is done
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [name, work] of Object.entries(works)) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      const ms = (user + system) / 1000;
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, ms);
      all[name] = (all[name] ?? 0) + ms;
    }
  }
  return { best, all };
}

const PROGRAM = fileURLToPath(new URL("../../scripts/bench/read-and-compare.mjs", import.meta.url));

async function memoryRows() {
  if (!SEES_PROCESSES) return [{ measure: "memory", value: "this system does not show it" }];
  const [small, large] = [await peakOf(1), await peakOf(8)];
  return [
    { measure: "most memory for it", value: `${small.toFixed(0)} MB`, goal: "<= 200 MB", pass: small <= 200 },
    ratio("most memory for eight times the files", large / small, 1.6),
  ];
}

async function peakOf(size) {
  const { peakMb } = await succeeded([PROGRAM, String(size)], { cwd: process.cwd(), env: process.env });
  if (peakMb === null) throw new Error("it ended before anybody looked");
  return peakMb;
}

function ratio(measure, value, goal) {
  return { measure, value: `${value.toFixed(2)}x`, goal: `<= ${goal}x`, pass: value <= goal };
}
