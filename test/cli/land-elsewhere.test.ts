import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";

const TASK = `{ id: a, agent: demo, prompt: "demo: write a.txt x" }`;

it("a run from a detached HEAD names the command that lands it, and lands on the branch that is checked out then", async () => {
  const place = makePlace();
  writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\nname: d\ntasks: [${TASK}]\n`);
  git(place, "switch", "-q", "--detach");
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.stdout).toMatch(/plait land d-\w+ --onto <branch>/);
  expect(ran.code).toBe(1);
  git(place, "switch", "-q", "main");
  const landed = await plaitIn(place, "land");
  expect([landed.code, landed.stdout]).toEqual([0, expect.stringContaining("on main")]);
  expect(git(place, "show", "main:a.txt")).toBe("x");
});

it("a conflict with a branch that lacks commits of the base is named as one, with the branch to switch to", async () => {
  const place = makePlace({ "log.txt": "one\n" });
  git(place, "branch", "old");
  writeFileSync(join(place.repo, "log.txt"), "two\n");
  git(place, "commit", "-qam", "two");
  const task = `{ id: a, agent: demo, prompt: "demo: write log.txt three" }`;
  writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\nname: d\ntasks: [${task}]\n`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root", "--land", "never")).code).toBe(0);
  const refused = await plaitIn(place, "land", "--as", "squash", "--onto", "old");
  const said = refused.stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain("from commits that old does not have, and conflicts with it: log.txt");
  expect(said).toContain("git switch old");
  expect(said).not.toContain("moved");
  expect(refused.code).toBe(1);
});

it("where and how a landing went holds for that landing: undone, the next one lands as the run was started", async () => {
  const place = makePlace();
  git(place, "init", "-q", "--bare", "../server.git");
  git(place, "remote", "add", "origin", "../server.git");
  git(place, "branch", "release");
  writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\nname: d\ntasks: [${TASK}]\n`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root", "--land", "never")).code).toBe(0);
  expect((await plaitIn(place, "land", "--onto", "release", "--push", "--as", "squash")).code).toBe(0);
  expect(git(place, "ls-remote", "origin")).toContain("refs/heads/release");
  const status = (await plaitIn(place, "status")).stdout;
  expect(status).toMatch(/^d-\w+ .*onto release/);
  expect(status).toMatch(/✓ landed on release as [0-9a-f]{7}/);
  const undone = (await plaitIn(place, "undo")).stdout;
  expect(undone).toContain("push the undo: git push origin release\n");
  expect(undone).toMatch(/land it again: plait land d-\w+ --onto release\n/);
  const again = await plaitIn(place, "land");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("on main")]);
  expect(git(place, "show", "main:a.txt")).toBe("x");
  expect(git(place, "log", "-1", "--format=%s", "main")).not.toContain("1 task");
  expect(git(place, "ls-remote", "origin")).not.toContain("refs/heads/main");
});

it("without a name the newest run with something to land is meant, else all that were looked at are named", async () => {
  const place = makePlace();
  const plan = (line: string) =>
    writeFileSync(
      join(place.repo, "..", "plan.yaml"),
      `plait: 1\nname: d\ntasks: [{ id: a, agent: demo, retries: 0, prompt: "demo: ${line}" }]\n`,
    );
  plan("write a.txt x");
  const first = await plaitIn(place, "run", "../plan.yaml", "--allow-root", "--land", "never");
  expect(first.code).toBe(0);
  plan("text nothing");
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  expect((await plaitIn(place, "land")).code).toBe(0);
  expect(git(place, "show", "main:a.txt")).toBe("x");
  const none = await plaitIn(place, "land");
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/nothing to land in: d-\w+, d-\w+\n/)]);
});
