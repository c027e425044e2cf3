// What others do to the target while a run goes on, work that does not fit together, and what exit 0 means.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectNothingLeft, filesAt, isSaved, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  type Plait,
  plait,
  runId,
  runPlan,
  startRun,
  until,
  writePlan,
} from "./support.ts";

const GATE = "test ! -e bad.txt";
const edit = (place: Place, path: string, text: string) => writeFileSync(join(place.repo, path), text);

function commit(place: Place, path: string, text: string): void {
  edit(place, path, text);
  git(place, "add", path);
  git(place, "commit", "-qm", `mine: ${path}`);
}

/** Waits for a sign from outside, so that something can be done meanwhile. */
const waitFor = (place: Place, sign: string) =>
  `run touch ${place.outside}/waits && while ! [ -e ${place.outside}/${sign} ]; do sleep 0.05; done`;

async function runThatWaits(place: Place): Promise<Plait> {
  const plan = writePlan(place, [{ id: "a", does: [waitFor(place, "go"), "write a.txt ours"] }], {
    gates: [GATE],
  });
  const started = startRun(place, plan);
  await until(() => existsSync(join(place.outside, "waits")));
  return started;
}

const go = (place: Place) => writeFileSync(join(place.outside, "go"), "");

test.concurrent("I1 I3: a target that the user moved meanwhile is joined, and the joined tree is gated before it lands", async () => {
  const place = makeRepo();
  const started = await runThatWaits(place);
  commit(place, "b.txt", "mine\n");
  const mine = git(place, "rev-parse", "main");
  go(place);
  expect(await started.end).toMatchObject({ code: 0 });
  expect([textAt(place, "main", "a.txt"), textAt(place, "main", "b.txt")]).toEqual(["ours", "mine"]);
  expect(git(place, "merge-base", "main", mine)).toBe(mine);
  const landed = git(place, "rev-parse", "main^{tree}");
  const green = factsOf(journal(place), "gate.judged").filter(({ verdict }) => verdict === "green");
  expect(green.map(({ tree }) => tree)).toContain(landed);
  expect(git(place, "status", "--porcelain")).toBe("");
  expectNothingLeft(place);
});

const refusals = [
  {
    what: "committed conflicts with the run",
    why: "conflict",
    act: (place: Place) => commit(place, "a.txt", "mine\n"),
  },
  {
    what: "committed makes a gate red with it",
    why: "gate",
    act: (place: Place) => commit(place, "bad.txt", "mine\n"),
  },
  { what: "edited is in the way", why: "dirty", act: (place: Place) => edit(place, "a.txt", "mine\n") },
] as const;

test.concurrent.for(refusals)("I1 I3: what the user $what is not landed on ($why)", async ({ why, act }) => {
  const place = makeRepo();
  const started = await runThatWaits(place);
  act(place);
  const before = usersThings(place);
  go(place);
  expect(await started.end).toMatchObject({ code: 1 });
  expect(usersThings(place)).toEqual(before);
  const facts = journal(place);
  if (why !== "gate") expect(factsOf(facts, "landing.refused")).toMatchObject([{ why, files: ["a.txt"] }]);
  else
    expect(factsOf(facts, "gate.judged").at(-1)).toMatchObject({
      verdict: "red",
      asked: [{ kind: "landing" }],
    });
  const run = runId(place);
  expect(textAt(place, `refs/heads/plait/${run}/integration`, "a.txt")).toBe("ours");
  expectNothingLeft(place, { refs: [`refs/heads/plait/${run}/integration`, `refs/plait/${run}/a/1`] });
});

test.concurrent("I1 I3: the run lands on the branch of its start, whatever is checked out at its end", async () => {
  const place = makeRepo();
  const started = await runThatWaits(place);
  git(place, "switch", "-qc", "other");
  edit(place, "a.txt", "mine\n");
  const before = usersThings(place);
  go(place);
  expect(await started.end).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "a.txt")).toBe("ours");
  const { "refs/heads/main": _main, "logs/refs/heads/main": _log, ...rest } = before;
  expect(usersThings(place)).toMatchObject(rest);
  expectNothingLeft(place);
});

