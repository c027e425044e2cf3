import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPool } from "../../src/git/pool.ts";
import {
  agent,
  attempt,
  commitFiles,
  filesBelow,
  ISOLATION,
  isPrivate,
  rig,
  SOME_FILES,
  sh,
  tempRepo,
  usersThings,
  worktreesOf,
} from "./support.ts";

test("a worktree has exactly the files of its base, and stands on a branch of the attempt's own (I11)", async () => {
  const { place, pool, base } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  expect(filesBelow(lease.slot.path)).toEqual(SOME_FILES);
  expect(agent(place, lease, "git status --porcelain; git symbolic-ref HEAD; git rev-parse HEAD")).toBe(
    `refs/heads/plait/r1/tasks/t1/1\n${base.commit}`,
  );
  expect(lease.slot.path).toMatch(new RegExp(`^${worktreesOf(place)}/repo-[0-9a-f]{8}/r1/t1$`));
});

test("a dependent's worktree is cut at the base it is given, not at the user's HEAD (I11)", async () => {
  const { place, pool } = await rig();
  const later = commitFiles(place, { "need.txt": "merged work\n" }, "later");
  sh(place, "git reset -q --hard HEAD~1");
  const lease = await pool.acquire(attempt("t1"), later);
  expect(filesBelow(lease.slot.path)).toEqual({ ...SOME_FILES, "need.txt": "merged work\n" });
});

test("a task has one path for the whole run, and its slot serves another task afterwards", async () => {
  const { pool, base, repository } = await rig();
  const first = await pool.acquire(attempt("t1", 1), base);
  await pool.release(first);
  const again = await pool.acquire(attempt("t1", 2), base);
  expect(again.slot).toEqual(first.slot);
  await pool.release(again);
  const other = await pool.acquire(attempt("t2"), base);
  expect(other.slot.id).toBe(first.slot.id);
  expect(other.slot.path).toMatch(/\/t2$/);
  const known = isPrivate ? [] : [first.slot.id];
  expect(readdirSync(repository.commonDir).includes("worktrees") ? known : []).toEqual(known);
});

test("two attempts of one task at once have a path each", async () => {
  const { pool, base } = await rig();
  const [a, b] = await Promise.all([
    pool.acquire(attempt("t1", 1), base),
    pool.acquire(attempt("t1", 2), base),
  ]);
  expect([a?.slot.path, b?.slot.path].map((path) => path?.split("/").at(-1)).sort()).toEqual(["t1", "t1@2"]);
});

