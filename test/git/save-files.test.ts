import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AT, attempted, has, pathsOf, pruneAll, save } from "./saving.ts";
import {
  agent,
  attempt,
  filesAt,
  filesBelow,
  isPrivate,
  rig,
  SOME_FILES,
  sh,
  tempRepo,
  usersThings,
} from "./support.ts";

test("edits, deletions and new files are one commit on the base, reachable at the saved ref (I2)", async () => {
  const it = await attempted("echo new > a.txt; rm b.txt; mkdir sub; echo s > sub/s.txt; echo x > x.log");
  const { saved, base, place } = it;
  expect(saved).toMatchObject({
    ref: "refs/plait/r1/t1/1",
    since: base,
    changed: true,
    tips: [],
    leftBehind: [],
  });
  expect(pathsOf(saved)).toEqual(["modified a.txt", "deleted b.txt", "added sub/s.txt"]);
  expect(saved.ignored).toBe(1);
  await pruneAll(it, it.lease);
  const { "b.txt": _, ...others } = SOME_FILES;
  expect(filesAt(place, saved.ref)).toEqual({ ...others, "a.txt": "new\n", "sub/s.txt": "s\n" });
  expect(sh(place, `git rev-parse ${saved.ref}^1 ${saved.ref}^1^`)).toBe(
    `${saved.result.commit}\n${base.commit}`,
  );
  expect(sh(place, `git log -1 --format='%an %ae %at%n%B' ${saved.result.commit}`)).toBe(
    `User user@example.com ${AT / 1000}\ndo it\n\nPlait-Run: r1\nPlait-Task: t1\nPlait-Attempt: 1\n`,
  );
});

test("an attempt that left nothing has its ref all the same, and its result is the base", async () => {
  const { saved, base } = await attempted("true");
  expect(saved).toMatchObject({ result: base, changed: false, paths: [], tips: [] });
});

test("saving again gives the same names, so a save that was cut off is simply done again (I2, I4)", async () => {
  const it = await attempted(
    "echo new > a.txt; git switch -q --detach; echo d > d; git add d; git commit -qm d; git switch -q -",
  );
  const refs = () => sh(it.place, "git for-each-ref");
  const before = refs();
  expect(await save(it, it.lease)).toEqual(it.saved);
  expect(refs()).toBe(before);
  sh(it.place, `git update-ref -d ${it.saved.ref}`);
  expect((await save(it, it.lease)).saved).toBe(it.saved.saved);
});

test("a save of more than the last try had keeps what that one had (I2)", async () => {
  const it = await attempted("echo one > one.txt");
  agent(it.place, it.lease, "rm one.txt; echo two > two.txt");
  const again = await save(it, it.lease);
  expect(again.saved).not.toBe(it.saved.saved);
  await pruneAll(it, it.lease);
  expect(has(it, `${it.saved.saved}:one.txt`)).toBe(true);
  expect(has(it, `${again.ref}:two.txt`)).toBe(true);
});

test("nothing of the user's is touched by worktrees and saves (I3)", async () => {
  const place = tempRepo();
  sh(
    place,
    "echo staged > s; git add s; echo dirty > a.txt; echo stash > b.txt; git stash -q; git stash apply -q --index; echo u > u",
  );
  const before = usersThings(place);
  const it = await attempted("echo new > a.txt; git add -A; git commit -qm mine", place);
  await it.pool.release(it.lease);
  await it.pool.close();
  sh(place, "git worktree prune"); // the metadata folder of git, if it is left empty
  expect(usersThings(place)).toEqual(before);
});

test("odd names are in the tree byte for byte, and links are links (I2)", async () => {
  const names = [
    "new\nline",
    "tab\there",
    " lead",
    "-dash",
    ":(top)x",
    "*",
    "back\\slash",
    'quo"te',
    "ä",
    "x".repeat(255),
  ];
  const { saved, place, lease } = await attempted(
    `${names.map((name, i) => `printf %s ${i} > './${name.replaceAll("'", "'\\''")}'`).join("; ")}
    printf bytes > "$(printf './\\377\\376')"; ln -s /etc/passwd link; ln -s missing dangling; ln -s dir loop; chmod +x b.txt`,
  );
  expect(saved.leftBehind).toEqual([]);
  expect(saved.paths.map(({ path }) => path)).toEqual(
    expect.arrayContaining([...names, "\\xff\\xfe", "link", "dangling", "loop", "b.txt"]),
  );
  const copy = `${lease.slot.path}-copy`;
  sh(
    place,
    `mkdir '${copy}'; git --work-tree='${copy}' read-tree --index-output=/dev/null ${saved.ref} 2>/dev/null || true
    GIT_INDEX_FILE='${copy}.index' git --work-tree='${copy}' read-tree --reset -u ${saved.ref}`,
  );
  expect(filesBelow(copy)).toEqual(filesBelow(lease.slot.path));
  expect(sh(place, `git ls-tree ${saved.ref} b.txt link`).replace(/ [0-9a-f]{40}/g, "")).toBe(
    "100755 blob\tb.txt\n120000 blob\tlink",
  );
});

