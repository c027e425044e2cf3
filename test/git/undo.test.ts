import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { oid } from "../../src/core/ids.ts";
import type { LandStyle } from "../../src/core/plan.ts";
import { formatCommand } from "../../src/core/text/command.ts";
import { integration, type LandedRig, landedRig, main, undo } from "./landed.ts";
import { addHook, buildIt, expectNoTraces, landIt, MERGE, status } from "./landing.ts";
import { filesBelow, revision, SOME_FILES, sh, usersThings } from "./support.ts";

async function landsAgain(it: LandedRig, style: LandStyle): Promise<void> {
  const built = await buildIt(it, { onto: oid(main(it)), isReverted: true, style });
  if (built.kind !== "built") throw new Error(JSON.stringify(built));
  expect(await landIt(it, { to: built.result })).toMatchObject({ kind: "landed" });
  expect(filesBelow(it.place.repo)).toMatchObject({ "a.txt": "landed\n", "new/n.txt": "n\n" });
  expect(status(it.place)).toBe("");
}

describe("a landing that nobody has built on", () => {
  test.each([
    ["merge", MERGE],
    ["squash", { ...MERGE, as: "squash" } as const],
  ])(
    "%s: branch, index and files go back, the work is on its branch, and can land again (I2)",
    async (_as, style) => {
      const it = await landedRig(style);
      expect(integration(it)).toBe("none");
      const done = {
        kind: "undone",
        how: "moved-back",
        from: it.landed.to.commit,
        to: it.base,
        tip: it.to.commit,
      };
      expect(await undo(it)).toEqual({ ...done, notes: [] });
      expect(filesBelow(it.place.repo)).toEqual(SOME_FILES);
      expect(status(it.place)).toBe("");
      expect([main(it), integration(it)]).toEqual([it.base.commit, it.to.commit]);
      expect(sh(it.place, "git log -g -1 --format=%gs main")).toBe("plait: undo r1");
      expectNoTraces(it);
      expect(await undo(it)).toEqual({ ...done, notes: [] }); // once more finds it done
      await landsAgain(it, style);
    },
  );

  test("checked out nowhere: only the ref moves; one that is on a server is said to be there", async () => {
    const it = await landedRig();
    sh(it.place, "git update-ref refs/remotes/origin/main main; git switch -q -c other; echo mine > a.txt");
    expect(await undo(it)).toMatchObject({
      how: "moved-back",
      notes: [expect.stringMatching(/^origin\/main already has/)],
    });
    expect(main(it)).toBe(it.base.commit);
    expect(filesBelow(it.place.repo)).toMatchObject({ "a.txt": "mine\n", "new/n.txt": "n\n" });
  });

  test("keeps the user's own changes elsewhere, and is refused over those that are in its way", async () => {
    const it = await landedRig();
    sh(
      it.place,
      "echo mine > dir/c.txt; echo s > s.txt; git add s.txt; echo mine > new/n.txt; echo b > b.txt; echo x > b.txt",
    );
    const before = usersThings(it.place);
    expect(await undo(it)).toMatchObject({
      kind: "refused",
      why: "dirty",
      files: ["b.txt", "new/n.txt"],
    });
    expect(usersThings(it.place)).toEqual(before);
    expect(integration(it)).toBe("none"); // (I8)
    sh(it.place, "git restore new/n.txt; rm b.txt");
    expect(await undo(it)).toMatchObject({ kind: "undone" });
    expect(status(it.place)).toBe("A  s.txt\n M dir/c.txt".split("\n").sort().join("\n"));
    expect(filesBelow(it.place.repo)).toEqual({ ...SOME_FILES, "dir/c.txt": "mine\n", "s.txt": "s\n" });
  });

  test("a tip that git has pruned: the work is kept as it landed (I2)", async () => {
    const it = await landedRig({ ...MERGE, as: "squash" });
    sh(it.place, "git reflog expire --expire=now --all; git gc -q --prune=now");
    expect(await undo(it)).toMatchObject({ kind: "undone", tip: it.landed.to.commit });
    expect(integration(it)).toBe(it.landed.to.commit);
  });
});

describe("a landing that others have built on", () => {
  test.each([
    ["merge", MERGE],
    ["rebase", { ...MERGE, as: "rebase" } as const],
  ])("%s: a commit takes it out, theirs stays, and it can land again", async (_as, style) => {
    const it = await landedRig(style);
    sh(it.place, "echo theirs > theirs.txt; git add -A; git commit -qm theirs; echo mine > dir/c.txt");
    const theirs = main(it);
    const undone = await undo(it, { style: { sign: false, signoff: true } });
    expect(undone).toMatchObject({ kind: "undone", how: "reverted", from: theirs, tip: it.to.commit });
    expect(filesBelow(it.place.repo)).toEqual({
      ...SOME_FILES,
      "dir/c.txt": "mine\n",
      "theirs.txt": "theirs\n",
    });
    expect(status(it.place)).toBe(" M dir/c.txt");
    expect(sh(it.place, "git log -1 --format='%P %s%n%(trailers)'")).toBe(
      `${theirs} Revert plait run r1 on main\nPlait-Undo: r1\nSigned-off-by: User <user@example.com>\n`,
    );
    expect(await undo(it)).toMatchObject({ how: "reverted", from: theirs, to: revision(it.place, "main") });
    sh(it.place, "git restore dir/c.txt");
    await landsAgain(it, style);
  });

  test("is refused where theirs touches the same places, with the command to do it by hand", async () => {
    const it = await landedRig();
    sh(it.place, "echo theirs > a.txt; git commit -qam theirs");
    const before = usersThings(it.place);
    const refused = await undo(it);
    expect(refused).toMatchObject({ kind: "refused", why: "conflict", files: ["a.txt"] });
    expect(usersThings(it.place)).toEqual(before);
    expect(integration(it)).toBe("none");
    const { commands = [] } = refused as Extract<typeof refused, { kind: "refused" }>;
    expect(
      sh(it.place, `${commands.map((one) => formatCommand(one)).join(" | ")} 2>&1 || git status --porcelain`),
    ).toMatch(/^UU a\.txt/m);
  });

  test("also one that nobody has built on, when that is asked for; no hook of a merge runs", async () => {
    const it = await landedRig();
    addHook(it.place, "post-merge", "touch ../ran");
    expect(await undo(it, { revert: true })).toMatchObject({ how: "reverted", from: it.landed.to.commit });
    expect(filesBelow(it.place.repo)).toEqual(SOME_FILES);
    expect(existsSync(join(it.place.root, "ran"))).toBe(false);
  });
});

test.each([
  ["rewound and went on", "git reset -q --hard HEAD~2; git commit -q --allow-empty -m x", /in its history/],
  ["is gone", "git switch -q -c other; git branch -qD main", /main no longer exists/],
  [
    "took it out by itself",
    "git checkout -q HEAD~3 -- .; git rm -q -r new; git commit -qm out",
    /nothing left of the landing/,
  ],
])("not landed: the target %s", async (_what, script, detail) => {
  const it = await landedRig();
  sh(it.place, script);
  const before = usersThings(it.place);
  expect(await undo(it)).toEqual({ kind: "not-landed", detail: expect.stringMatching(detail) });
  expect(usersThings(it.place)).toEqual(before);
  expect(integration(it)).toBe("none");
});
