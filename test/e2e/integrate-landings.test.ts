import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { LandStyle } from "../../src/core/plan.ts";
import { askedIn } from "../cli/asked.ts";
import { git, makePlace, type Place } from "../cli/place.ts";
import { finish } from "../cli/run-place.ts";

const PLAN = `plait: 1
name: shop
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
tasks:
  - { id: a, owns: [src/a.txt], prompt: "demo: write src/a.txt done\\ndemo: write stray.txt stray" }
  - { id: b, needs: [a], owns: ["src/b*"], prompt: "demo: write src/b.txt done\\ndemo: write src/b2.txt done" }
`;

type Finding = { about: string; code: string; task: string | null; commit: string | null };

async function told(where: Place, plan = join(dirname(where.repo), "plan.yaml")) {
  const { stdout } = await askedIn(where, "integrate", plan, "--no-checks", "--json");
  const { findings, tasks } = JSON.parse(stdout) as { findings: Finding[]; tasks: { status: string }[] };
  return { findings, statuses: tasks.map(({ status }) => status) };
}

/** The plan is outside of both. */
async function inClone(place: Place) {
  const repo = `${mkdtempSync(`${place.repo}-clone-`)}/repo`;
  git(place, "clone", "-q", place.repo, repo);
  return told({ ...place, repo }, join(dirname(place.repo), "plan.yaml"));
}

const landed = (as: LandStyle["as"]) => ({
  landStyle: { as, sign: null, signoff: false, message: null, author: "kept" } as const,
});

test.each(["merge", "rebase"] as const)(
  "landed as %s, a clone says the same as the place with the journal, to the commit",
  async (as) => {
    const place = makePlace();
    await finish(place, PLAN, landed(as));
    const here = await told(place);
    expect(here).toEqual(await inClone(place));
    expect(here.statuses).toEqual(["merged", "merged"]);
    expect(here.findings).toMatchObject([{ code: "outside-scope", about: "a", task: "a" }]);
    expect(here.findings[0]?.commit).not.toBe(null);
  },
);

test("landed as squash, only the journal knows who it was, and both know what", async () => {
  const place = makePlace();
  await finish(place, PLAN, landed("squash"));
  const [here, there] = [await told(place), await inClone(place)];
  expect(here.findings).toMatchObject([{ code: "outside-scope", about: "a", task: "a" }]);
  expect(here.findings[0]?.commit).toBe(git(place, "rev-parse", "main"));
  expect(there.findings).toMatchObject([{ code: "outside-scope", about: "a or b", task: null }]);
});

test("a pull request that a server made one commit of is judged where it is, with the journal and without", async () => {
  const place = makePlace();
  const run = await finish(place, PLAN, { land: "never" });
  expect((await told(place)).statuses).toEqual(["merged", "merged"]); // on its own branch
  const branch = `plait/${run}/integration`;
  const messages = git(place, "log", "--reverse", "--no-merges", "--format=* %B", `main..${branch}`);
  git(place, "merge", "--squash", branch);
  git(place, "commit", "-q", "-m", `Shop (#1)\n\n${messages}\n\n---------\n\nCo-authored-by: X <x@y.z>`);
  const here = await told(place);
  expect(here).toEqual(await inClone(place));
  expect(here.statuses).toEqual(["merged", "merged"]);
  expect(here.findings).toMatchObject([{ code: "outside-scope", about: "a or b", task: null }]);
});

test("what earlier runs did counts, unless the plan had another task of that id then", async () => {
  const place = makePlace();
  const again = PLAN.replace("retries: 0", "retries: 0, allow-empty: true");
  await finish(place, again);
  await finish(place, again); // finds nothing left to do
  const here = await told(place);
  expect(here.statuses).toEqual(["merged", "merged"]);
  expect(here.findings).toMatchObject([{ code: "outside-scope", about: "a", task: "a" }]);
  const other = again.replace("owns: [src/a.txt]", "owns: [docs/**]").replaceAll("src/a.txt", "docs/a.txt");
  await finish(place, other.replace("stray.txt stray", "docs/b.txt done"));
  expect((await told(place)).findings).toEqual([]);
});
