// A target that moved while agents worked, and conflicts with what they made: it goes to an agent first, then to the person.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectNothingLeft, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  type Plait,
  plait,
  runId,
  startRun,
  until,
  writePlan,
} from "./support.ts";

const GATE = "test ! -e bad.txt";

function commit(place: Place, path: string, text: string): void {
  writeFileSync(join(place.repo, path), text);
  git(place, "add", path);
  git(place, "commit", "-qm", `mine: ${path}`);
}

/** Says that it is there, and waits for a sign from outside. */
const waitFor = (place: Place, name: string) =>
  `run touch ${place.outside}/${name}-waits && while ! [ -e ${place.outside}/${name} ]; do sleep 0.05; done`;

const waits = (place: Place, name: string) => until(() => existsSync(join(place.outside, `${name}-waits`)));
const go = (place: Place, name: string) => writeFileSync(join(place.outside, name), "");

type Told = { readonly fix: readonly string[]; readonly more?: object };

/** One task writes a.txt and another one b.txt, and the user commits another a.txt meanwhile. */
async function conflictingRun(place: Place, { fix, more = {} }: Told): Promise<Plait> {
  const first = [waitFor(place, "go"), "write a.txt ours"].map((verb) => `on attempt 1: ${verb}`);
  const plan = writePlan(
    place,
    [
      { id: "a", title: "Fill a", does: [...first, ...fix], owns: ["a.txt"] },
      { id: "b", title: "Fill b", does: ["write b.txt theirs"], owns: ["b.txt"] },
    ],
    { gates: [GATE], defaults: { "fix-rounds": 1 }, ...more },
  );
  const started = startRun(place, plan);
  await waits(place, "go");
  commit(place, "a.txt", "mine\n");
  go(place, "go");
  return started;
}

const RESOLVE = [
  // Both sides are in the file, the target's first.
  "on attempt 2: run tr '\\n' ' ' < a.txt | grep -q '<<<<<<< .*mine =======.*ours.*>>>>>>>'",
  "on attempt 2: write a.txt mine\\nours",
];

test.concurrent.for([
  { as: "rebase", subjects: ["Fill a", "Fill b", "mine: a.txt", "start"] },
  { as: "squash", subjects: ["p: 2 tasks", "mine: a.txt", "start"] },
  { as: "merge", subjects: null },
])(
  "I1 I3: a target that moved and conflicts goes to an agent, and lands with both sides ($as)",
  async ({ as, subjects }) => {
    const place = makeRepo();
    const started = await conflictingRun(place, { fix: RESOLVE, more: { land: { as } } });
    expect(await started.end).toMatchObject({ code: 0 });
    expect([textAt(place, "main", "a.txt"), textAt(place, "main", "b.txt")]).toEqual([
      "mine\nours",
      "theirs",
    ]);
    const facts = journal(place);
    expect(factsOf(facts, "landing.refused")).toMatchObject([{ why: "conflict", paths: ["a.txt"] }]);
    expect(factsOf(facts, "attempt.started").at(-1)).toMatchObject({ attempt: "a/2", continues: "a/1" });
    const landed = git(place, "rev-parse", "main^{tree}");
    const green = factsOf(facts, "gate.judged").filter(({ verdict }) => verdict === "green");
    expect(green.map(({ tree }) => tree)).toContain(landed);
    if (subjects !== null) expect(git(place, "log", "--format=%s", "main").split("\n")).toEqual(subjects);
    expect(git(place, "log", "--format=%s", "main")).toContain("mine: a.txt");
    expect(git(place, "status", "--porcelain")).toBe("");
    expectNothingLeft(place);
  },
);

