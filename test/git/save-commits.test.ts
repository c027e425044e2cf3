import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attempted, has, pathsOf, pruneAll, save } from "./saving.ts";
import { agent, attempt, filesAt, isPrivate, rig, SOME_FILES, sh, tempRepo, usersThings } from "./support.ts";

const COMMIT = "git add -A; git commit -qm work; git rev-parse HEAD";

test("the attempt's own commits are the result where they descend from the base, leftovers one more (history: keep)", async () => {
  const it = await attempted(`echo 1 > one.txt; ${COMMIT}; echo 2 > two.txt`);
  expect(pathsOf(it.saved)).toEqual(["added one.txt", "added two.txt"]);
  expect(it.saved.tips).toEqual([]);
  expect(sh(it.place, `git log --format=%s ${it.base.commit}..${it.saved.result.commit}`)).toBe(
    "do it\nwork",
  );
  await pruneAll(it, it.lease);
  expect(has(it, it.printed)).toBe(true);
});

test("without leftovers the result is the attempt's last commit itself", async () => {
  const it = await attempted(`echo 1 > one.txt; ${COMMIT}`);
  expect(it.saved.result.commit).toBe(it.printed);
});

test("squashed it is one commit on the base, and the attempt's own commits are kept beside it (I2)", async () => {
  const it = await attempted(`echo 1 > one.txt; ${COMMIT}`, tempRepo(), { history: "squash" });
  expect(sh(it.place, `git rev-parse ${it.saved.result.commit}^@`)).toBe(it.base.commit);
  expect(it.saved.tips).toEqual([{ commit: it.printed, from: "HEAD" }]);
  await pruneAll(it, it.lease);
  expect(has(it, it.printed)).toBe(true);
});

describe("an attempt that does git on its own loses nothing (I2)", () => {
  const deeds: [string, string, string[]][] = [
    [
      "commits on another branch and stays there",
      `git switch -q -c own; echo 1 > one; ${COMMIT}`,
      ["added one"],
    ],
    [
      "commits on another branch and comes back",
      `git switch -q -c own; echo 1 > one; ${COMMIT}; git switch -q -`,
      [],
    ],
    [
      "commits on a detached HEAD and stays there",
      `git switch -q --detach; echo 1 > one; ${COMMIT}`,
      ["added one"],
    ],
    [
      "commits on a detached HEAD and leaves it behind",
      `git switch -q --detach; echo 1 > one; ${COMMIT}; git switch -q -`,
      [],
    ],
    [
      "amends the base",
      "echo 1 > one; git add -A; git commit -q --amend -m amended; git rev-parse HEAD",
      ["added one"],
    ],
    ["resets its own commit away", `echo 1 > one; ${COMMIT}; git reset -q --hard HEAD~1`, []],
    [
      "starts a history of its own",
      `git switch -q --orphan fresh; echo 1 > one; ${COMMIT}`,
      [
        "deleted .gitignore",
        "deleted a.txt",
        "deleted b.txt",
        "deleted dir/c.txt",
        "deleted dir/deep/d.txt",
        "added one",
      ],
    ],
    ["stashes", "echo 1 > one; git add one; git stash -q; git rev-parse refs/stash", []],
    [
      "stashes twice",
      "echo 1 > one; git add one; git stash -q; git rev-parse refs/stash; echo 2 > a.txt; git stash -q",
      [],
    ],
    [
      "leaves an autostash in the middle of a rebase",
      `echo 1 > a.txt; git commit -qam x; git switch -q -c o HEAD~1; echo 2 > a.txt; git commit -qam y; echo dirty > b.txt
      git rebase -q --autostash - >/dev/null 2>&1 || true; git checkout -q --theirs a.txt; cat $(git rev-parse --git-dir)/rebase-merge/autostash`,
      ["modified a.txt"],
    ],
    [
      "keeps a commit at a ref of the worktree's own",
      "c=$(git commit-tree -p HEAD -m x HEAD^{tree}); git update-ref refs/worktree/mine $c; echo $c",
      [],
    ],
    ["stashes untracked files", "echo 1 > one; git stash -q -u; git rev-parse refs/stash^3", []],
    [
      "tags a commit and resets",
      `echo 1 > one; ${COMMIT}; git tag -a -m t t1; git reset -q --hard HEAD~1`,
      [],
    ],
    [
      "deletes the branch with its commit",
      `git switch -q -c own; echo 1 > one; ${COMMIT}; git switch -q -; git branch -q -D own`,
      [],
    ],
    [
      "deletes its own reflog, and a branch has the commit",
      `echo 1 > one; ${COMMIT}; git branch keep; git reset -q --hard HEAD~1; git reflog expire --expire=all --all`,
      [],
    ],
    [
      "commits in a worktree of its own",
      `git worktree add -q -b w ../extra; cd ../extra; echo 1 > one; ${COMMIT}`,
      [],
    ],
    [
      "leaves a rebase half done",
      `echo 1 > a.txt; git commit -qam x; git switch -q -c o HEAD~1; echo 2 > a.txt; git commit -qam y; git rev-parse HEAD; git rebase -q - >/dev/null 2>&1 || true; git checkout -q --theirs a.txt`,
      ["modified a.txt"],
    ],
  ];

  test.each(deeds)("%s", async (_what, script, expected) => {
    const place = tempRepo();
    const users = sh(place, "git rev-parse main");
    const it = await attempted(script, place);
    expect(pathsOf(it.saved)).toEqual(expected);
    const made = it.printed.split("\n");
    for (const commit of made) expect(commit).toMatch(/^[0-9a-f]{40}$/);
    sh(
      place,
      `git for-each-ref --format='delete %(refname)' refs/heads refs/tags | grep -v -e /main$ -e heads/plait/ |
      git update-ref --no-deref --stdin`,
    );
    await pruneAll(it, it.lease);
    for (const commit of made) expect(has(it, commit)).toBe(true);
    expect(has(it, it.saved.ref)).toBe(true);
    expect(sh(place, "git rev-parse main")).toBe(users);
  });
});

