import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { oid } from "../../src/core/ids.ts";
import { keepChanges, restoreFile } from "../../src/git/restore.ts";
import { buildIt, landIt, landRig } from "./landing.ts";
import { sh, tempRepo, usersThings } from "./support.ts";

describe("refuses, names what is in the way, and leaves every byte of the user's as it was (I3)", () => {
  const inTheWay: [string, string, string[]][] = [
    ["an edited file", "echo mine > a.txt", ["a.txt"]],
    ["a staged file", "echo mine > a.txt; git add a.txt", ["a.txt"]],
    [
      "staged, and then made the same as what lands",
      "echo mine > a.txt; git add a.txt; echo landed > a.txt",
      ["a.txt"],
    ],
    ["an edit of a file that the run deletes", "echo mine > b.txt", ["b.txt"]],
    ["a file deleted by the user", "rm a.txt", ["a.txt"]],
    ["a staged deletion", "git rm -q a.txt", ["a.txt"]],
    ["an untracked file", "mkdir new; echo mine > new/n.txt", ["new/n.txt"]],
    ["an ignored file", "mkdir new; echo mine > new/n.txt; echo new/ > .git/info/exclude", ["new/n.txt"]],
    ["a file where a folder has to be", "echo mine > new", ["new"]],
    ["a link where a folder has to be", "mkdir ../other; ln -s ../other new", ["new"]],
    ["a folder where a file has to be", "mkdir -p new/n.txt; echo mine > new/n.txt/x", ["new/n.txt/x"]],
    [
      "an edit that git was told not to see",
      "git update-index --assume-unchanged a.txt; echo mine > a.txt",
      ["a.txt"],
    ],
    [
      "an edit hidden by skip-worktree",
      "git update-index --skip-worktree a.txt; echo mine > a.txt",
      ["a.txt"],
    ],
    ["a file of an odd name beside", "echo mine > a.txt; printf x > 'odd\nname'", ["a.txt"]],
  ];
  test.each(inTheWay)("%s", async (_what, script, files) => {
    const place = tempRepo();
    if (script.includes(".git/info")) sh(place, "mkdir -p .git/info; echo new/ > .git/info/exclude");
    const it = await landRig(place);
    sh(it.place, script);
    const before = usersThings(it.place);
    expect(await landIt(it)).toMatchObject({
      kind: "refused",
      why: "dirty",
      files,
      worktree: it.place.repo,
    });
    expect(usersThings(it.place)).toEqual(before);
    expect(existsSync(join(it.runDir, "landing.json"))).toBe(false);
  });

  const underWay: [string, string][] = [
    [
      "merge",
      "git switch -q -c o; echo o > dir/c.txt; git commit -qam o; git switch -q main; git merge -q --no-ff --no-commit o",
    ],
    [
      "cherry-pick",
      "git switch -q -c o; echo o > dir/c.txt; git commit -qam o; git switch -q main; echo m > dir/c.txt; git commit -qam m; git cherry-pick o >/dev/null 2>&1 || true",
    ],
    ["revert", "git revert --no-commit HEAD 2>/dev/null || true; touch .git/REVERT_HEAD"],
    [
      "rebase",
      "git commit -q --allow-empty -m 2; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1 2>/dev/null",
    ],
    ["bisect", "git bisect start -q"],
  ];
  test.each(underWay)("a %s under way", async (operation, script) => {
    const it = await landRig();
    sh(it.place, script);
    const before = usersThings(it.place);
    const target = sh(it.place, "git rev-parse main");
    // A target that moved meanwhile is looked at before its worktree is: join first.
    const to =
      operation === "cherry-pick" || operation === "rebase"
        ? {
            ...it.to,
            commit: oid(sh(it.place, `git commit-tree -p main -p ${it.to.commit} -m j main^{tree}`)),
          }
        : it.to;
    expect(await landIt(it, { to })).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/busy|dirty/),
    });
    expect(usersThings(it.place)).toEqual(before);
    expect(sh(it.place, "git rev-parse main")).toBe(target);
  });

  test("a rebase of the target in another worktree, whose HEAD is detached meanwhile", async () => {
    const it = await landRig();
    sh(
      it.place,
      "git switch -q -c other; git worktree add -q ../linked main; cd ../linked; git commit -q --allow-empty -m 2; git reset -q --hard HEAD~1; mkdir $(git rev-parse --git-dir)/rebase-merge; echo refs/heads/main > $(git rev-parse --git-dir)/rebase-merge/head-name; git checkout -q --detach",
    );
    expect(await landIt(it)).toMatchObject({
      kind: "refused",
      why: "busy",
      detail: expect.stringMatching(/rebase of main is in progress in .*linked/),
    });
  });

  test("unmerged paths", async () => {
    const it = await landRig();
    sh(
      it.place,
      "git switch -q -c o; echo o > dir/c.txt; git commit -qam o; git switch -q -c m main; echo m > dir/c.txt; git commit -qam m; git branch -qf main m; git switch -q main 2>/dev/null; git merge -q o >/dev/null 2>&1 || true; rm .git/MERGE_*",
    );
    const onto = oid(sh(it.place, "git rev-parse main"));
    const joined = await buildIt(it, { onto });
    if (joined.kind !== "built") throw new Error("no conflict was expected");
    const before = usersThings(it.place);
    expect(await landIt(it, { to: joined.result })).toMatchObject({
      kind: "refused",
      why: "busy",
      detail: expect.stringMatching(/unmerged/),
    });
    expect(usersThings(it.place)).toEqual(before);
  });

  test("a target that is checked out twice", async () => {
    const it = await landRig();
    sh(it.place, "git worktree add -q -f ../linked main");
    expect(await landIt(it)).toMatchObject({
      kind: "refused",
      why: "busy",
      files: [it.place.repo, join(it.place.root, "linked")],
    });
  });

  test("somebody else's index.lock, which is waited for, described and never removed", async () => {
    const it = await landRig();
    const lock = join(it.place.repo, ".git/index.lock");
    writeFileSync(lock, "");
    const landing = await landIt(it, { waitMs: 300 });
    expect(landing).toMatchObject({
      kind: "refused",
      why: "busy",
      detail: expect.stringMatching(
        /index\.lock is \d+ s old, and no process has it open\. .*remove it: rm \S+index\.lock\./,
      ),
    });
    expect(existsSync(lock)).toBe(true);
    setTimeout(() => sh(it.place, "rm .git/index.lock"), 300);
    expect(await landIt(it, { waitMs: 5000 })).toMatchObject({ kind: "landed" });
  });

  test("no target: HEAD was detached", async () => {
    const it = await landRig();
    expect(await landIt(it, { target: null })).toMatchObject({
      kind: "refused",
      why: "no-target",
    });
  });

  test("a target that is gone, with the name that it has now", async () => {
    const it = await landRig();
    sh(it.place, "git branch -m main trunk");
    expect(await landIt(it)).toMatchObject({
      kind: "refused",
      why: "moved",
      detail: "Branch main was renamed to trunk",
    });
    expect(sh(it.place, "git branch --list main")).toBe("");
  });

  test("hooks or config planted since the start, by name, until they are restored", async () => {
    const it = await landRig();
    sh(
      it.place,
      `mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ${it.place.root}/ran\\n' > .git/hooks/post-merge; chmod +x .git/hooks/post-merge; git config core.fsmonitor x`,
    );
    const landing = await landIt(it);
    expect(landing).toMatchObject({
      ...{ kind: "refused", why: "config" },
      detail: expect.stringMatching(/config \(changed\), \S+post-merge \(added\)\. .*plait restore r1/),
    });
    for (const one of await keepChanges(it.shadow, it))
      await restoreFile(one, { keptIn: it.keptIn, force: false, dryRun: false });
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(existsSync(join(it.place.root, "ran"))).toBe(false);
  });

  test("names that the user's file system takes for one", async () => {
    const place = tempRepo();
    sh(place, "git config core.ignoreCase true");
    const it = await landRig(place, "echo 1 > new; echo 2 > NEW; git -c core.ignoreCase=false add -A");
    expect(await landIt(it)).toMatchObject({ kind: "refused", why: "conflict", files: ["NEW and new"] });
  });
});
