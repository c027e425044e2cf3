import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { landIt, landRig, status, WORK } from "./landing.ts";
import { filesBelow, SOME_FILES, sh, tempRepo, usersThings } from "./support.ts";

const { "b.txt": _, ...REST } = SOME_FILES;
const LANDED = { ...REST, "a.txt": "landed\n", "new/n.txt": "n\n" };

describe("lands", () => {
  test("on the branch that is checked out and clean: branch, index and files", async () => {
    const it = await landRig();
    expect(await landIt(it)).toEqual({ kind: "landed", from: it.base.commit, to: it.to, notes: [] });
    expect(filesBelow(it.place.repo)).toEqual(LANDED);
    expect(status(it.place)).toBe("");
    expect(
      sh(
        it.place,
        "git rev-parse main; git symbolic-ref HEAD; git rev-parse ORIG_HEAD; git log -g -1 --format=%gs",
      ),
    ).toBe(`${it.to.commit}\nrefs/heads/main\n${it.base.commit}\nplait: land r1`);
    expect(readdirSync(join(it.place.repo, ".git")).filter((name) => /lock|plait-/.test(name))).toEqual([]);
    expect(await landIt(it)).toMatchObject({ kind: "landed" }); // once more changes nothing
  });

  test.each([
    ["edited", "echo mine > dir/c.txt", " M dir/c.txt"],
    ["staged", "echo mine > dir/c.txt; git add .", "M  dir/c.txt"],
    ["staged and edited", "echo mine > dir/c.txt; git add .; echo more >> dir/c.txt", "MM dir/c.txt"],
    ["added", "echo mine > mine.txt; git add .", "A  mine.txt"],
    ["intent to add", "echo mine > mine.txt; git add -N .", " A mine.txt"],
    ["untracked", "echo mine > mine.txt", "?? mine.txt"],
    ["deleted", "rm dir/c.txt", " D dir/c.txt"],
  ])(
    "around the user's own changes elsewhere, which stay as they were: %s",
    async (_what, script, expected) => {
      const it = await landRig();
      sh(it.place, script);
      const own = filesBelow(it.place.repo);
      expect(await landIt(it)).toMatchObject({ kind: "landed" });
      expect(status(it.place)).toBe(expected);
      const { "b.txt": _b, ...others } = own;
      expect(filesBelow(it.place.repo)).toEqual({ ...others, "a.txt": "landed\n", "new/n.txt": "n\n" });
    },
  );

  test.each([
    ["edited", "echo landed > a.txt"],
    ["staged", "echo landed > a.txt; git add a.txt"],
    ["untracked", "mkdir new; echo n > new/n.txt"],
    ["deleted", "rm b.txt"],
    ["times only", "touch -d '2 hours ago' a.txt b.txt"],
    ["an empty folder in the way", "mkdir -p new/n.txt"],
  ])("where the user has the same already: %s", async (_what, script) => {
    const it = await landRig();
    sh(it.place, script);
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(status(it.place)).toBe("");
    expect(filesBelow(it.place.repo)).toEqual(LANDED);
  });

  test("on a branch that is checked out nowhere: only the ref moves", async () => {
    const it = await landRig();
    sh(it.place, "git switch -q -c other; echo mine > a.txt");
    const { "refs/heads/main": _m, "logs/refs/heads/main": _l, ...before } = usersThings(it.place);
    expect(await landIt(it)).toMatchObject({ kind: "landed", notes: [] });
    const { "refs/heads/main": _m2, "logs/refs/heads/main": _l2, ...after } = usersThings(it.place);
    expect(after).toEqual(before);
    expect(sh(it.place, "git rev-parse main")).toBe(it.to.commit);
  });

  test("in a linked worktree, when the target is checked out there", async () => {
    const it = await landRig();
    sh(it.place, "git switch -q -c other; git worktree add -q ../linked main");
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(status(it.place, join(it.place.root, "linked"))).toBe("");
    expect(filesBelow(join(it.place.root, "linked"))).toEqual(LANDED);
    expect(filesBelow(it.place.repo)).toEqual(SOME_FILES);
  });

  test("a worktree whose folder is gone is no obstacle, and is said", async () => {
    const it = await landRig();
    sh(it.place, "git switch -q -c other; git worktree add -q ../linked main; rm -rf ../linked");
    expect(await landIt(it)).toMatchObject({
      kind: "landed",
      notes: [expect.stringMatching(/linked is missing/)],
    });
  });

  test("in a bare repository", async () => {
    const place = tempRepo();
    sh(place, "git clone -q --bare . ../bare.git");
    const bare = { ...place, repo: join(place.root, "bare.git") };
    const it = await landRig(bare);
    expect(it.repository.workTree).toBeNull();
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(sh(bare, "git rev-parse main")).toBe(it.to.commit);
  });

  test("in a sparse tree: absent files stay absent", async () => {
    const place = tempRepo();
    sh(place, "git sparse-checkout set --no-cone '/dir/'");
    const it = await landRig(place, `${WORK}; echo x > dir/c.txt`);
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(status(place)).toBe("");
    expect(filesBelow(place.repo)).toEqual({ "dir/c.txt": "x\n", "dir/deep/d.txt": "d\n" });
  });

  test("changes of type: file to folder, folder to file, file to link, executable", async () => {
    const it = await landRig(
      tempRepo(),
      "rm a.txt; mkdir a.txt; echo x > a.txt/x; rm -r dir; echo f > dir; ln -sf dir b.txt; chmod +x .gitignore",
    );
    expect(await landIt(it)).toMatchObject({ kind: "landed" });
    expect(status(it.place)).toBe("");
    expect(filesBelow(it.place.repo)).toEqual({
      ".gitignore": SOME_FILES[".gitignore"],
      "a.txt/x": "x\n",
      "b.txt": "link dir",
      dir: "f\n",
    });
  });

  test("a moved submodule: the commit lands, and the user is told what to type", async () => {
    const place = tempRepo();
    sh(
      place,
      "git init -q -b main ../sub; git -C ../sub commit -q --allow-empty -m 1; git -c protocol.file.allow=always submodule add -q ../sub sub; git commit -qm sub; git -C ../sub commit -q --allow-empty -m 2",
    );
    const it = await landRig(
      place,
      "git update-index --cacheinfo 160000,$(git -C ../sub rev-parse HEAD),sub; git commit -qm move; echo x > x",
    );
    expect(await landIt(it)).toMatchObject({
      kind: "landed",
      notes: [expect.stringMatching(/git submodule update/)],
    });
    expect(status(place)).toBe(" M sub");
  });

  test("the user's post-merge hook runs, as the user; its failure is told and changes nothing", async () => {
    const place = tempRepo();
    sh(
      place,
      "mkdir -p .git/hooks; printf '#!/bin/sh\\necho \"$1\" > ../ran; echo no >&2; exit 1\\n' > .git/hooks/post-merge; chmod +x .git/hooks/post-merge",
    );
    const it = await landRig(place);
    expect(await landIt(it)).toMatchObject({
      kind: "landed",
      notes: [expect.stringMatching(/post-merge failed: no/)],
    });
    expect(readFileSync(join(place.root, "ran"), "utf8")).toBe("0\n");
  });
});

test("a landing moves the target and nothing else, while the user switches branches (I3)", async () => {
  const it = await landRig();
  sh(it.place, "git branch other");
  const [landing] = await Promise.all([
    landIt(it, { waitMs: 5000 }),
    (async () => {
      for (let i = 0; i < 10; i += 1) {
        try {
          sh(it.place, `git switch -q ${i % 2 === 0 ? "other" : "main"}`);
        } catch {
          // the index is locked by the landing: that is the point
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })(),
  ]);
  const expected = landing.kind === "landed" ? it.to.commit : it.base.commit; // or it keeps missing its moment
  if (landing.kind !== "landed") expect(landing).toMatchObject({ kind: "refused", why: "busy" });
  expect(sh(it.place, "git rev-parse main")).toBe(expected);
  expect(sh(it.place, "git rev-parse other")).toBe(it.base.commit);
  if (status(it.place) === "") return;
  // `git switch` looks where a branch is before it takes its lock. Where the branch moves between the two, and is checked out nowhere
  // at that moment, index and files are those of the commit that it had seen; that is git's own, and nothing else may have changed.
  expect(sh(it.place, "git symbolic-ref HEAD; git write-tree; git diff")).toBe(
    `refs/heads/main\n${it.base.tree}`,
  );
});
