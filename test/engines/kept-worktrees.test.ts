import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanRuns } from "../../src/app/clean-runs.ts";
import { stayingTrees } from "../../src/core/select/task-lists.ts";
import type { RunReport } from "../../src/report/model.ts";
import { taskId } from "../support/plans.ts";
import { drive, place, resume, runPlan, sh } from "./local.ts";

const PLAN = `gates: [{ name: no-todo, run: "! grep -rn TODO src" }]
defaults: { retries: 0 }
tasks:
  - id: mended
    prompt: |
      demo: on attempt 1: write src/m.txt TODO
      demo: on attempt 2: run git commit -qam half; pwd > ../where; echo good > src/m.txt
  - { id: bad, prompt: "demo: write src/bad.txt half\\ndemo: exit 3" }
  - { id: look, access: read-only, prompt: "demo: say fine" }
`;

test("worktrees stay where they are when they are asked for, are named, and go with plait clean (I8)", async () => {
  const at = place({ "src/a.txt": "a\n", "src/m.txt": "m\n" });
  const ran = await runPlan(at, PLAN, { policy: { keepWorktrees: true, land: "partial" } });
  const trees = new Map(stayingTrees(ran.state).map(({ task, path }) => [task as string, path]));
  const inTree = (task: string, line: string) => sh({ ...at, repo: trees.get(task) ?? "" }, line);

  // The fix round went on in the same one.
  expect([...trees.keys()]).toEqual(["mended", "bad", "look"]);
  expect(readFileSync(join(trees.get("mended") ?? "", "src/m.txt"), "utf8")).toBe("good\n");
  expect(inTree("bad", "cat src/bad.txt; git status --porcelain")).toBe("half\n?? src/bad.txt");
  // Its branch is gone, and git works there all the same.
  expect(inTree("mended", "git log -1 --format=%s; git status --porcelain; git diff --stat | tail -1")).toBe(
    "half\n M src/m.txt\n 1 file changed, 1 insertion(+), 1 deletion(-)",
  );
  expect(sh(at, "git branch --list 'plait/*'")).toBe("");

  const report: RunReport = JSON.parse(readFileSync(join(ran.folder, "report.json"), "utf8"));
  expect(report.saved.worktrees).toEqual([...trees.values()]);
  expect(report.needsYou.map(({ kind }) => kind)).toEqual(["failed"]);

  // What goes on gets a worktree of its own, and the first stays.
  const again = await drive(await resume(at, ran, [{ kind: "retry", task: taskId("bad") }]));
  const bad = stayingTrees(again.state).filter(({ task }) => task === "bad");
  expect(bad.map(({ path }) => path)).toEqual([trees.get("bad"), `${trees.get("bad")}@2`]);
  await drive(await resume(at, ran, [{ kind: "open", task: taskId("bad") }]));
  const dropped = await drive(await resume(at, ran, [{ kind: "cancel", task: taskId("bad") }]));
  expect(stayingTrees(dropped.state)).toHaveLength(5);
  for (const { path } of stayingTrees(dropped.state)) expect(existsSync(path)).toBe(true);

  // What somebody does there later is theirs (I2).
  const note = join(trees.get("bad") ?? "", "note.txt");
  writeFileSync(note, "mine\n");
  utimesSync(note, new Date(), new Date(Date.now() + 60_000));
  const asked = { run: ran.state.run, days: 0, dryRun: false, force: true };
  expect(await cleanRuns(at.host, asked)).toMatchObject({
    removed: [],
    stays: [{ why: expect.stringContaining("note.txt") }],
  });
  rmSync(note);

  const cleaned = await cleanRuns(at.host, asked);
  expect(cleaned).toMatchObject({ ok: true, removed: [{ run: ran.state.run }], stays: [] });
  for (const { path } of stayingTrees(dropped.state)) expect(existsSync(path)).toBe(false);
  expect(sh(at, "git worktree list --porcelain | grep -c ^worktree")).toBe("1");
  expect(existsSync(ran.folder)).toBe(false);
});
