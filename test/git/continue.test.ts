import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unresolvedPaths } from "../../src/git/conflict-markers.ts";
import { mergedFiles } from "../../src/git/merge.ts";
import { openPool } from "../../src/git/pool.ts";
import type { GitSpawn } from "../../src/git/run.ts";
import { attempted, has, pathsOf, pruneAll, save } from "./saving.ts";
import {
  agent,
  attempt,
  commitFiles,
  filesAt,
  ISOLATION,
  isPrivate,
  rig,
  SOME_FILES,
  sh,
  spawnGit,
  tempRepo,
  worktreesOf,
} from "./support.ts";

const SECOND = attempt("t1", 2);

test("a fix round goes on with the files as they are, on a branch of its own, and its result holds both", async () => {
  const { pool, place, base, lease, ...it } = await attempted(
    "echo one > one.txt; echo x > a.txt; echo big > x.log",
  );
  const next = await pool.continueLease(lease, SECOND);
  expect(next).toEqual({
    ...lease,
    attempt: SECOND,
    branch: "refs/heads/plait/r1/tasks/t1/2",
    before: next.before,
  });
  expect(agent(place, next, "git status --porcelain; git symbolic-ref HEAD; cat x.log")).toBe(
    " M a.txt\n?? one.txt\nrefs/heads/plait/r1/tasks/t1/2\nbig",
  );
  agent(place, next, "echo two > two.txt; rm b.txt");
  const saved = await save({ ...it, pool, place, base }, next, SECOND);
  expect(pathsOf(saved)).toEqual(["modified a.txt", "deleted b.txt", "added one.txt", "added two.txt"]);
  expect(saved.since).toEqual(base);
  expect(sh(place, `git rev-parse ${saved.result.commit}^`)).toBe(base.commit);
  expect(sh(place, "git for-each-ref --format='%(refname)' refs/plait")).toBe(
    "refs/plait/r1/t1/1\nrefs/plait/r1/t1/2",
  );
});

test("the agent's commits of both rounds are kept, in their order, with the leftovers on top", async () => {
  const { pool, place, base, lease, ...it } = await attempted(
    "echo one > one.txt; git add .; git commit -qm one; echo left > left.txt",
  );
  const next = await pool.continueLease(lease, SECOND);
  agent(
    place,
    next,
    "git add left.txt; git commit -qm left; echo two > two.txt; git add .; git commit -qm two; echo y > y",
  );
  const saved = await save({ ...it, pool, place, base }, next, SECOND, { title: "rest" });
  expect(sh(place, `git log --format=%s ${base.commit}..${saved.result.commit}`)).toBe(
    "rest\ntwo\nleft\none",
  );
  expect(filesAt(place, saved.result.commit)).toEqual({
    ...SOME_FILES,
    ...{ "one.txt": "one\n", "left.txt": "left\n", "two.txt": "two\n", y: "y\n" },
  });
});

test.skipIf(isPrivate)(
  "what the first round did to refs and stash is not laid at the second's door",
  async () => {
    const { pool, place, lease, saved, ...it } = await attempted(
      "git branch side; echo s > a.txt; git stash -q; echo one > one.txt",
    );
    expect(saved.moved.map(({ ref }) => ref)).toEqual(["refs/heads/side", "refs/stash"]);
    const next = await pool.continueLease(lease, SECOND);
    agent(place, next, "git branch other");
    const second = await save({ ...it, pool, place }, next, SECOND);
    expect(second.moved.map(({ ref }) => ref)).toEqual(["refs/heads/other"]);
  },
);

