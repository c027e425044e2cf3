// What an agent does with git itself, in a repository of its own, and in a worktree that shares the repository with the user.

import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { expectNothingLeft, filesAt, filesBelow, isSaved, refs, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  plait,
  runId,
  runPlan,
  startRun,
  writePlan,
} from "./support.ts";

const SHARED = ["--isolation", "shared"];

const commit = (message: string) => `git add -A && git commit -qm ${message}`;

test.concurrent("I1 I2 I8 I9: commits, branches, rewritten history, stashes and locks of agents lose nothing", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "commits", does: ["write own.txt one", "commit mine", "append own.txt two"] },
    { id: "switches", does: [`run git switch -qc elsewhere && echo x > switched.txt && ${commit("there")}`] },
    { id: "detaches", does: [`run git checkout -q --detach && echo x > detached.txt && ${commit("loose")}`] },
    { id: "amends", does: ["run echo x > amended.txt && git add -A && git commit -q --amend -m amended"] },
    { id: "orphan", does: [`run git checkout -q --orphan o && echo x > orphaned.txt && ${commit("new")}`] },
    { id: "nested", does: [`run git init -q nested && cd nested && echo x > n.txt && ${commit("inner")}`] },
    {
      id: "locks",
      does: ["run touch $(git rev-parse --absolute-git-dir)/index.lock && echo x > locked.txt"],
    },
    {
      id: "stashes",
      does: ["run echo x > hidden.txt && git add -A && git stash -q && echo x > stashed.txt"],
    },
    { id: "deletes", does: ["write gone.txt x", "commit mine", 'run rm -rf "$PWD"'] },
  ]);
  expect(await runPlan(place, plan, SHARED)).toMatchObject({ code: 0 });
  const made = [
    "amended.txt",
    "detached.txt",
    "gone.txt",
    "locked.txt",
    "nested/n.txt",
    "orphaned.txt",
    "own.txt",
  ];
  const all = [".gitignore", "a.txt", "b.txt", "dir/c.txt", ...made, "stashed.txt", "switched.txt"];
  expect(Object.keys(filesAt(place, "main")).sort()).toEqual(all.sort());
  expect(textAt(place, "main", "own.txt")).toBe("one\ntwo");
  // What an agent put aside is where it put it, in the name that it chose.
  expect(Object.keys(filesAt(place, "refs/stash"))).toContain("hidden.txt");
  expect(git(place, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(git(place, "status", "--porcelain")).toBe("");
  expectNothingLeft(place);
});

test.concurrent("I2 I9: what an agent deleted with its worktree is not taken for its work", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "deletes", does: ["write gone.txt x", 'run rm -rf "$PWD"'] },
    { id: "good", does: ["write good.txt x"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 1 });
  const integration = `refs/heads/plait/${runId(place)}/integration`;
  expect(Object.keys(filesAt(place, integration)).sort()).toEqual([
    ".gitignore",
    "a.txt",
    "b.txt",
    "dir/c.txt",
    "good.txt",
  ]);
});

test.concurrent("I1 I2 I3 I8: in repositories of their own they do the same, and nothing of it reaches the user's", async () => {
  const place = makeRepo();
  const before = usersThings(place);
  const plan = writePlan(place, [
    { id: "commits", does: ["write own.txt one", "commit mine", "append own.txt two"] },
    { id: "amends", does: ["run echo x > amended.txt && git add -A && git commit -q --amend -m amended"] },
    { id: "orphan", does: [`run git checkout -q --orphan o && echo x > orphaned.txt && ${commit("new")}`] },
    {
      id: "stashes",
      does: ["run echo x > hidden.txt && git add -A && git stash -q && echo x > stashed.txt"],
    },
    {
      id: "refs",
      does: [
        `run git branch -D main; git tag t; echo x > refs.txt; ${commit("mine")}; git update-ref refs/heads/main HEAD; git replace HEAD HEAD~`,
        "run git config core.fsmonitor 'touch ../sign; false'; git config core.hooksPath evil; git gc -q --prune=now",
        "run printf '#!/bin/sh\\ntouch ../sign\\n' > .git/hooks/post-commit || mkdir .git/hooks",
      ],
    },
  ]);
  expect(await runPlan(place, plan, ["--land", "never"])).toMatchObject({ code: 0 });
  expect(usersThings(place)).toEqual(before);
  expect(existsSync(join(place.root, "state/sign"))).toBe(false);
  const integration = `refs/heads/plait/${runId(place)}/integration`;
  const made = ["amended.txt", "orphaned.txt", "own.txt", "refs.txt", "stashed.txt"];
  expect(Object.keys(filesAt(place, integration)).sort()).toEqual(
    [".gitignore", "a.txt", "b.txt", "dir/c.txt", ...made].sort(),
  );
  expect(isSaved(place, "hidden.txt")).toBe(true);
});