test("what is staged and not in the files any more is saved, also the sides of a conflict (I2)", async () => {
  const it = await attempted(`git switch -q -c o; echo x > a.txt; git commit -qam x; git switch -q -
    echo y > a.txt; git commit -qam y; git merge -q o >/dev/null 2>&1 || true
    echo staged > s.txt; git add s.txt; git hash-object s.txt; rm s.txt`);
  const tip = it.saved.tips.find(({ from }) => from === "index");
  expect(tip).toBeDefined();
  const files = filesAt(it.place, tip?.commit ?? "");
  expect(files).toMatchObject({
    "index/s.txt": "staged\n",
    "stage1/a.txt": "a\n",
    "stage2/a.txt": "y\n",
    "stage3/a.txt": "x\n",
  });
  await pruneAll(it, it.lease);
  expect(has(it, it.printed.split("\n")[0] ?? "")).toBe(true);
});

test("of an index that cannot be read the rest is saved", async () => {
  const it = await attempted('echo n > n.txt; echo garbage > "$(git rev-parse --git-dir)/index"');
  expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
});

test.skipIf(isPrivate)("the user's branch moved by an attempt is saved and named (I2)", async () => {
  const it = await attempted(
    "echo 1 > one; git add -A; git commit -qm mine; git update-ref refs/heads/main HEAD; git rev-parse HEAD",
  );
  expect(it.saved.moved).toEqual([{ ref: "refs/heads/main", from: it.base.commit, to: it.printed }]);
});

test.skipIf(isPrivate)("a branch of the user deleted by an attempt is saved and named (I2)", async () => {
  const place = tempRepo();
  const lost = sh(
    place,
    "git switch -q -c precious; echo p > p; git add p; git commit -qm p; git rev-parse HEAD; git switch -q main",
  );
  const it = await attempted("git branch -q -D precious", place);
  expect(it.saved.moved).toEqual([{ ref: "refs/heads/precious", from: lost, to: null }]);
  await pruneAll(it, it.lease);
  expect(has(it, lost)).toBe(true);
});