describe("whatever the first round left, the second can work and all is saved (I2)", () => {
  const commit = "echo one > one.txt; git add .; git commit -qm one";
  const lefts: Record<string, string> = {
    "a detached HEAD": `git switch -q --detach; ${commit}`,
    "a branch of its own": `git switch -q -c own; ${commit}`,
    "an amended base": "echo one > one.txt; git add .; git commit -q --amend -m amended",
    "an orphan branch without a commit": `${commit}; git switch -q --orphan o; git checkout -q plait/r1/tasks/t1/1 -- .`,
    "a deleted .git": `${commit}; rm -r .git`,
    "deleted metadata": `${commit}; rm -r "$(git rev-parse --git-dir)"`,
    "a HEAD that is nothing": `${commit}; echo junk > "$(git rev-parse --git-dir)/HEAD"`,
    "locks of a killed git": `${commit}; touch "$(git rev-parse --git-dir)"/{index,HEAD}.lock`,
    "a merge under way": `${commit}; git switch -q -c m HEAD~; echo m > one.txt; git add .; git commit -qm m; ! git merge -q plait/r1/tasks/t1/1 >/dev/null; echo one > one.txt`,
  };

  test.each(Object.entries(lefts))("%s", async (_what, script) => {
    const first = await attempted(script);
    const { pool, place, lease } = first;
    expect(filesAt(place, first.saved.result.commit)["one.txt"]).toBe("one\n");
    const next = await pool.continueLease(lease, SECOND);
    expect(agent(place, next, "cat one.txt; git symbolic-ref HEAD")).toBe(
      "one\nrefs/heads/plait/r1/tasks/t1/2",
    );
    agent(place, next, "echo two > two.txt; git add -A; git commit -qm two");
    const second = await save(first, next, SECOND);
    expect(filesAt(place, second.result.commit)).toEqual({
      ...SOME_FILES,
      "one.txt": "one\n",
      "two.txt": "two\n",
    });
    await pruneAll(first, next);
    for (const { commit } of [first.saved.result, second.result, ...first.saved.tips, ...second.tips])
      expect(has(first, commit)).toBe(true);
  });

  test("a rebase under way is still under way, and can be finished", async () => {
    const first = await attempted(
      `${commit}; git switch -q -c other HEAD~; echo o > one.txt; git add .; git commit -qm o
      git switch -q -; ! git rebase -q other >/dev/null 2>&1; echo both > one.txt`,
    );
    const { pool, place, lease, base } = first;
    const next = await pool.continueLease(lease, SECOND);
    agent(place, next, "git add one.txt; GIT_EDITOR=true git rebase --continue 2>/dev/null");
    const second = await save(first, next, SECOND);
    expect(sh(place, `git log --format=%s ${base.commit}..${second.result.commit}`)).toBe("one\no");
    expect(filesAt(place, second.result.commit)["one.txt"]).toBe("both\n");
  });

  test("a repository of the agent's own in the place of .git stays, and its commits are saved again", async () => {
    const first = await attempted(
      "rm -r .git; git init -q .; echo one > one.txt; git add -A; git commit -qm mine",
    );
    const next = await first.pool.continueLease(first.lease, SECOND);
    const tip = agent(
      first.place,
      next,
      "echo two > two.txt; git add -A; git commit -qm more; git rev-parse HEAD",
    );
    const second = await save(first, next, SECOND);
    expect(second.paths.map(({ path }) => path)).toEqual(["one.txt", "two.txt"]);
    expect(second.tips.map(({ commit: found }) => found)).toContain(tip);
  });
});

describe("after a restart (I4)", () => {
  test("the worktree of an attempt is found by its id", async () => {
    const { pool, place, base, shadow, run, runDir } = await rig();
    const lease = await pool.acquire(attempt("t1"), base);
    expect(pool.leaseOf(attempt("t1"))).toEqual(lease);
    expect(pool.leaseOf(SECOND)).toBeNull();
    const next = await pool.continueLease(lease, SECOND);
    const later = await openPool({ shadow, run, runDir, root: worktreesOf(place), isolation: ISOLATION });
    expect(later.found).toEqual([next]);
    expect(later.leaseOf(SECOND)).toEqual(next);
    expect(later.leaseOf(attempt("t1"))).toBeNull();
    await later.release(later.leaseOf(SECOND)!);
    expect(later.leaseOf(SECOND)).toBeNull();
  });

  test("one that was cut off after its record is finished by asking again, or saved as it is", async () => {
    const { place, shadow, run, runDir, pool, lease, ...it } = await attempted("echo one > one.txt");
    const next = await pool.continueLease(lease, SECOND);
    // As it was between the record and the first call: no branch yet, HEAD where it was.
    sh(
      place,
      `git update-ref -d ${next.branch} || true; echo 'ref: ${lease.branch}' > '${lease.slot.metadata}/HEAD'`,
    );
    const root = worktreesOf(place);
    const later = await openPool({ shadow, run, runDir, root, isolation: ISOLATION });
    const found = later.leaseOf(SECOND)!;
    const rigNow = { ...it, place, shadow, run, runDir, pool: later };
    expect(pathsOf(await save(rigNow, found, SECOND))).toEqual(["added one.txt"]);
    expect(await later.continueLease(found, SECOND)).toEqual(next);
    expect(agent(place, next, "git symbolic-ref HEAD; git status --porcelain")).toBe(
      `${next.branch}\n?? one.txt`,
    );
  });
});