test.concurrent("I2: what an agent stashed in its own repository outlives the landing of its work", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "t", does: ["run echo x > hidden.txt && git add -A && git stash -q && echo x > shown.txt"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 0 });
  expect(Object.keys(filesAt(place, "main"))).toContain("shown.txt");
  expect(isSaved(place, "hidden.txt")).toBe(true);
  expect(git(place, "stash", "list")).toBe("");
  expectNothingLeft(place, { refs: [`refs/plait/${runId(place)}/t/1`] });
});

test.concurrent("I1 I2 I3 I9: an agent that moves the user's branch is found out and denied", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "moves", does: ["write moved.txt x", "commit mine", "run git update-ref refs/heads/main HEAD"] },
    { id: "good", does: ["write good.txt x"] },
  ]);
  const before = usersThings(place);
  // One after the other: the good one starts when the other is found out.
  expect(await runPlan(place, plan, ["-j", "1", ...SHARED])).toMatchObject({ code: 1 });
  const [denied] = factsOf(journal(place), "attempt.saved").filter(({ findings }) => findings.length > 0);
  expect(denied).toMatchObject({ attempt: "moves/1", findings: [{ path: "refs/heads/main", blocks: true }] });
  expect(isSaved(place, "moved.txt", "x") && isSaved(place, "good.txt", "x")).toBe(true);
  const { "refs/heads/main": _main, "logs/refs/heads/main": _log, ...rest } = before;
  expect(usersThings(place)).toMatchObject(rest); // by plait nothing was moved: what the agent did is told, with its undoing
  const { detail = "" } = denied?.findings[0] ?? {};
  git(place, ...detail.slice(detail.indexOf("git update-ref")).split(" ").slice(1));
  expect(usersThings(place)["refs/heads/main"]).toBe(before["refs/heads/main"]);
});

/** Each leaves a sign outside if anybody ever runs it. */
const traps = [
  {
    what: "hooks",
    plant: (sign: string) =>
      `run cd $(git rev-parse --git-common-dir)/hooks && printf '#!/bin/sh\\ntouch ${sign}\\n' > post-merge && chmod +x post-merge && ` +
      `for hook in pre-commit commit-msg post-commit post-checkout post-index-change reference-transaction pre-merge-commit; do cp -p post-merge $hook; done`,
  },
  { what: "core.fsmonitor", plant: (sign: string) => `run git config core.fsmonitor "touch ${sign}; false"` },
  {
    what: "core.hooksPath",
    plant: (sign: string) =>
      `run mkdir evil && printf '#!/bin/sh\\ntouch ${sign}\\n' > evil/post-checkout && chmod +x evil/post-checkout && git config core.hooksPath "$PWD/evil"`,
  },
];

