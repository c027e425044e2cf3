// A run in a folder that is in no repository, through the command line: killed, resumed, looked at and removed.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "./observe.ts";
import {
  emptyPlace,
  factsOf,
  git,
  orphans,
  plait,
  runPlan,
  startPlait,
  startRun,
  until,
  writePlan,
} from "./support.ts";

const READ_ONLY = { defaults: { access: "read-only" } };

test("I3 I4 I5: killed with an agent at work, it goes on; whoever else works in the folder is left alone", async () => {
  const place = emptyPlace();
  writeFileSync(join(place.repo, "notes.txt"), "mine\n");
  const other = { cwd: join(place.root, "outside") };
  const before = filesBelow(place.repo, []);
  expect(
    await runPlan(place, writePlan(place, [{ id: "x", does: ["say x"] }], READ_ONLY), [], other),
  ).toMatchObject({ code: 0 });

  const tasks = [
    { id: "first", does: ["say seen"] },
    { id: "second", needs: ["first"], does: ["on attempt 1: daemon", "on attempt 1: hang", "sleep 500ms"] },
  ];
  const run = startRun(place, writePlan(place, tasks, READ_ONLY));
  await run.seen((fact) => fact.type === "attempt.spawned" && fact.attempt.startsWith("second/"));
  const users = [strangerIn(place.repo)];
  await until(() => orphans(place).length >= 4); // plait, its reaper, the agent and its daemon, at least
  run.signal("SIGKILL");
  await run.end;
  await until(() => orphans(place).every((pid) => users.includes(pid)));

  // What another folder's clean finds without its run being one of this folder is not a stray.
  expect(await plait(place, ["clean", "--days", "0"], other)).toMatchObject({ code: 0 });
  const saved = ["--git-dir", join(place.root, "state/plait/none.git"), "for-each-ref", "refs/plait"];
  expect(git(place, ...saved)).toContain("/first/1");
  const resumed = startPlait(place, ["resume", "--json"]);
  await resumed.seen((fact) => fact.type === "attempt.spawned" && fact.attempt === "second/2");
  users.push(strangerIn(place.repo));
  expect(await resumed.end).toMatchObject({ code: 0 });
  expect(factsOf(resumed.facts, "attempt.started").map(({ attempt }) => attempt)).toEqual([
    "first/1",
    "second/1",
    "second/2",
  ]);
  expect(orphans(place).sort()).toEqual(users.sort());
  for (const pid of users) process.kill(pid, "SIGKILL");
  expect(filesBelow(place.repo, [])).toEqual(before);
});

test("I3 I8: listed, shown and removed from the folder; a plan that writes is refused with exit 3", async () => {
  const place = emptyPlace();
  const writing = writePlan(place, [{ id: "page", does: ["write page.txt"] }]);
  const refused = await runPlan(place, writing);
  expect(refused.code).toBe(3);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(
    "page is not read-only; change to a repository, or create one: git init",
  );
  expect([readdirSync(place.repo), readdirSync(join(place.root, "state"))]).toEqual([[], []]);

  mkdirSync(join(place.repo, "sub"));
  const plan = writePlan(place, [{ id: "look", does: ["say seen"] }], READ_ONLY);
  const ran = await plait(place, ["run", "--agent", "demo", plan]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain(`${place.repo} is not in a git repository; tasks run directly in it.`);
  expect(ran.stderr).toContain("without a repository");
  const [listed, status] = await Promise.all([plait(place, ["runs"]), plait(place, ["status"])]);
  expect(listed.stdout).toContain("1 of 1");
  expect(status.stdout).toContain("without a repository");
  expect((await plait(place, ["status"], { cwd: join(place.repo, "sub") })).code).toBe(3);
  expect((await plait(place, ["clean", "--days", "0"])).stdout).toMatch(/^removed p-/);
  expect(readdirSync(join(place.root, "state/plait/runs"))).toEqual([]);
  expect(existsSync(join(place.repo, ".git"))).toBe(false);
});

/** A program of the user's, without a terminal and without a parent, such as an editor's server. */
function strangerIn(cwd: string): number {
  const line = "setsid sleep 300 >/dev/null 2>&1 & echo $!";
  return Number(execFileSync("sh", ["-c", line], { cwd, env: { PATH: "/usr/bin:/bin" }, encoding: "utf8" }));
}