test("when git fails the worktree is still the last attempt's, and the next try goes on", async () => {
  const place = tempRepo();
  let broken = false;
  const spawn: GitSpawn = (call) =>
    broken && call.argv.includes("read-tree")
      ? Promise.resolve({ code: 128, signal: null, stdout: Buffer.alloc(0), stderr: Buffer.from("no\n") })
      : spawnGit(call);
  const it = await rig(place, "r1", spawn);
  const { pool, base } = it;
  const lease = await pool.acquire(attempt("t1"), base);
  agent(place, lease, "echo one > one.txt; git add .; git commit -qm one");
  await save(it, lease);
  rmSync(join(lease.slot.metadata, "index")); // so that it has to be made anew
  broken = true;
  await expect(pool.continueLease(lease, SECOND)).rejects.toThrow("read-tree");
  expect(pool.leaseOf(attempt("t1"))).toEqual(lease);
  expect(readFileSync(join(lease.slot.metadata, "HEAD"), "utf8")).toBe(`ref: ${lease.branch}\n`);
  expect(existsSync(join(place.repo, ".git", "refs/heads/plait/r1/tasks/t1/2"))).toBe(false);
  broken = false;
  const next = await pool.continueLease(lease, SECOND);
  expect(agent(place, next, "git status --porcelain; git log -1 --format=%s")).toBe("one");
});

test("a worktree that was given back, or is only for judging, is not gone on with", async () => {
  const { pool, base } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  await pool.release(lease);
  await expect(pool.continueLease(lease, SECOND)).rejects.toThrow("is not leased");
  const scratch = await pool.acquireScratch(base);
  await expect(pool.continueLease(scratch, SECOND)).rejects.toThrow("is not leased");
});

describe("a path that is known before the worktree is made", () => {
  test("is the one that the attempt then gets, and nobody else meanwhile", async () => {
    const { pool, base } = await rig();
    const [one, two] = [pool.reserve(attempt("t1")), pool.reserve(SECOND)];
    expect([one, two].map((path) => path.split("/").at(-1))).toEqual(["t1", "t1@2"]);
    expect(pool.reserve(attempt("t1"))).toBe(one); // asked again
    const second = await pool.acquire(SECOND, base);
    const third = await pool.acquire(attempt("t1", 3), base);
    const first = await pool.acquire(attempt("t1"), base);
    expect([first, second, third].map(({ slot }) => slot.path)).toEqual([one, two, `${one}@3`]);
    expect(pool.reserve(attempt("t1"))).toBe(one); // it has it by now
  });

  test("is that of the attempt it goes on with, also when that worktree is given back first", async () => {
    const { pool, base } = await rig();
    const lease = await pool.acquire(attempt("t1"), base);
    expect(pool.reserve(SECOND, attempt("t1"))).toBe(lease.slot.path);
    await pool.release(lease);
    expect((await pool.acquire(SECOND, base)).slot.path).toBe(lease.slot.path);
  });

  test("is free again when the attempt did not come to it", async () => {
    const { pool, base } = await rig();
    const path = pool.reserve(attempt("t1"));
    pool.unreserve(attempt("t1"));
    expect((await pool.acquire(SECOND, base)).slot.path).toBe(path);
  });
});

test("work that others' merged work has to be fitted in starts from both, conflicts marked, nothing committed", async () => {
  const first = await attempted("echo mine > a.txt; echo one > one.txt; rm b.txt");
  const { pool, place, shadow, runDir, lease } = first;
  const moved = commitFiles(place, { "a.txt": "theirs\n", "theirs.txt": "t\n" }, "merged by others");
  await pool.release(lease);
  const labels = { merged: "merged: api (Füge hinzu $1)", own: "this task: tax" };
  const commits = { ours: moved.commit, theirs: first.saved.result.commit };
  const { tree, conflicts } = await mergedFiles(shadow, runDir, { ...commits, labels });
  expect(conflicts).toEqual(["a.txt"]);
  const next = await pool.acquire(SECOND, moved, tree);
  expect(agent(place, next, "git status --porcelain; git rev-parse HEAD")).toBe(
    ` M a.txt\n D b.txt\n?? one.txt\n${moved.commit}`,
  );
  expect(readFileSync(join(next.slot.path, "a.txt"), "utf8")).toBe(
    `<<<<<<< ${labels.merged}\ntheirs\n=======\nmine\n>>>>>>> ${labels.own}\n`,
  );
  expect(await unresolvedPaths(shadow, tree)).toEqual(["a.txt"]);
  agent(place, next, "echo both > a.txt");
  const second = await save(first, next, SECOND);
  expect(pathsOf(second)).toEqual(["modified a.txt", "deleted b.txt", "added one.txt"]);
  expect(second.since).toEqual(moved);
  expect(second.tips).toEqual([]);
  expect(filesAt(place, second.result.commit)["theirs.txt"]).toBe("t\n");
});
