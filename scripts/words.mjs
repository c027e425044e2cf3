// `node scripts/words.mjs [path]` lists retired words as `file:line: word (instead): string`, in all files or below a path.
// `--draw 30 --seed 1` prints that many sentences as plait prints them, for a reading test: a reader who has never used
// plait should know what happened and what to do.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import { root } from "./tools.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { draw: { type: "string" }, seed: { type: "string", default: "1" } },
});
if (values.draw === undefined) list(positionals[0] ?? "", await load("strings.ts"));
else draw(Number(values.draw), Number(values.seed), (await load("rendered.ts")).listRendered());

async function load(name) {
  const { module } = await runnerImport(join(root, "test/words", name), { root, logLevel: "error" });
  return module;
}

function list(path, words) {
  const strings = words.collectStrings(root).filter(({ file }) => file.startsWith(path));
  const hits = words.findRetired(strings);
  for (const { file, line, word, instead, text } of hits)
    console.log(`${file}:${line}: ${word} (${instead}): ${JSON.stringify(text)}`);
  console.log(`${hits.length} hits in ${strings.length} strings`);
}

function draw(count, seed, left) {
  const random = generate(seed);
  for (let n = 1; n <= count && left.length > 0; n++) {
    const [text] = left.splice(Math.floor(random() * left.length), 1);
    console.log(`${n}. ${text}`);
  }
}

/** The same numbers for the same seed (mulberry32). */
function generate(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