describe("repositories inside (I2)", () => {
  const init = (dir: string) => `git init -q ${dir}; echo x > ${dir}/x`;
  const commit = (dir: string) =>
    `git -C ${dir} add -A; git -C ${dir} commit -qm nested; git -C ${dir} rev-parse HEAD`;

  test("without a commit: its files are in the tree", async () => {
    const it = await attempted(init("n"));
    expect(pathsOf(it.saved)).toEqual(["added n/x"]);
    expect(it.saved.leftBehind).toEqual([]);
  });

  test("with commits on several branches: files in the tree, commits at the saved ref", async () => {
    const it = await attempted(
      `${init("n")}; ${commit("n")}; git -C n switch -q -c two; echo 2 > n/y; ${commit("n")}; git -C n switch -q -; echo dirty > n/x`,
    );
    expect(pathsOf(it.saved)).toEqual(["added n/x"]);
    expect(filesAt(it.place, it.saved.ref)["n/x"]).toBe("dirty\n");
    await pruneAll(it, it.lease);
    for (const made of it.printed.split("\n")) expect(has(it, made)).toBe(true);
    expect(sh(it.place, "git for-each-ref refs/plait --format='%(refname)'")).toBe(it.saved.ref);
  });

  test("inside each other", async () => {
    const it = await attempted(`${init("n")}; ${commit("n")}; ${init("n/m")}; ${commit("n/m")}`);
    expect(pathsOf(it.saved)).toEqual(["added n/m/x", "added n/x"]);
    await pruneAll(it, it.lease);
    for (const made of it.printed.split("\n")) expect(has(it, made)).toBe(true);
  });

  test("added as a gitlink by the attempt: files, not a name that means nothing", async () => {
    const it = await attempted(`${init("n")}; ${commit("n")}; git add n 2>/dev/null; git commit -qm link`);
    expect(pathsOf(it.saved)).toEqual(["added n/x"]);
    expect(filesAt(it.place, it.saved.ref)).toEqual({ ...SOME_FILES, "n/x": "x\n" });
  });

  test("in the place of a tracked file", async () => {
    const it = await attempted(`rm a.txt; ${init("a.txt")}; ${commit("a.txt")}`);
    expect(pathsOf(it.saved).sort()).toEqual(["added a.txt/x", "deleted a.txt"]);
  });

  test("in the place of the worktree's own pointer", async () => {
    const it = await attempted(`rm -r .git; git init -q .; echo n > n.txt; ${commit(".")}`);
    expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
    await pruneAll(it, it.lease);
    expect(has(it, it.printed)).toBe(true);
  });

  test("one that cannot be fetched from stays, and is named", async () => {
    const it = await attempted(
      "git init -q src; git -C src commit -q --allow-empty -m 1; git -C src commit -q --allow-empty -m 2; git clone -q --depth 1 file://$PWD/src n; rm -rf src; echo x > n/x",
    );
    expect(it.saved.leftBehind).toMatchObject([
      { path: join(it.lease.slot.path, "n/"), why: "nested-history" },
    ]);
    expect(pathsOf(it.saved)).toEqual(["added n/x"]);
  });

  test("a submodule that was filled and worked in: its commit and its unsaved files", async () => {
    const place = tempRepo();
    sh(place, "git init -q -b main ../sub; cd ../sub; echo s > s; git add s; git commit -qm s");
    sh(place, "git -c protocol.file.allow=always submodule add -q ../sub sub; git commit -qm sub");
    const it = await attempted(
      `git -c protocol.file.allow=always submodule update -q --init; cd sub; echo 2 > two; git add two; git commit -qm two
      git rev-parse HEAD; echo dirty > s; echo new > new; git hash-object s new`,
      place,
    );
    expect(it.repository.hasSubmodules).toBe(true);
    expect(it.saved.paths).toEqual([{ path: "sub", change: "modified" }]);
    expect(it.saved.submodules).toMatchObject([{ path: "sub", isUncommitted: true, isPublished: false }]);
    // In the checkout's own repository of the submodule, where the landed pointer is looked up.
    await pruneAll(it, it.lease);
    sh(place, "git -C sub reflog expire --expire=now --all; git -C sub gc -q --prune=now");
    for (const made of it.printed.split("\n"))
      expect(sh(place, `git -C sub cat-file -t ${made}`)).toMatch(/commit|blob/);
  });

  test("a submodule that nobody filled is not taken for deleted", async () => {
    const place = tempRepo();
    sh(place, "git init -q -b main ../sub; git -C ../sub commit -q --allow-empty -m s");
    sh(place, "git -c protocol.file.allow=always submodule add -q ../sub sub; git commit -qm sub");
    const it = await attempted("echo n > n.txt", place);
    expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
    await it.pool.release(it.lease);
    const next = await it.pool.acquire(attempt("t2"), it.base);
    expect(next.slot.id).toBe(it.lease.slot.id);
  });
});

