// What a repository for each attempt costs against worktrees of the user's: processor time of whole runs, whose tasks change and commit
// six files each, in turn, so that a busy machine slows both alike. The smallest sample counts.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const plait = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const GOAL_MS = 40;
const TASKS = 8;

export const name = "isolation";

export async function run({ quick }) {
  return [100, 5_000].map((files) => {
    const root = mkdtempSync(join(tmpdir(), "plait-bench-isolation-"));
    try {
      const place = makePlace(root, files);
      const samples = { private: [], shared: [] };
      for (let i = 0; i < (quick ? 3 : 6); i++)
        for (const kind of ["private", "shared"]) samples[kind].push(cpuMs(place, kind));
      const least = (kind) => Math.min(...samples[kind]) / TASKS;
      const more = least("private") - least("shared");
      return {
        measure: `processor time of an attempt with ${files} files: private, more than shared (${least("shared").toFixed(0)} ms)`,
        value: `${more.toFixed(0)} ms`,
        goal: `<= ${GOAL_MS} ms`,
        pass: more <= GOAL_MS,
      };
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

function makePlace(root, files) {
  const repo = join(root, "repo");
  const env = { PATH: process.env.PATH, HOME: join(root, "home"), TMPDIR: root, GIT_CONFIG_NOSYSTEM: "1" };
  for (const folder of [repo, env.HOME]) mkdirSync(folder);
  writeFileSync(join(env.HOME, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@example.com\n");
  for (let i = 0; i < files; i++) {
    if (i % 100 === 0) mkdirSync(join(repo, `d${i / 100}`));
    writeFileSync(join(repo, `d${Math.floor(i / 100)}`, `f${i}.txt`), `${i}\n`.repeat(20));
  }
  const tasks = Array.from({ length: TASKS }, (_, n) => ({
    id: `t${n}`,
    command: `for i in 1 2 3 4 5 6; do echo ${n} > new${n}-$i.txt; done; git add -A; git commit -qm t${n}`,
  }));
  const plan = join(root, "plan.json");
  writeFileSync(plan, JSON.stringify({ plait: 1, tasks }));
  const git = (...args) => execFileSync("git", args, { cwd: repo, env });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "start");
  return { repo, env, plan };
}

/** Of the program and of everything that it waited for, as the shell counts it. */
function cpuMs({ repo, env, plan }, kind) {
  const script = '"$0" "$1" run "$2" --land never --isolation "$3" -j 2 --quiet > /dev/null; times';
  const args = ["-c", script, process.execPath, plait, plan, kind];
  const printed =
    execFileSync("sh", args, { cwd: repo, env, encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
  return [...printed.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + (m * 60 + Number(s)) * 1000,
    0,
  );
}
