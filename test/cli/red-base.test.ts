import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";
import { begin } from "./run-place.ts";

const PLAN = `plait: 1
gates: [{ name: tests, run: "echo no tests here; exit 5" }]
tasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]
`;

it("a gate that is red on the base stops the run with exit 3, its output and what may be missing (I1)", async () => {
  const place = makePlace();
  mkdirSync(join(place.repo, "node_modules"));
  const { close } = await begin(place, PLAN); // writes the plan beside the repository
  await close();
  const before = git(place, "for-each-ref");
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain("✗ not started");
  expect(ran.stdout).toContain("the base, last line of gate tests\n  no tests here\n");
  expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain(
    "Run it again once it is green, or with --allow-red-base",
  );
  expect(ran.stderr).toContain("node_modules is in your checkout and not in worktrees");
  expect(git(place, "for-each-ref")).toBe(before);
  const allowed = await plaitIn(
    place,
    "run",
    "../plan.yaml",
    "--allow-root",
    "--allow-red-base",
    "--retries",
    "0",
  );
  expect(allowed.code).toBe(1);
  expect(allowed.stdout).toContain("gate tests");
});
