import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { splitAttemptId } from "../../src/core/ids.ts";
import { cleanRefs, cleanRunFolder } from "../../src/git/clean.ts";
import { GitError } from "../../src/git/failure.ts";
import { recordFingerprint } from "../../src/git/fingerprint.ts";
import { mergeTasks, type ToMerge } from "../../src/git/merge.ts";
import { openPool } from "../../src/git/pool.ts";
import { advance, startIntegration } from "../../src/git/ref-updates.ts";
import { failed, through } from "./failing.ts";
import { type LandRig, landIt, landRig, status } from "./landing.ts";
import { AT, has, pathsOf, pruneAll, save } from "./saving.ts";
import {
  agent,
  attempt,
  filesBelow,
  rig,
  SOME_FILES,
  sh,
  spawnGit,
  tempRepo,
  usersThings,
  worktreesOf,
} from "./support.ts";

const commandOf = (argv: readonly string[]): string =>
  argv.slice(1).filter((word, i, all) => word !== "-c" && all[i - 1] !== "-c")[0] ?? "";

test("a whole run leaves the landed commit, and otherwise every file of the repository as it was (I3, I8)", async () => {
  const place = tempRepo();
  const before = usersThings(place);
  const it = await rig(place);
  const keptIn = join(it.runDir, "start");
  const fingerprint = await recordFingerprint(it.repository, keptIn);
  await startIntegration(it.repository, it.run, it.base.commit);
  const tasks: ToMerge[] = [];
  for (const id of ["t1", "t2"].map((name) => attempt(name))) {
    const { task } = splitAttemptId(id);
    const lease = await it.pool.acquire(id, it.base);
    agent(place, lease, `echo ${id} > ${task}.txt; git add -A; git commit -qm own; git status >/dev/null`);
    const { result } = await save(it, lease, id);
    tasks.push({ task, attempt: id, result: result.commit, title: id });
    await it.pool.release(lease);
  }
  const merged = await mergeTasks(it.shadow, { ...it, from: it.base.commit, tasks, at: AT });
  if (merged.kind !== "built") throw new Error("conflict");
  await advance(it.shadow, { run: it.run, from: merged.from, to: merged.result.commit, tasks: merged.tasks });
  const { head } = it.repository;
  const target = head.kind === "branch" ? head.ref : null;
  const landing = await landIt({ ...it, to: merged.result, fingerprint, keptIn } as LandRig, { target });
  expect(landing).toMatchObject({ kind: "landed" });
  const ids = tasks.map((task) => task.attempt);
  expect(await cleanRefs(it.repository, { run: it.run, landed: true, merged: ids })).toEqual([]);
  await it.pool.close();
  await cleanRunFolder(it.runDir, { keepStart: false });
  const after = usersThings(place);
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  expect(changed.sort()).toEqual([
    ...["ORIG_HEAD", "index", "logs/HEAD", "logs/refs/heads/main", "refs/heads/main"],
    ...["tree/t1.txt", "tree/t2.txt"],
  ]);
  expect(readdirSync(it.runDir)).toEqual([]);
  expect(readdirSync(worktreesOf(place))).toEqual([]);
});

