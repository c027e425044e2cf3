// What benches and soak runs share: one user's machine in a temporary folder, with a repository of known files, and a plan
// for the demo agent whose outcome is known to the byte.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../tools.mjs";

const plait = join(root, "dist/cli/main.js");
export const demoAgent = join(root, "dist/lib/programs/demo-agent.js");

/** Nothing of the user's own git settings, state or temporary files is seen or touched. */
export function makePlace(files) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "plait-bench-")));
  for (const name of ["home", "repo", "state", "tmp"]) mkdirSync(join(folder, name));
  const home = join(folder, "home");
  const identity = "[user]\n\tname = Bench\n\temail = bench@example.com\n";
  writeFileSync(join(home, ".gitconfig"), `${identity}[gc]\n\tauto = 0\n`);
  const { PATH = "/usr/bin:/bin" } = process.env;
  const env = {
    ...{ PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ XDG_STATE_HOME: join(folder, "state"), TMPDIR: join(folder, "tmp") },
  };
  const repo = join(folder, "repo");
  const place = { folder, repo, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
  git(place, "init", "-q", "-b", "main");
  writeFiles(repo, files);
  git(place, "add", "-A");
  git(place, "commit", "-qm", "start");
  return place;
}

/** What it prints, without the last line end. */
export function git({ repo, env }, ...args) {
  const options = { cwd: repo, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 };
  return execFileSync("git", args, options).replace(/\n$/, "");
}

/** `count` files in folders of fifty, as a map from path to text. */
export function someFiles(count) {
  const lines = (i) => Array.from({ length: 20 }, (_, n) => `line ${n} of file ${i}\n`).join("");
  return new Map(
    Array.from({ length: count }, (_, i) => [`src/part-${Math.floor(i / 50)}/file-${i}.txt`, lines(i)]),
  );
}

/** Each task writes a file of its own, and nothing else. */
export function writingTasks(count) {
  return Array.from({ length: count }, (_, i) => ({
    id: `task-${i}`,
    prompt: `demo: write out/file-${i}.txt part ${i}\ndemo: say done`,
  }));
}

/** Beside the repository, so that it is in nobody's tree. Nothing is tried twice: a failure is to be seen. */
export function writePlan({ folder }, tasks) {
  const path = join(folder, "plan.json");
  const plan = { plait: 1, name: "bench", defaults: { retries: 0, "fix-rounds": 0 }, tasks };
  writeFileSync(path, JSON.stringify(plan));
  return path;
}

export function runArgs(plan, slots) {
  return [plait, "run", plan, "--agent", "demo", "--json", "--concurrency", String(slots)];
}

function writeFiles(folder, files) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