describe("changes of type", () => {
  test.each([
    ["file to folder", "rm a.txt; mkdir a.txt; echo x > a.txt/x", ["deleted a.txt", "added a.txt/x"]],
    [
      "folder to file",
      "rm -r dir; echo x > dir",
      ["added dir", "deleted dir/c.txt", "deleted dir/deep/d.txt"],
    ],
    [
      "folder to link, files seen through it and changed",
      "mv dir x; ln -s x dir; echo y > x/c.txt",
      ["added dir", "deleted dir/c.txt", "deleted dir/deep/d.txt", "added x/c.txt", "added x/deep/d.txt"],
    ],
    ["file to link", "ln -sf b.txt a.txt", ["modified a.txt"]],
  ])("%s", async (_what, script, expected) => {
    const { saved, place, lease } = await attempted(script);
    expect(pathsOf(saved).sort()).toEqual(expected.sort());
    expect(saved.leftBehind).toEqual([]);
    expect(Object.keys(filesAt(place, saved.ref)).sort()).toEqual(
      Object.keys(filesBelow(lease.slot.path)).sort(),
    );
  });
});

test("an edit in the second of the checkout, of the same size, is seen", async () => {
  const it = await rig();
  const lease = await it.pool.acquire(attempt("t1"), it.base);
  writeFileSync(join(lease.slot.path, "a.txt"), "A\n");
  expect(pathsOf(await save(it, lease))).toEqual(["modified a.txt"]);
});

test("an edit in the second of the checkout is seen later too, with size and time of the file as they were", async () => {
  const it = await rig();
  let lease = await it.pool.acquire(attempt("t1"), it.base);
  for (let n = 2; ; n += 1) {
    const path = join(lease.slot.path, "a.txt");
    const before = statSync(path);
    writeFileSync(path, "A\n");
    utimesSync(path, before.atime, before.mtime);
    if (Math.floor(statSync(path).ctimeMs / 1000) === Math.floor(before.ctimeMs / 1000)) break;
    lease = await it.pool.acquire(attempt("t1", n), it.base); // the second was over
  }
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(pathsOf(await save(it, lease))).toEqual(["modified a.txt"]);
});

test("what exceeds the size limit is named and not removed, the rest is saved (I2)", async () => {
  const script = "head -c 5000 /dev/zero > big.bin; head -c 3000 /dev/zero > a.txt; echo small > small.txt";
  const { saved, place } = await attempted(script, tempRepo(), { maxBytes: 4000 });
  expect(saved.leftBehind).toEqual([{ path: "big.bin", why: "too-large", bytes: 5000 }]);
  expect(pathsOf(saved)).toEqual(["modified a.txt", "added small.txt"]);
  const less = await attempted(script, tempRepo(), { maxBytes: 1000 });
  expect(less.saved.leftBehind.map(({ path }) => path).sort()).toEqual(["a.txt", "big.bin"]);
  expect(filesAt(less.place, less.saved.ref)["a.txt"]).toBe("a\n");
  expect(place.repo).not.toBe(less.place.repo);
});

test("names that git never takes are left behind and named, the rest is saved (I2)", async () => {
  const { saved } = await attempted("mkdir .GIT; echo x > .GIT/x; echo y > git~1; echo z > fine.txt");
  expect(saved.leftBehind.map(({ path, why }) => `${why} ${path}`).sort()).toEqual([
    "refused-name .GIT/x",
    "refused-name git~1",
  ]);
  expect(pathsOf(saved)).toEqual(["added fine.txt"]);
});

test("pipes and sockets are skipped, everything beside them is saved", async () => {
  const { saved } = await attempted("mkfifo pipe; echo x > x.txt");
  expect(pathsOf(saved)).toEqual(["added x.txt"]);
});