test.concurrent("I1 I2 I9: of two that conflict the first is merged and the second kept; resume tries only that one", async () => {
  const place = makeRepo();
  const ran = `run echo ran >> ${place.outside}/$PLAIT_TASK`;
  const late = waitFor(place, "go");
  const plan = writePlan(place, [
    { id: "first", does: [ran, "write a.txt first"] },
    {
      id: "second",
      does: [
        ran,
        `on attempt 1: ${late}`,
        "on attempt 1: write a.txt second",
        "on attempt 2+: append a.txt second",
      ],
    },
    { id: "after", needs: ["second"], does: [ran, "run cp a.txt after.txt"] },
  ]);
  const before = usersThings(place);
  const started = startRun(place, plan);
  // Begun on the same base, done when the first is merged.
  await until(() => existsSync(join(place.outside, "waits")));
  await started.seen(({ type }) => type === "integration.advanced");
  go(place);
  expect(await started.end).toMatchObject({ code: 1 });
  const run = runId(place);
  expect(factsOf(journal(place), "candidate.refused")).toMatchObject([
    { task: { task: "second" }, failure: { reason: "conflict", with: ["first"], paths: ["a.txt"] } },
  ]);
  expect(textAt(place, `refs/heads/plait/${run}/integration`, "a.txt")).toBe("first");
  expect(textAt(place, `refs/plait/${run}/second/1`, "a.txt")).toBe("second");
  expect(usersThings(place)).toEqual(before);
  expect(await plait(place, ["resume", "--json"])).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "after.txt")).toBe("first\nsecond");
  const runs = (task: string) => readFileSync(join(place.outside, task), "utf8").split("\n").length - 1;
  expect(["first", "second", "after"].map(runs)).toEqual([1, 2, 1]);
});

test.concurrent("I1 I9: work that is green alone and red together is not merged together", async () => {
  const place = makeRepo();
  const plan = writePlan(
    place,
    ["x", "y"].map((id) => ({
      id,
      does: [
        `run touch ${place.outside}/${id} && while ! [ -e ${place.outside}/x -a -e ${place.outside}/y ]; do sleep 0.05; done`,
        `write ${id}.txt x`,
      ],
    })),
    { gates: ["! [ -e x.txt -a -e y.txt ]"] },
  );
  const before = usersThings(place);
  expect(await runPlan(place, plan)).toMatchObject({ code: 1 });
  const run = runId(place);
  const names = Object.keys(filesAt(place, `refs/heads/plait/${run}/integration`));
  expect(names.filter((name) => /^[xy]\.txt$/.test(name))).toHaveLength(1);
  expect(isSaved(place, "x.txt") && isSaved(place, "y.txt")).toBe(true);
  expect(usersThings(place)).toEqual(before);
});

test.concurrent("I1 I7 I11: each task sees the merged work of all it needs, and what lands passes the gates", async () => {
  const place = makeRepo();
  const gate = "for f in *.sum; do [ ! -e $f ] || grep -q . $f; done";
  const plan = writePlan(
    place,
    [
      { id: "l", does: ["write l.txt l"] },
      { id: "r", does: ["write r.txt r"] },
      { id: "both", needs: ["l", "r"], does: ["run cat l.txt r.txt > both.sum"] },
      { id: "end", needs: ["both"], does: ["run cat both.sum both.sum > end.sum && rm both.sum"] },
      { id: "look", needs: ["end"], access: "read-only", does: ["run cp end.sum outside.log", "say looked"] },
    ],
    { gates: [gate] },
  );
  const { code, stderr } = await runPlan(place, plan);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "end.sum")).toBe("l\nr\nl\nr");
  expect(Object.keys(filesAt(place, "main"))).not.toContain("both.sum");
  execFileSync("sh", ["-c", gate], { cwd: place.repo }); // judged by us, on what the user has now
  const starts = factsOf(journal(place), "attempt.started").find(({ attempt }) => attempt === "both/1");
  expect(Object.keys(filesAt(place, starts?.base.commit ?? ""))).toEqual(
    expect.arrayContaining(["l.txt", "r.txt"]),
  );
  const advances = factsOf(journal(place), "integration.advanced");
  expect(advances.slice(1).map(({ from }) => from)).toEqual(advances.slice(0, -1).map(({ to }) => to.commit));
  expectNothingLeft(place);
});