describe("a slot is set back to exactly its base, whatever the last attempt did there", () => {
  const deeds: Record<string, string> = {
    "edits, deletes, adds": "echo x > a.txt; rm b.txt; echo new > new.txt; mkdir sub; echo y > sub/y",
    "ignored files": "echo x > x.log; mkdir build; echo x > build/out",
    "executable bits": "chmod +x a.txt",
    "file to folder": "rm a.txt; mkdir a.txt; echo x > a.txt/x",
    "folder to file": "rm -r dir; echo x > dir",
    "folder to link": "mv dir x; ln -s x dir",
    "link to an outside folder":
      "mkdir ../outside; echo keep > ../outside/keep; rm -r dir; ln -s ../outside dir",
    "skip-worktree and assume-unchanged":
      "git update-index --skip-worktree a.txt; git update-index --assume-unchanged b.txt; echo x > a.txt; echo x > b.txt",
    "a nested repository":
      "git init -q nested; cd nested; echo x > x; git add x; git -c user.name=a -c user.email=a commit -qm x",
    "a repository inside a tracked folder": "git init -q dir; echo x > dir/c.txt",
    "pipes and read-only folders": "mkfifo pipe; mkdir ro; echo x > ro/x; chmod 555 ro; chmod 555 dir",
    "locks left behind":
      'touch "$(git rev-parse --git-dir)/index.lock" "$(git rev-parse --git-dir)/HEAD.lock"',
    "a bisect under way": "git bisect start -q; git bisect bad HEAD",
    "sparse rules": "git sparse-checkout set --no-cone '/a.txt'",
    "its own branch and commits":
      "git switch -q -c own; echo x > a.txt; git commit -qam own; git switch -q --orphan o; echo x > o; git add o; git commit -qm o",
    "a deleted .git": "rm -r .git; echo x > a.txt",
    "a .git of its own": "rm -r .git; git init -q .; git add -A; git commit -qm mine",
    "a deleted worktree": 'rm -rf "$PWD"',
    "an edit in the second of the checkout, of the same size": "echo X > a.txt",
    "a staged gitlink": "git init -q sub; git -C sub commit -q --allow-empty -m x; git add sub 2>/dev/null",
  };

  test.each(Object.entries(deeds))("%s", async (_what, script) => {
    const { place, pool, base } = await rig();
    const first = await pool.acquire(attempt("t1"), base);
    agent(place, first, script);
    await pool.release(first);
    const second = await pool.acquire(attempt("t2"), base);
    expect(second.slot.id).toBe(first.slot.id); // it was set back, not replaced
    expect(filesBelow(second.slot.path)).toEqual(SOME_FILES);
    expect(statSync(join(second.slot.path, "a.txt")).mode & 0o111).toBe(0);
    const metadata = isPrivate
      ? ["HEAD", "config", "index", "info", "locked", "objects", "packed-refs", "refs"]
      : ["HEAD", "commondir", "gitdir", "index", "locked", "refs"];
    expect(readdirSync(second.slot.metadata).sort()).toEqual(metadata);
    expect(readdirSync(join(second.slot.metadata, "refs"))).toEqual([]);
    expect(
      agent(place, second, "git status --porcelain --ignored; git symbolic-ref HEAD; git stash list"),
    ).toBe("refs/heads/plait/r1/tasks/t2/1");
  });

  test("nothing outside is deleted through a link in the worktree's place", async () => {
    const { place, pool, base } = await rig();
    const first = await pool.acquire(attempt("t1"), base);
    const outside = `${first.slot.path}-outside`;
    agent(
      place,
      first,
      `mkdir '${outside}'; echo keep > '${outside}/keep'; rm -rf "$PWD"; ln -s '${outside}' '${first.slot.path}'`,
    );
    await pool.release(first);
    const second = await pool.acquire(attempt("t1", 2), base);
    expect(filesBelow(second.slot.path)).toEqual(SOME_FILES);
    expect(filesBelow(outside)).toEqual({ keep: "keep\n" });
  });

  test("metadata that the agent deleted is made anew", async () => {
    const { place, pool, base } = await rig();
    const first = await pool.acquire(attempt("t1"), base);
    agent(place, first, 'd=$(git rev-parse --git-dir); echo x > a.txt; rm -rf "$d"');
    await pool.release(first);
    const second = await pool.acquire(attempt("t2"), base);
    expect(filesBelow(second.slot.path)).toEqual(SOME_FILES);
    expect(agent(place, second, "git status --porcelain")).toBe("");
  });
});

test("folders that may stay keep their files, and nothing else does", async () => {
  const { place, shadow, base, run, runDir } = await rig(
    tempRepo({ ...SOME_FILES, ".gitignore": "node_modules/\n" }),
  );
  const pool = await openPool({
    shadow,
    run,
    runDir,
    root: worktreesOf(place),
    isolation: ISOLATION,
    keep: ["node_modules"],
  });
  const first = await pool.acquire(attempt("t1"), base);
  agent(
    place,
    first,
    "mkdir -p node_modules/x dir/node_modules; echo 1 > node_modules/x/i.js; echo 2 > dir/node_modules/y",
  );
  await pool.release(first);
  const second = await pool.acquire(attempt("t2"), base);
  expect(second.slot.id).toBe(first.slot.id);
  expect(filesBelow(second.slot.path)).toEqual({
    ...SOME_FILES,
    ".gitignore": "node_modules/\n",
    "node_modules/x/i.js": "1\n",
  });
});

test("sixteen worktrees at once are all right, and the user's things stay as they were (I3)", async () => {
  const { place, pool, base } = await rig();
  const before = usersThings(place);
  const names = Array.from({ length: 16 }, (_, i) => `t${i}`);
  for (let round = 1; round <= 2; round += 1) {
    const leases = await Promise.all(names.map((name) => pool.acquire(attempt(name, round), base)));
    expect(new Set(leases.map(({ slot }) => slot.path)).size).toBe(16);
    for (const lease of leases) expect(filesBelow(lease.slot.path)).toEqual(SOME_FILES);
    expect(sh(place, "git worktree list | wc -l").trim()).toBe(isPrivate ? "1" : "17");
    await Promise.all(leases.map((lease) => pool.release(lease)));
  }
  await pool.close();
  expect(usersThings(place)).toEqual(before);
});