test.concurrent.for(traps)(
  "I2 I3 I9: planted $what are never run, and the attempt is denied",
  async ({ plant }) => {
    const place = makeRepo();
    const sign = join(place.outside, "sign");
    const before = usersThings(place);
    const plan = writePlan(place, [
      { id: "plants", does: ["write plants.txt x", plant(sign)] },
      { id: "good", does: ["write good.txt x"] },
    ]);
    // One after the other: of two that run together nobody can tell which one it was.
    expect(await runPlan(place, plan, ["-j", "1", ...SHARED])).toMatchObject({ code: 1 });
    expect(existsSync(sign)).toBe(false); // before the first git call of ours, which would run it
    const saved = factsOf(journal(place), "attempt.saved");
    const planted = saved.filter(({ findings }) =>
      findings.some(({ kind, blocks }) => kind === "planted" && blocks),
    );
    expect(planted.map(({ attempt }) => attempt)).toEqual(["plants/1"]);
    const merged = factsOf(journal(place), "integration.advanced").flatMap(({ tasks }) =>
      tasks.map(({ task }) => task),
    );
    expect(merged).toEqual(["good"]);
    const after = usersThings(place);
    for (const name of ["HEAD", "index", "refs/heads/main"]) expect(after[name]).toBe(before[name]);
    expect(filesBelow(place.repo)).toEqual(Object.fromEntries(Object.entries(before).flatMap(treeEntry)));
  },
);

function treeEntry([path, text]: [string, string]): [string, string][] {
  return path.startsWith("tree/") ? [[path.slice("tree/".length), text]] : [];
}

test.concurrent("I2 I3: odd names and links are in the tree as they are, and no link is followed", async () => {
  const place = makeRepo();
  const target = join(place.outside, "target");
  const plan = writePlan(place, [
    {
      id: "odd",
      does: [
        `run printf x > 'with space'; printf x > "$(printf 'new\\nline')"; printf x > -dash; printf x > ':(top)*'; printf x > "$(printf 'latin\\351')"`,
        `run printf x > 'ünï'; printf x > '"quote"'; printf x > 'back\\slash'; printf x > "$(printf 'tab\\tt')"; mkdir -p 'a/b '; printf x > 'a/b / '`,
        `run ln -s ${target} link; ln -s nowhere dangling; ln -s ../.. up; ln -s . loop; printf x > exec; chmod +x exec; ln -s ${place.outside} folder`,
      ],
    },
    // The same path below a link that another task made: written through, it would lie outside.
    { id: "below", needs: ["odd"], does: ["run rm folder && mkdir folder && printf x > folder/inside"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 0 });
  const files = git(place, "-c", "core.quotePath=true", "ls-tree", "-r", "main").split("\n");
  const modes = Object.fromEntries(
    files.map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, 6)]),
  );
  expect(modes).toEqual({
    ...{ ".gitignore": "100644", "a.txt": "100644", "b.txt": "100644", "dir/c.txt": "100644" },
    ...{ "with space": "100644", '"new\\nline"': "100644", "-dash": "100644", ":(top)*": "100644" },
    ...{ '"latin\\351"': "100644", '"\\303\\274n\\303\\257"': "100644", '"\\"quote\\""': "100644" },
    ...{ '"back\\\\slash"': "100644", '"tab\\tt"': "100644", "a/b / ": "100644", exec: "100755" },
    ...{ link: "120000", dangling: "120000", up: "120000", loop: "120000", "folder/inside": "100644" },
  });
  expect(readlinkSync(join(place.repo, "link"))).toBe(target);
  expect(lstatSync(join(place.repo, "folder")).isDirectory()).toBe(true);
  expect(readFileSync(join(place.repo, "with space"), "utf8")).toBe("x");
  expect(filesBelow(place.outside)).toEqual({});
  expect(git(place, "status", "--porcelain")).toBe("");
  expectNothingLeft(place);
});

