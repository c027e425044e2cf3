// What people do without plait, as a program of its own: so that its cost is measured like plait's, start of Node included.
//
//     node by-hand.mjs bare PLAN SLOTS FOLDER        the agents of the plan, each in an empty folder
//     node by-hand.mjs worktrees PLAN SLOTS FOLDER   in a worktree each: add, agent, commit, merge, remove
//
// Worktrees are added and removed one at a time (git does not like it otherwise), and so are branches merged.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { demoAgent } from "./place.mjs";

const [mode, plan, slots, folder] = process.argv.slice(2);
const { tasks } = JSON.parse(readFileSync(plan, "utf8"));
const perform = { bare: inFolder, worktrees: inWorktree }[mode];

let lock = Promise.resolve();
const waiting = [...tasks];
await Promise.all(Array.from({ length: Number(slots) }, work));

async function work() {
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await perform(task);
}

async function inFolder(task) {
  const path = join(folder, task.id);
  mkdirSync(path, { recursive: true });
  await agent(task, path);
}

async function inWorktree(task) {
  const path = join(folder, task.id);
  await alone(() => run("git", ["worktree", "add", "-q", "-b", task.id, path, "main"]));
  await agent(task, path);
  await run("git", ["add", "-A"], { cwd: path });
  await run("git", ["commit", "-qm", task.id], { cwd: path });
  await alone(async () => {
    await run("git", ["merge", "-q", "--no-ff", "-m", `Merge ${task.id}`, task.id]);
    await run("git", ["worktree", "remove", "--force", path]);
    await run("git", ["branch", "-q", "-D", task.id]);
  });
}

function agent({ id, prompt }, cwd) {
  const env = { ...process.env, PLAIT_TASK: id, PLAIT_ATTEMPT_N: "1" };
  return run(process.execPath, [demoAgent, "--access", "write"], { cwd, env, stdin: prompt });
}

function alone(perform) {
  const done = lock.then(perform);
  lock = done.catch(() => undefined);
  return done;
}

function run(program, args, { stdin = "", ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "inherit"], ...options });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}`));
    });
    child.stdin.on("error", () => undefined); // it ended without reading; its exit code says the rest
    child.stdin.end(stdin);
  });
}