test("two runs side by side have worktrees of their own, and closing one leaves the other alone (I6)", async () => {
  const place = tempRepo();
  const [one, two] = [await rig(place, "r1"), await rig(place, "r2")];
  const [a, b] = await Promise.all([
    one.pool.acquire(attempt("t"), one.base),
    two.pool.acquire(attempt("t"), two.base),
  ]);
  expect(a.slot.path).not.toBe(b.slot.path);
  await one.pool.release(a);
  await one.pool.close();
  expect(agent(place, b, "git status --porcelain; git symbolic-ref HEAD")).toBe(
    "refs/heads/plait/r2/tasks/t/1",
  );
});

test("after the pool is closed nothing of it is left (I8)", async () => {
  const { place, pool, base, repository, runDir } = await rig();
  const leases = await Promise.all(["t1", "t2"].map((name) => pool.acquire(attempt(name), base)));
  agent(place, leases[0]!, "mkdir ro; echo x > ro/x; chmod 555 ro");
  for (const lease of leases) await pool.release(lease);
  await pool.close();
  expect(readdirSync(worktreesOf(place))).toEqual([]);
  expect(readdirSync(repository.commonDir)).not.toContain("worktrees");
  expect(readdirSync(runDir)).toEqual(["shadow.git"]);
});

test("a worktree with work that could not be saved is moved aside, works there, and outlives the pool (I2)", async () => {
  const { place, pool, base } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  agent(place, lease, "echo huge > huge.bin");
  const path = await pool.keep(lease, "t1/1");
  const retry = await pool.acquire(attempt("t1", 2), base);
  expect(retry.slot.path).toBe(lease.slot.path);
  await pool.release(retry);
  await pool.close();
  expect(pool.kept).toEqual([path]);
  expect(sh(place, "git status --porcelain", path)).toBe("?? huge.bin");
});

test("one that was to be moved aside when its driver was killed is found, moved, and saved from there (I2, I4)", async () => {
  const { place, pool, base, shadow, run, runDir } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  agent(place, lease, "echo huge > huge.bin");
  const { slot } = lease;
  const path = join(pool.folder, ".kept", "t1-1");
  const record = {
    state: "kept",
    lease: { ...lease, slot: { ...slot, path, metadata: isPrivate ? join(path, ".git") : slot.metadata } },
  }; // written; the move never came
  writeFileSync(join(runDir, "slots", `${slot.id}.json`), JSON.stringify(record));
  const next = await openPool({ shadow, run, runDir, root: worktreesOf(place), isolation: ISOLATION });
  expect(sh(place, "git status --porcelain", path)).toBe("?? huge.bin");
  const found = next.leaseOf(attempt("t1"));
  expect(found?.slot.path).toBe(path);
  expect(await next.keep(found!, "t1/1")).toBe(path);
  await next.close();
  expect(readFileSync(join(path, "huge.bin"), "utf8")).toBe("huge\n");
});

test("a new driver finds the leases of a killed one, with their files as they were (I2, I4)", async () => {
  const { place, pool, base, shadow, run, runDir } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  await pool.release(await pool.acquire(attempt("t2"), base));
  agent(place, lease, "echo work > work.txt");
  const next = await openPool({ shadow, run, runDir, root: worktreesOf(place), isolation: ISOLATION });
  expect(next.found).toEqual([lease]);
  expect(readFileSync(join(lease.slot.path, "work.txt"), "utf8")).toBe("work\n");
  const other = await next.acquire(attempt("t3"), base);
  expect(other.slot.id).not.toBe(lease.slot.id);
});

test("what lies where a worktree is to be is never overwritten (I2)", async () => {
  const { place, pool, base } = await rig();
  const first = await pool.acquire(attempt("t1"), base);
  const path = join(first.slot.path, "../t2");
  sh(place, `mkdir '${path}'; echo mine > '${path}/mine'`);
  const lease = await pool.acquire(attempt("t2"), base);
  expect(filesBelow(lease.slot.path)).toEqual(SOME_FILES);
  expect(readFileSync(`${path}~1/mine`, "utf8")).toBe("mine\n");
});

test("metadata without a record, left by a killed driver, is taken out of git's books (I8)", async () => {
  const { place, pool, base, shadow, run, runDir } = await rig();
  const lease = await pool.acquire(attempt("t1"), base);
  sh(place, `rm '${runDir}'/slots/*.json`);
  await openPool({ shadow, run, runDir, root: worktreesOf(place), isolation: ISOLATION });
  expect(sh(place, "git worktree list | wc -l").trim()).toBe("1");
  expect(filesBelow(lease.slot.path)).toEqual(SOME_FILES); // whatever it is, it is not deleted
});
