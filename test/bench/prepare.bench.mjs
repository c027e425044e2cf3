// What a large dependency folder costs a run: three tasks of two seconds each, with 20,000 files in node_modules and without, in turn,
// so that a busy machine slows both alike. The first run copies them, the next ones find the copies. The smallest sample counts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const plait = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const GOAL = 1.5;
const FILES = 20_000;

export const name = "prepare";

export async function run({ quick }) {
  const root = mkdtempSync(join(tmpdir(), "plait-bench-prepare-"));
  try {
    const place = makePlace(root);
    const samples = { first: [], later: [], without: [] };
    samples.without.push(runMs(place, ["--no-copy"]));
    samples.first.push(runMs(place, []));
    for (let i = 0; i < (quick ? 2 : 4); i++) {
      samples.without.push(runMs(place, ["--no-copy"]));
      samples.later.push(runMs(place, []));
    }
    const least = (list) => Math.min(...list);
    const without = least(samples.without);
    return [
      { measure: "three 2-second tasks", value: seconds(without) },
      {
        measure: `the first run with ${FILES} files`,
        value: `${(least(samples.first) / without).toFixed(2)}x`,
      },
      ratio(`the same with ${FILES} files in node_modules`, least(samples.later) / without),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function ratio(measure, value) {
  return { measure, value: `${value.toFixed(2)}x`, goal: `<= ${GOAL}x`, pass: value <= GOAL };
}

function makePlace(root) {
  const repo = join(root, "repo");
  const env = { PATH: process.env.PATH, HOME: join(root, "home"), TMPDIR: root, GIT_CONFIG_NOSYSTEM: "1" };
  for (const folder of [repo, env.HOME]) mkdirSync(folder);
  writeFileSync(join(env.HOME, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@example.com\n");
  const files = {
    "package.json": '{ "name": "shop" }\n',
    "package-lock.json": "{}\n",
    ".gitignore": "node_modules\n",
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(repo, file), text);
  const git = (...args) => execFileSync("git", args, { cwd: repo, env, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "start");
  for (let i = 0; i < FILES; i++) {
    const folder = join(repo, `node_modules/package-${i % 400}/lib-${i % 5}`);
    if (i < 2_000) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${i}.js`), "x".repeat(200 + ((i * 7_919) % 6_000)));
  }
  const task = (id) => ({ id, agent: "demo", prompt: `demo: sleep 2s\ndemo: write ${id}.txt ${id}` });
  const plan = { plait: 1, gates: ["true"], tasks: ["a", "b", "c"].map(task) };
  writeFileSync(join(root, "plan.json"), JSON.stringify(plan));
  return { repo, env, git, start: git("rev-parse", "HEAD") };
}

/** From the same commit each time, and without what is remembered of its gates. */
function runMs({ repo, env, git, start }, flags) {
  const began = performance.now();
  const args = [plait, "run", "../plan.json", "--allow-root", "--recheck", "--quiet", ...flags];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: repo, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`plait run ended with ${status}: ${stderr}`);
  const took = performance.now() - began;
  git("reset", "-q", "--hard", start);
  return took;
}