describe("git calls that fail", () => {
  test("the disk is full in the middle of a landing: all is put back, and it is said", async () => {
    const calm = await landRig();
    sh(calm.place, "echo mine > dir/c.txt");
    const before = { files: filesBelow(calm.place.repo), status: status(calm.place) };
    const it = through(calm, async (call) => {
      const end = await spawnGit(call);
      const isLanding = commandOf(call.argv) === "read-tree" && call.argv.at(-1) === calm.to.commit;
      return isLanding ? failed("error: unable to write file x: No space left on device") : end;
    });
    await expect(landIt(it)).rejects.toThrow(GitError);
    expect({ files: filesBelow(it.place.repo), status: status(it.place) }).toEqual(before);
    expect(sh(it.place, "git rev-parse main; ls .git | grep -c lock || true")).toBe(`${it.base.commit}\n0`);
    expect(await landIt(calm)).toMatchObject({ kind: "landed" });
  });

  test("the target moves in the last moment: files and index go back, and the new tip is told (I3)", async () => {
    const calm = await landRig();
    let moved = "";
    const it = through(calm, async (call) => {
      if (commandOf(call.argv) === "update-ref" && call.argv.includes("refs/heads/main") && moved === "") {
        moved = sh(
          calm.place,
          "c=$(git commit-tree -p main -m pushed main^{tree}); git update-ref refs/heads/main $c; echo $c",
        );
      }
      return spawnGit(call);
    });
    expect(await landIt(it)).toEqual({ kind: "moved", onto: moved });
    expect(filesBelow(it.place.repo)).toEqual(SOME_FILES);
    expect(status(it.place)).toBe("");
  });

  test("the user saves a file in the last moment: refused, and the file is kept (I3)", async () => {
    const calm = await landRig();
    const it = through(calm, async (call) => {
      if (commandOf(call.argv) === "read-tree") writeFileSync(join(calm.place.repo, "a.txt"), "just now\n");
      return spawnGit(call);
    });
    expect(await landIt(it)).toMatchObject({
      kind: "refused",
      why: "dirty",
      detail: expect.stringMatching(/a\.txt/),
    });
    expect(filesBelow(it.place.repo)).toEqual({ ...SOME_FILES, "a.txt": "just now\n" });
    expect(status(it.place)).toBe(" M a.txt");
  });

  test("a worktree that cannot be made leaves no branch, no entry and no record (I8)", async () => {
    const calm = await rig();
    const it = through(calm, (call) =>
      commandOf(call.argv) === "read-tree"
        ? Promise.resolve(failed("fatal: No space left on device"))
        : spawnGit(call),
    );
    const pool = await openPool({ ...it, root: worktreesOf(it.place) });
    await expect(pool.acquire(attempt("t1"), it.base)).rejects.toThrow(/No space left/);
    await pool.close();
    expect(sh(it.place, "git for-each-ref --format='%(refname)'; git worktree list | wc -l")).toBe(
      "refs/heads/main\n1",
    );
    expect(readdirSync(it.runDir)).toEqual(["shadow.git"]);
  });

  test("a used slot that cannot be set back is retired, and a fresh one takes its place", async () => {
    const it = await rig();
    const first = await it.pool.acquire(attempt("t1"), it.base);
    await it.pool.release(first);
    let cleans = 0;
    const faulty = through(it, (call) => {
      if (commandOf(call.argv) !== "clean") return spawnGit(call);
      cleans += 1;
      return Promise.resolve(failed("warning: failed to remove x: Operation not permitted"));
    });
    const pool = await openPool({ ...faulty, root: worktreesOf(it.place) });
    const second = await pool.acquire(attempt("t2"), it.base);
    expect(cleans).toBe(1);
    expect(second.slot.id).not.toBe(first.slot.id);
    expect(filesBelow(second.slot.path)).toEqual(SOME_FILES);
  });

  test("a used slot that says it is clean and is not is retired too", async () => {
    const it = await rig();
    const first = await it.pool.acquire(attempt("t1"), it.base);
    agent(it.place, first, "echo left > left.log");
    await it.pool.release(first);
    const faulty = through(it, (call) =>
      commandOf(call.argv) === "clean" ? Promise.resolve({ ...failed(""), code: 0 }) : spawnGit(call),
    );
    const pool = await openPool({ ...faulty, root: worktreesOf(it.place) });
    const second = await pool.acquire(attempt("t2"), it.base);
    expect(second.slot.id).not.toBe(first.slot.id);
    expect(filesBelow(second.slot.path)).toEqual(SOME_FILES);
  });

  test("objects pruned in the middle of a save are written again (I2)", async () => {
    const it = await rig();
    const lease = await it.pool.acquire(attempt("t1"), it.base);
    agent(it.place, lease, "echo precious > p.txt");
    let pruned = false;
    const faulty = through(it, async (call) => {
      const end = await spawnGit(call);
      if (commandOf(call.argv) === "write-tree" && !pruned) {
        pruned = true;
        sh(it.place, "git gc -q --prune=now");
      }
      return end;
    });
    const saved = await save(faulty, lease);
    expect(pruned).toBe(true);
    await pruneAll(it, lease);
    expect(has(it, `${saved.ref}:p.txt`)).toBe(true);
  });
});

describe("where refs are not files, git does what is otherwise done by hand", () => {
  test("worktrees, branches and logs", async () => {
    const place = tempRepo();
    const calm = await rig(place);
    const repository = { ...calm.repository, refStorage: "another" };
    const shadow = { ...calm.shadow, repository };
    const pool = await openPool({ ...calm, shadow, root: worktreesOf(place) });
    const it = { ...calm, repository, shadow, pool };
    const lease = await pool.acquire(attempt("t1"), it.base);
    expect(filesBelow(lease.slot.path)).toEqual(SOME_FILES);
    agent(
      place,
      lease,
      "git symbolic-ref HEAD | grep tasks/t1/1; git switch -q --detach; echo d > d; git add d; git commit -qm d; git switch -q -; echo s > a.txt; git stash -q; echo n > n",
    );
    const saved = await save(it, lease);
    expect(pathsOf(saved)).toEqual(["added n"]);
    expect(saved.tips.map(({ from }) => from).sort()).toEqual(["HEAD, earlier", "refs/stash"]);
    await pool.release(lease);
    const next = await pool.acquire(attempt("t2"), it.base);
    expect(next.slot.id).toBe(lease.slot.id);
    expect(agent(place, next, "git status --porcelain; git symbolic-ref HEAD")).toBe(
      "refs/heads/plait/r1/tasks/t2/1",
    );
    await pool.release(next);
    await pool.close();
    expect(sh(place, "git worktree list | wc -l").trim()).toBe("1");
  });
});