test("an attempt that merged a newer integration commit is measured from there, not from its base", async () => {
  const it = await rig();
  const others = sh(
    it.place,
    "git switch -q -c i; echo o > others.txt; git add -A; git commit -qm others; git rev-parse HEAD; git switch -q main",
  );
  sh(it.place, `git update-ref refs/heads/plait/r1/integration ${others}; git branch -q -D i`);
  const lease = await it.pool.acquire(attempt("t1"), it.base);
  agent(
    it.place,
    lease,
    `echo m > mine.txt; git add -A; git commit -qm mine; git merge -q --no-edit ${others}`,
  );
  for (const history of ["keep", "squash"] as const) {
    const saved = await save(it, lease, attempt("t1", history === "keep" ? 1 : 2), { history });
    expect(saved.since.commit).toBe(others);
    expect(pathsOf(saved)).toEqual(["added mine.txt"]);
  }
});

describe("the user's set-up does not stop a save (I2)", () => {
  test("hooks that refuse, signing that fails, no identity", async () => {
    const place = tempRepo();
    sh(
      place,
      `rm ~/.gitconfig; mkdir -p .git/hooks
      for h in pre-commit commit-msg reference-transaction post-index-change post-checkout; do printf '#!/bin/sh\\ntouch %s/ran-'$h'\\nexit 1\\n' '${place.root}' > .git/hooks/$h; chmod +x .git/hooks/$h; done
      git config commit.gpgsign true; git config gpg.program false; git config user.useConfigOnly true`,
    );
    const before = usersThings(place);
    const it = await attempted("echo n > n.txt", place);
    expect(pathsOf(it.saved)).toEqual(["added n.txt"]);
    expect(sh(place, `git log -1 --format='%an <%ae>' ${it.saved.result.commit}`)).toBe(
      "plait <plait@localhost>",
    );
    await it.pool.release(it.lease);
    await it.pool.close();
    expect(sh(place, `ls '${place.root}'`)).not.toContain("ran-");
    expect(usersThings(place)).toEqual(before);
  });

  test("a repository of SHA-256 names", async () => {
    const it = await attempted(
      `echo n > n.txt; git init -q --object-format=sha256 m; echo x > m/x`,
      tempRepo(SOME_FILES, "--object-format=sha256"),
    );
    expect(it.saved.result.commit).toHaveLength(64);
    expect(pathsOf(it.saved)).toEqual(["added m/x", "added n.txt"]);
  });

  test("a shallow clone", async () => {
    const place = tempRepo();
    sh(
      place,
      "git commit -q --allow-empty -m 2; git clone -q --depth 1 file://$PWD ../shallow; rm -rf ../repo; mv ../shallow ../repo",
    );
    const it = await attempted(`echo 1 > one; ${COMMIT}; echo 2 > two`, place);
    expect(pathsOf(it.saved)).toEqual(["added one", "added two"]);
  });
});

test("code that an attempt plants in config, hooks, attributes and filters is not run by plait", async () => {
  const place = tempRepo();
  const trap = `'touch ${place.root}/ran; cat'`;
  const it = await attempted(
    `c=$(git rev-parse --git-common-dir); mkdir -p $c/hooks $c/info
    for h in post-checkout reference-transaction post-index-change post-merge; do printf '#!/bin/sh\\ntouch ${place.root}/ran\\n' > $c/hooks/$h; chmod +x $c/hooks/$h; done
    git config core.fsmonitor ${trap}; git config filter.x.clean ${trap}; git config filter.x.smudge ${trap}; git config filter.x.process ${trap}
    git config diff.external ${trap}; git config core.hooksPath $c/hooks; echo '* filter=x' > $c/info/attributes; echo '* filter=x' > .gitattributes
    rm -f ${place.root}/ran; echo n > n.txt; rm -f ${place.root}/ran`,
    place,
  );
  expect(pathsOf(it.saved)).toEqual(["added .gitattributes", "added n.txt"]);
  await it.pool.release(it.lease);
  await it.pool.acquire(attempt("t2"), { ...it.saved.result });
  await it.pool.close();
  expect(sh(place, `ls '${place.root}'`)).not.toContain("ran");
});
