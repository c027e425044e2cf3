// Lands, undoes or saves as it is told, and dies by SIGKILL on the way: before its n-th call of git, before or after a certain one,
// or in the middle of one, with that git. Prints how many calls it made, should it come to the end. Argument: one JSON of
// type Act.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Isolation } from "../../../src/core/plan.ts";
import { land } from "../../../src/git/land.ts";
import type { LandInput } from "../../../src/git/landing.ts";
import { openPool } from "../../../src/git/pool.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createGit, type GitSpawn } from "../../../src/git/run.ts";
import { type SaveInput, saveAttempt } from "../../../src/git/save.ts";
import { openShadow } from "../../../src/git/shadow.ts";
import { type UndoInput, undoLanding } from "../../../src/git/undo.ts";
import { createGitSpawn } from "../../../src/process/git-spawn.ts";

export type Act = {
  readonly repo: string;
  readonly env: Record<string, string>;
  readonly worktrees: string;
  readonly isolation: Isolation;
  readonly die:
    | { readonly before: number | string }
    | { readonly after: string }
    | { readonly during: string; readonly afterMs: number };
} & (
  | { readonly verb: "land"; readonly input: LandInput }
  | { readonly verb: "undo"; readonly input: UndoInput }
  | { readonly verb: "save"; readonly input: SaveInput }
);

const act = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Act;
const real = createGitSpawn();
let calls = -1; // not counted before the act begins

const mortal: GitSpawn = async (call) => {
  if (calls < 0) return real(call);
  calls += 1;
  const { die } = act;
  if ("before" in die) {
    if (die.before === calls || call.argv.includes(`${die.before}`)) dieNow();
    return real(call);
  }
  if ("after" in die) {
    const end = await real(call);
    if (call.argv.includes(die.after)) dieNow();
    return end;
  }
  if (!call.argv.includes(die.during)) return real(call);
  const [program = "", ...args] = call.argv;
  const child = spawn(program, args, { cwd: call.cwd, env: call.env, stdio: "ignore" });
  await new Promise((resolve) => setTimeout(resolve, die.afterMs));
  child.kill("SIGKILL");
  return dieNow();
};

function dieNow(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("not reached");
}

const opened = await openRepository(createGit({ spawn: mortal, env: act.env }), act.repo);
if (!opened.ok) throw new Error(opened.refusal.message);
const shadow = await openShadow(opened.repository, act.input.runDir);
if (act.verb === "land") {
  calls = 0;
  await land(shadow, act.input);
} else if (act.verb === "undo") {
  calls = 0;
  await undoLanding(shadow, act.input);
} else {
  const { run, runDir } = act.input;
  const pool = await openPool({ shadow, run, runDir, root: act.worktrees, isolation: act.isolation });
  const [lease] = pool.found;
  if (lease === undefined) throw new Error("no lease");
  calls = 0;
  await saveAttempt(shadow, lease, act.input);
}
process.stdout.write(`${calls}\n`);
