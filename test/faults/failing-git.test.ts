// git that fails calls of plait: at the start, around an attempt, and for good. The sweep fails every single one.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failingGit } from "./failing-git.ts";
import { expectNothingLeft, isSaved, tree, usersThings } from "./observe.ts";
import {
  factsOf,
  journal,
  makeRepo,
  orphans,
  type Place,
  plait,
  runIds,
  until,
  writePlan,
} from "./support.ts";

const RUN = ["run", "--agent", "demo", "--json"];

/** Steps of a run in the order of a first run: each of these calls fails once. */
const ONCE = [
  ...["rev-parse", "cat-file", "status", "update-ref"],
  ...["for-each-ref", "read-tree", "clean", "ls-files", "write-tree", "commit-tree"],
  ...["merge-tree", "rev-list", "diff-tree", "worktree", "diff-files", "symbolic-ref"],
];

test.concurrent("I1 I3 I8: where each kind of call fails once, the run lands, and no task pays for it", async () => {
  const place = makeRepo();
  const git = failingGit(place, { kind: "first-of", subcommands: ONCE });
  const { code, stderr } = await git.start([...RUN, planIn(place)]).end;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(tree(place)).toBe(await calmTree());
  expect(factsOf(journal(place), "attempt.started").map(({ attempt }) => attempt)).toEqual(["a/1", "b/1"]);
  const failed = factsOf(journal(place), "effect.failed");
  expect(failed.length).toBeGreaterThan(3);
  for (const { cause, detail } of failed) {
    expect(cause).toBe("git");
    expect(detail).toContain("fatal: told to fail");
  }
  expectNothingLeft(place);
});

test.concurrent.for(["rev-parse", "status", "update-ref"])(
  "I3 I8: `git %s` that always fails at the start is not a bug of plait, and leaves nothing",
  async (subcommand) => {
    const place = makeRepo();
    const before = usersThings(place);
    const git = failingGit(place, { kind: "every", subcommands: [subcommand] });
    const { code, stdout, stderr } = await git.start([...RUN, planIn(place)]).end;
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`error: git ${subcommand} failed with exit code 128: fatal: told to fail`);
    expect(stderr).toMatch(/help: fix git, then run the command again/m);
    expect(stderr).not.toMatch(/bug|Warning/);
    expect(runIds(place)).toEqual([]);
    expect(usersThings(place)).toEqual(before);
    expectNothingLeft(place);
  },
);

test.concurrent.for([
  ["for-each-ref", /could not start [ab]/],
  ["write-tree", /could not save the work of [ab]/],
  ["merge-tree", /could not merge/],
] as const)(
  "I1 I2 I8: `git %s` that always fails stops the run with the step and what git said, and a resume lands it",
  async ([subcommand, step]) => {
    const place = makeRepo();
    const plan = planIn(place);
    const git = failingGit(place, { kind: "every", subcommands: [subcommand] });
    const { code, stdout, stderr } = await git.start(["run", "--agent", "demo", plan]).end;
    expect({ code, stderr }).toMatchObject({ code: 3 });
    const headline = new RegExp(`not landed: ${step.source}, 0 of 2 done`);
    const why = new RegExp(
      `${step.source} \\(git ${subcommand} failed with exit code 128: fatal: told to fail\\)`,
    );
    for (const expected of [headline, why]) expect(stdout.replaceAll(/\s+/g, " ")).toMatch(expected);
    expect(stderr).toMatch(/could not .* \(git .* fatal: told to fail\); retrying in 1s/);
    expect(orphans(place)).toEqual([]);
    expect(factsOf(journal(place), "run.ended")).toMatchObject([{ outcome: "held" }]);
    if (subcommand === "merge-tree") expect(isSaved(place, "a.txt", "a1")).toBe(true);
    const status = await plait(place, ["status"]);
    expect(status.stdout.replaceAll(/\s+/g, " ")).toContain("fatal: told to fail");
    expect(status.stdout).toContain("plait resume");
    // What the agent did is there, and the resume starts no attempt.
    if (subcommand === "write-tree") {
      expect(status.stdout).toContain("continues on resume");
      expect(status.stdout).not.toContain("runs again on resume");
    }
    await expectResumed(place);
  },
);

test.concurrent("I1 I8: a landing that git can neither finish nor undo is named, and a resume finishes it", async () => {
  const place = makeRepo();
  const git = failingGit(place, { kind: "after-switch" });
  const { code, stderr } = await git.start(["run", "--agent", "demo", planIn(place)]).end;
  expect({ code, stderr }).toMatchObject({ code: 3 });
  const lock = join(place.repo, ".git/index.lock");
  expect(existsSync(lock)).toBe(true);
  for (const seen of [stderr, (await plait(place, ["status"])).stdout])
    expect(seen.replaceAll("\n", " ")).toContain(
      `may show the run's files as changes, and ${lock} stays until a resume finishes it`,
    );
  await expectResumed(place);
});

test.concurrent.for(["SIGINT", "SIGKILL"] as const)(
  "I4 I5: %s while plait waits to retry ends the run, and a resume lands it",
  async (signal) => {
    const place = makeRepo();
    const git = failingGit(place, { kind: "every", subcommands: ["for-each-ref"] });
    const started = git.start([...RUN, planIn(place)]);
    await started.seen(({ type }) => type === "effect.failed");
    started.signal(signal);
    const { code } = await started.end;
    expect(code).toBe(signal === "SIGINT" ? 130 : null);
    await until(() => orphans(place).length === 0);
    await expectResumed(place);
  },
);

test.concurrent("status shows what plait retries, until when and why", async () => {
  const place = makeRepo();
  const git = failingGit(place, { kind: "every", subcommands: ["for-each-ref"] });
  const started = git.start([...RUN, planIn(place)]);
  await started.seen((fact) => fact.type === "effect.failed" && fact.key === "attempt a/1");
  const { stdout } = await plait(place, ["status"]);
  expect(stdout).toMatch(
    /^1 task waiting until [\d:]+: could not start [ab] \(git for-each-ref failed with exit code 128/m,
  );
  started.signal("SIGINT");
  await started.end;
});

function planIn(place: Place): string {
  return writePlan(
    place,
    [
      { id: "a", does: ["write a.txt a1"] },
      { id: "b", does: ["write new/b.txt b1", "commit mine", "append new/b.txt b2"] },
    ],
    { gates: ["test -e a.txt"] },
  );
}

let calm: Promise<string> | null = null;

/** What the run makes where nothing fails. */
function calmTree(): Promise<string> {
  calm ??= (async () => {
    const place = makeRepo();
    expect((await plait(place, [...RUN, planIn(place)])).code).toBe(0);
    return tree(place);
  })();
  return calm;
}

async function expectResumed(place: Place): Promise<void> {
  const { code, stderr } = await plait(place, ["resume", "--json"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(tree(place)).toBe(await calmTree());
  expectNothingLeft(place, { refs: keptRefs(place) });
}

/** Saved work of attempts that were ended stays, and the report names it. One that never began has none. */
function keptRefs(place: Place): string[] {
  const failures = new Map(
    factsOf(journal(place), "attempt.ended").map(({ attempt, failure }) => [attempt, failure?.reason]),
  );
  return factsOf(journal(place), "attempt.saved").flatMap(({ attempt, ref }) => {
    const reason = failures.get(attempt);
    return reason === undefined || reason === "not-started" ? [] : [ref];
  });
}
