// isolation: private. What an attempt does in its repository never reaches the user's, what it commits comes back checked, and a person
// who looks there runs nothing that it set up.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attemptFolders } from "../../src/git/attempt-folders.ts";
import type { Lease } from "../../src/git/lease.ts";
import { save } from "./saving.ts";
import { agent, attempt, type Place, type Rig, rig, sh, tempRepo, usersThings } from "./support.ts";

const own = (place?: Place): Promise<Rig> => rig(place, "r1", undefined, "private");

async function started(place?: Place): Promise<Rig & { lease: Lease }> {
  const it = await own(place);
  return { ...it, lease: await it.pool.acquire(attempt("t1"), it.base) };
}

test("it knows the user's branches, tags and remotes, and nothing that is a secret or runs (I3)", async () => {
  const place = tempRepo();
  sh(
    place,
    `git tag v1; git branch other; echo s > a.txt; git stash -q
    git remote add origin https://me:token@host.test/r.git; git update-ref refs/remotes/origin/main HEAD
    git config credential.helper secret; git config core.sshCommand secret; git config http.extraheader secret
    git config core.hooksPath secret; git config core.eol lf`,
  );
  const { lease } = await started(place);
  const asked =
    "git status --porcelain; git symbolic-ref HEAD; git describe --tags; git stash list; git branch --list other; git remote get-url origin; git log -1 --format=%s origin/main; git config core.eol";
  expect(agent(place, lease, asked)).toBe(
    "refs/heads/plait/r1/tasks/t1/1\nv1\n  other\nhttps://host.test/r.git\nstart\nlf",
  );
  expect(readFileSync(join(lease.slot.metadata, "config"), "utf8")).not.toMatch(/secret|token/);
});

test("all of it comes back, and the user's repository is as it was, byte for byte (I2, I3)", async () => {
  const place = tempRepo();
  sh(place, "git branch other");
  const it = await started(place);
  const before = usersThings(place);
  agent(
    place,
    it.lease,
    `echo one > one.txt; git add .; git commit -qm one; git branch -q -D other; git tag t; git update-ref refs/heads/main HEAD
    git config user.name x; echo two > two.txt; git add two.txt; git stash -q; echo 3 > three.txt; git gc -q --prune=now; git replace HEAD HEAD~`,
  );
  const saved = await save(it, it.lease);
  expect(saved).toMatchObject({ leftBehind: [], moved: [] });
  expect(usersThings(place)).toEqual(before);
  expect(sh(place, `git ls-tree --name-only ${saved.result.commit}`)).toContain("one.txt\nthree.txt");
  expect(sh(place, `git log --format=%s ${saved.result.commit}`)).toBe("do it\none\nstart");
  expect(saved.tips).toMatchObject([{ from: "stash" }]);
  expect(sh(place, `git show ${saved.tips[0]?.commit}:two.txt; git fsck --no-dangling 2>&1`)).toBe("two");
});

test("more than a few objects come back as one pack, and a commit that nothing names any more comes too (I2)", async () => {
  const it = await started();
  const lost = agent(
    it.place,
    it.lease,
    `for i in $(seq 120); do echo $i > f$i; done; git add .; git commit -qm many; git rev-parse HEAD
    git reset -q --hard HEAD~; rm -r .git/logs`,
  );
  const saved = await save(it, it.lease);
  expect(saved.tips).toMatchObject([{ commit: lost }]);
  expect(readdirSync(join(it.repository.commonDir, "objects/pack")).length).toBeGreaterThan(1);
});