test.concurrent("I2: a task that fails after it worked keeps its work on a ref, committed or not", async () => {
  const place = makeRepo();
  const before = usersThings(place);
  const plan = writePlan(place, [
    { id: "exits", does: ["write exits.txt x", "exit 1"] },
    {
      id: "commits",
      does: ["write commits.txt x", "commit mine", "write more.txt x", "fail agent-error no"],
    },
    { id: "dies", does: ["write dies.txt x", "kill SIGKILL"] },
    { id: "red", does: ["write red.txt x"], gates: ["echo because; false"] },
    { id: "after", needs: ["red"], does: ["write after.txt x"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 1 });
  for (const name of ["exits.txt", "commits.txt", "more.txt", "dies.txt", "red.txt"])
    expect(isSaved(place, name), name).toBe(true);
  const run = runId(place);
  const kept = ["commits", "dies", "exits", "red"].map((task) => `refs/plait/${run}/${task}/1`);
  expect(Object.keys(refs(place, "refs/plait")).sort()).toEqual(kept);
  expect(usersThings(place)).toEqual(before); // I3
  expectNothingLeft(place, { refs: kept });
});

test.concurrent("I9: what is planted is not held against an attempt that had ended or had not begun", async () => {
  const place = makeRepo();
  const waits = (sign: string) => `run while ! [ -e ${place.outside}/${sign} ]; do sleep 0.01; done`;
  const plant = (name: string) =>
    `run cd $(git rev-parse --git-common-dir)/hooks && echo exit > ${name} && chmod +x ${name}`;
  const plan = writePlan(place, [
    { id: "plants", does: ["write plants.txt x", waits("one"), plant("post-merge")] },
    { id: "looks", access: "read-only", does: [waits("two"), plant("pre-push"), "say nothing"] },
    { id: "good", does: ["write good.txt x"] },
    { id: "last", needs: ["good"], does: [waits("three"), "write last.txt x"] },
  ]);
  const started = startRun(place, plan, ["-j", "4", ...SHARED]);
  const sign = (name: string) => writeFileSync(join(place.outside, name), "");
  const is = (type: Fact["type"], attempt: string) => (fact: Fact) =>
    fact.type === type && "attempt" in fact && fact.attempt === attempt;
  await started.seen(is("attempt.ended", "good/1"));
  sign("one"); // while the good one is being saved
  await started.seen(is("attempt.saved", "plants/1"));
  sign("two");
  await started.seen(is("attempt.saved", "looks/1"));
  sign("three");
  expect(await started.end).toMatchObject({ code: 1 });
  const blocked = factsOf(journal(place), "attempt.saved").map(({ attempt, findings }) => [
    attempt,
    findings.filter(({ blocks }) => blocks).map(({ path }) => basename(path)),
  ]);
  expect(Object.fromEntries(blocked)).toEqual({
    "good/1": [],
    "plants/1": ["post-merge"],
    "looks/1": ["pre-push"],
    "last/1": [],
  });
});

test.concurrent("I4 I7: an integration branch that is deleted is put back, and one that is moved holds the run at once", async () => {
  const ref = '$(basename "$(dirname "$PWD")")';
  const rigged = (place: Place, move: string) =>
    runPlan(
      place,
      writePlan(place, [
        {
          id: "t",
          does: [
            "write t.txt x",
            `run env -i PATH="$PATH" git --git-dir=${place.repo}/.git update-ref ${move}`,
          ],
        },
      ]),
    );
  const deleted = makeRepo();
  expect(await rigged(deleted, `-d refs/heads/plait/${ref}/integration`)).toMatchObject({ code: 0 });
  expect(Object.keys(filesAt(deleted, "main"))).toContain("t.txt");
  const moved = makeRepo();
  const other = git(moved, "commit-tree", "-m", "other", "HEAD^{tree}");
  const end = await rigged(moved, `refs/heads/plait/${ref}/integration ${other}`);
  expect(end).toMatchObject({ code: 3 });
  expect(factsOf(journal(moved), "effect.failed")).toMatchObject([{ cause: "moved" }]);
  expect(end.stdout).toContain("was moved by another program");
  expect(await plait(moved, ["resume"])).toMatchObject({ code: 0 });
  expect(Object.keys(filesAt(moved, "main"))).toContain("t.txt");
});