test.concurrent("I1 I2 I3: an agent that does not resolve it leaves it to the person; all is saved, and a merge by hand lands", async () => {
  const place = makeRepo();
  const started = await conflictingRun(place, { fix: ["on attempt 2: write c.txt more"] });
  const before = usersThings(place);
  const { code, stdout, stderr } = await started.end;
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('"why":"conflict"')]);
  expect(usersThings(place)).toEqual(before);
  const run = runId(place);
  const integration = `refs/heads/plait/${run}/integration`;
  expect(textAt(place, integration, "a.txt")).toBe("ours");
  expect(textAt(place, `refs/plait/${run}/a/2`, "c.txt")).toBe("more");
  const attempts = ["a/1", "a/2", "b/1"].map((attempt) => `refs/plait/${run}/${attempt}`);
  expectNothingLeft(place, { refs: [integration, ...attempts] });
  expect(await plait(place, ["status"])).toMatchObject({ stdout: expect.stringContaining("2 of") });
  // The suggested steps, in their order, lead to the landing.
  const { stdout: shown } = await plait(place, ["status"]);
  const steps = [...shown.matchAll(/^(?:next| {4}) {2}((?:git|plait land) \S+(?: \S+)*)/gm)].map(
    ([, line]) => line ?? "",
  );
  expect(steps).toEqual([`git merge plait/${run}/integration`, "git commit --no-edit", `plait land ${run}`]);
  const words = steps.map((line) => line.split(" ").slice(1));
  expect(() => git(place, ...(words[0] ?? []))).toThrow();
  // Pasted too early, it commits no conflict markers.
  expect(() => git(place, ...(words[1] ?? []))).toThrow();
  writeFileSync(join(place.repo, "a.txt"), "by hand\n");
  git(place, "add", "a.txt");
  git(place, ...(words[1] ?? []));
  expect(await plait(place, words[2] ?? [])).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "a.txt")).toBe("by hand");
});

test.concurrent("I2 I8: killed while the agent resolves it, resume continues there", async () => {
  const place = makeRepo();
  const again = RESOLVE.map((verb) => verb.replace("attempt 2", "attempt 3"));
  const started = await conflictingRun(place, {
    fix: [`on attempt 2: ${waitFor(place, "never")}`, ...again],
  });
  await waits(place, "never");
  started.signal("SIGKILL");
  await started.end;
  expect(await plait(place, ["resume", "--json"])).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "a.txt")).toBe("mine\nours");
  expect(factsOf(journal(place), "landing.refused")).toHaveLength(1);
  expectNothingLeft(place, { refs: [`refs/plait/${runId(place)}/a/2`] });
});

test.concurrent("what the agent resolved is fitted again where the target moves once more", async () => {
  const place = makeRepo();
  const wait = `on attempt 2: ${waitFor(place, "twice")}`;
  const third = ["on attempt 3: write a.txt mine\\nagain\\nours"];
  const started = await conflictingRun(place, {
    fix: [wait, ...RESOLVE, ...third],
    more: { defaults: { "fix-rounds": 2 } },
  });
  await waits(place, "twice");
  commit(place, "a.txt", "mine\nagain\n");
  go(place, "twice");
  expect(await started.end).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "a.txt")).toBe("mine\nagain\nours");
  expectNothingLeft(place);
});

test.concurrent("after `plait land` was refused for a conflict, `plait resume` asks the agent and lands there", async () => {
  const place = makeRepo();
  git(place, "branch", "release");
  const started = await conflictingRun(place, { fix: RESOLVE, more: { land: "never" } });
  expect(await started.end).toMatchObject({ code: 0 });
  git(place, "branch", "-f", "release", "main");
  const run = runId(place);
  const refused = await plait(place, ["land", run, "--onto", "release"]);
  expect(refused.code, refused.stderr).toBe(1);
  const { stdout } = await plait(place, ["status", run]);
  expect(stdout).toMatch(new RegExp(`^next  plait resume ${run}.* ask an agent to resolve`, "m"));
  expect(await plait(place, ["resume", run])).toMatchObject({ code: 0 });
  expect([textAt(place, "release", "a.txt"), textAt(place, "main", "a.txt")]).toEqual(["mine\nours", "mine"]);
  expect(factsOf(journal(place), "attempt.started").at(-1)).toMatchObject({ attempt: "a/2" });
});
