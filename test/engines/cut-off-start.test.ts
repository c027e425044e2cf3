import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, runPlan } from "./local.ts";

test("the folder of a start that was cut off goes with the next start; a young one, and other people's, stay (I8)", async () => {
  const at = place();
  const runs = join(at.repo, ".git/plait/runs");
  const [old, young, strange] = ["shop-aaaa", "shop-bbbb", "not a run"].map((name) => join(runs, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [old, young, strange]) mkdirSync(folder, { recursive: true });
  for (const folder of [old, strange]) utimesSync(folder, 1, 1);
  const ran = await runPlan(at, 'tasks:\n  - { id: one, prompt: "demo: write one.txt 1" }\n');
  expect(ran.outcome).toBe("complete");
  expect([old, young, strange].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});