describe("what is planted in it runs nowhere and comes nowhere (I3)", () => {
  const work = "echo n > n.txt; git add .; git commit -qm n";
  const replaced = `echo old > n.txt; git add .; git commit -qm old; ${work}`;
  const commitTree = (tree: string) => `git update-ref refs/heads/x $(git commit-tree -m x -p HEAD ${tree})`;
  const blob = "b=$(git rev-parse HEAD~:n.txt); f=.git/objects/$(echo $b | cut -c1-2)/$(echo $b | cut -c3-)";
  test.each([
    [
      "a blob under another's name",
      `${replaced}; echo other > o; o=$(git hash-object -w o); rm o; ${blob}; chmod +w $f; cp .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-) $f`,
    ],
    [
      "a tree with a .git in it",
      `${work}; t=$(printf '100644 blob %s\\t.git\\n' $(git hash-object -w n.txt) | git mktree); ${commitTree("$t")}`,
    ],
    [
      "submodules with an option for a url",
      `${work}; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = --upload-pack=touch\\n' > m; t=$(printf '100644 blob %s\\t.gitmodules\\n' $(git hash-object -w m) | git mktree); rm m; ${commitTree("$t")}`,
    ],
    ["a missing blob", `${replaced}; ${blob}; rm -f $f`],
  ])("%s is refused, the files are saved, and the worktree stays for a person", async (_what, script) => {
    const it = await started();
    agent(it.place, it.lease, script);
    const saved = await save(it, it.lease);
    expect(saved.leftBehind).toMatchObject([
      { path: expect.stringMatching(/^\.git \(.+\)$/), why: "nested-history" },
    ]);
    expect(sh(it.place, `git show ${saved.result.commit}:n.txt; git fsck --strict --no-dangling 2>&1`)).toBe(
      "n",
    );
    const path = await it.pool.keep(it.lease, "t1/1");
    expect(existsSync(join(path, ".git/left-objects"))).toBe(true);
    expect(sh(it.place, "git status --porcelain; git log -1 --format=%s", path)).toBe("do it");
  });

  test.each([
    [
      "a pipe in the place of HEAD and of its index",
      `${work}; rm .git/HEAD .git/index; mkfifo .git/HEAD .git/index`,
    ],
    [
      "a pipe as an object",
      `${work}; mkdir -p .git/objects/00; mkfifo .git/objects/00/00000000000000000000000000000000000000`,
    ],
    ["a link as the folder of objects", `${work}; mv .git/objects ../o; ln -s ../../o .git/objects`],
    ["other objects to borrow", `${work}; echo /nowhere > .git/objects/info/alternates`],
    ["a link in the place of .git", `${work}; mv .git ../g; ln -s ../g .git`],
    [
      "programs in its config",
      `${work}; git config core.fsmonitor 'touch ../ran'; git config filter.x.clean 'touch ../ran; cat'; git config core.hooksPath ../h; git config extensions.partialClone o; git config remote.o.promisor true; git config remote.o.url x; git config remote.o.uploadpack 'touch ../ran'`,
    ],
  ])("%s", async (_what, script) => {
    const it = await started();
    const before = usersThings(it.place);
    agent(it.place, it.lease, script);
    const saved = await save(it, it.lease);
    expect(sh(it.place, `git show ${saved.result.commit}:n.txt`)).toBe("n");
    expect(usersThings(it.place)).toEqual(before);
    await it.pool.release(it.lease);
    const next = await it.pool.acquire(attempt("t2"), it.base);
    expect(agent(it.place, next, "git status --porcelain; git log --format=%s")).toBe("start");
    expect(existsSync(join(it.pool.folder, "ran"))).toBe(false);
  });
});

describe("a person gets a repository that plait made", () => {
  const TRAPS = `git config core.fsmonitor 'touch ../ran; false'; git config alias.st '!touch ../ran'; git config diff.external 'touch ../ran'
    mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ../ran\\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit`;
  const look =
    "git status --porcelain; git diff > /dev/null; git commit -q --allow-empty -m looked; git log --format=%s";

  test("when a task is opened: the files and commits are there, what the agent set up is not", async () => {
    const it = await started();
    agent(
      it.place,
      it.lease,
      `echo one > one.txt; git add .; git commit -qm one; echo left > left.txt; ${TRAPS}`,
    );
    await save(it, it.lease);
    const next = await it.pool.continueLease(it.lease, attempt("t1", 2), { forPerson: true });
    expect(sh(it.place, look, next.slot.path)).toBe("?? left.txt\nlooked\none\nstart");
    expect(existsSync(join(it.pool.folder, "ran"))).toBe(false);
    const saved = await save(it, next, attempt("t1", 2));
    expect(sh(it.place, `git log --format=%s ${saved.result.commit}`)).toBe("do it\nlooked\none\nstart");
  });

  test("when worktrees are kept: at what was saved, also after a crash on the way (I4)", async () => {
    const it = await started();
    agent(it.place, it.lease, `echo one > one.txt; ${TRAPS}`);
    await save(it, it.lease);
    await it.pool.leave(it.lease);
    expect(sh(it.place, `${look}; git show --format= --name-only HEAD~`, it.lease.slot.path)).toBe(
      "looked\ndo it\nstart\none.txt",
    );
    expect(existsSync(join(it.pool.folder, "ran"))).toBe(false);
  });
});

test("who puts walls around an attempt is told what it needs", async () => {
  const it = await started();
  const { slot } = it.lease;
  expect(attemptFolders(it.repository, it.lease)).toEqual({
    ...{ slot: slot.path, gitDir: join(slot.path, ".git"), shared: [] },
    borrowed: [join(it.repository.commonDir, "objects")],
  });
});

test("large files that its git put aside go to the user's, where their name is their content", async () => {
  const it = await own();
  const repository = { ...it.repository, largeFiles: "present" as const };
  const lease = await it.pool.acquire(attempt("t1"), it.base);
  const name = sh(it.place, "printf large | sha256sum | cut -c1-64");
  const folder = (top: string, of: string) => join(top, "lfs/objects", of.slice(0, 2), of.slice(2, 4));
  const wrong = "0".repeat(64);
  for (const one of [name, wrong]) {
    mkdirSync(folder(lease.slot.metadata, one), { recursive: true });
    writeFileSync(join(folder(lease.slot.metadata, one), one), "large");
  }
  await save(
    {
      ...it,
      shadow: {
        ...it.shadow,
        repository: { ...it.shadow.repository, ...repository, git: it.shadow.repository.git },
      },
    },
    lease,
  );
  expect(readFileSync(join(folder(repository.commonDir, name), name), "utf8")).toBe("large");
  expect(readdirSync(folder(repository.commonDir, wrong))).toEqual([]);
});