describe("an attempt that broke its own worktree (I2)", () => {
  const deeds: [string, string][] = [
    ["index.lock left", 'echo n > n.txt; touch "$(git rev-parse --git-dir)/index.lock"'],
    ["its index is garbage", 'echo n > n.txt; echo garbage > "$(git rev-parse --git-dir)/index"'],
    ["its .git file deleted", "echo n > n.txt; rm -r .git"],
    [
      "its .git file points to the user's repository",
      'echo n > n.txt; echo "gitdir: $(git rev-parse --git-common-dir)" > x; rm -r .git; mv x .git',
    ],
    ["its metadata deleted", 'echo n > n.txt; rm -rf "$(git rev-parse --git-dir)"'],
    ["metadata and .git deleted", 'echo n > n.txt; rm -rf "$(git rev-parse --git-dir)" .git'],
  ];
  test.each(deeds)("%s", async (_what, script) => {
    const { saved, place } = await attempted(script);
    expect(pathsOf(saved)).toEqual(["added n.txt"]);
    expect(filesAt(place, saved.ref)).toEqual({ ...SOME_FILES, "n.txt": "n\n" });
  });

  test.skipIf(isPrivate)("the worktree deleted: what it committed is the result", async () => {
    const it = await attempted(
      'echo n > n.txt; git add n.txt; git commit -qm n; echo lost > m; rm -rf "$PWD"',
    );
    expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
  });

  test.skipIf(isPrivate)(
    "the worktree removed by git itself, metadata and all: its branch has what it committed",
    async () => {
      const it = await attempted(
        'echo n > n.txt; git add n.txt; git commit -qm n; git worktree remove -f -f "$PWD"',
      );
      expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
    },
  );

  test("the worktree deleted, nothing committed: nothing was changed", async () => {
    const { saved, base } = await attempted('echo n > n.txt; rm -rf "$PWD"');
    expect(saved).toMatchObject({ changed: false, result: base });
  });

  test("the worktree replaced by a link: what is behind it is not the result", async () => {
    const { saved } = await attempted(
      'd=$PWD; mkdir "$d-other"; echo x > "$d-other/x"; rm -rf "$d"; ln -s "$d-other" "$d"',
    );
    expect(saved).toMatchObject({ changed: false });
  });
});

test("sparse rules of the attempt's own do not delete what they hide", async () => {
  const { saved } = await attempted(
    "git sparse-checkout set --no-cone '/a.txt' '/new.txt' 2>/dev/null; echo x > a.txt; echo n > new.txt",
  );
  expect(pathsOf(saved)).toEqual(["modified a.txt", "added new.txt"]);
});

test("in the user's sparse repository a worktree is whole and nothing is taken for deleted", async () => {
  const place = tempRepo();
  sh(place, "git sparse-checkout set --no-cone '/a.txt'");
  const { saved, lease } = await attempted("echo n > n.txt", place);
  expect(pathsOf(saved)).toEqual(["added n.txt"]);
  expect(filesBelow(lease.slot.path)).toEqual({ ...SOME_FILES, "n.txt": "n\n" });
});

test("without the private index the save is slower and the same", async () => {
  const it = await rig();
  const lease = await it.pool.acquire(attempt("t1"), it.base);
  agent(it.place, lease, "echo n > n.txt; rm b.txt");
  rmSync(lease.slot.index);
  expect(pathsOf(await save(it, lease))).toEqual(["deleted b.txt", "added n.txt"]);
});

test("line ends and filters of the user hold in worktrees and saves", async () => {
  const place = tempRepo({
    ...SOME_FILES,
    ".gitattributes": "*.txt text\n*.up -text filter=up\n",
    "x.up": "HELLO\n",
  });
  sh(
    place,
    "git config core.autocrlf true; git config filter.up.smudge 'tr A-Z a-z'; git config filter.up.clean 'tr a-z A-Z'",
  );
  const { saved, lease } = await attempted("printf 'n\\r\\n' > n.txt; echo more >> x.up", place);
  expect(filesBelow(lease.slot.path)["x.up"]).toBe("hello\nmore\n");
  expect(filesBelow(lease.slot.path)["a.txt"]).toBe("a\r\n");
  expect(pathsOf(saved)).toEqual(["added n.txt", "modified x.up"]);
  expect(filesAt(place, saved.ref)).toMatchObject({ "n.txt": "n\n", "x.up": "HELLO\nMORE\n" });
});
