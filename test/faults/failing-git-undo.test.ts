// git that fails calls of `plait undo`: what may be repeated is, and the rest leaves everything as it was.

import { expect, test } from "vitest";
import { failingGit } from "./failing-git.ts";
import { tree, usersThings } from "./observe.ts";
import { factsOf, git, journal, makeRepo, type Place, plait, writePlan } from "./support.ts";

async function landedPlace(): Promise<{ readonly place: Place; readonly before: string }> {
  const place = makeRepo();
  const before = tree(place);
  const plan = writePlan(place, [{ id: "a", does: ["write a.txt a1"] }]);
  expect((await plait(place, ["run", "--agent", "demo", "--json", plan])).code).toBe(0);
  expect(tree(place)).not.toBe(before);
  return { place, before };
}

test.concurrent("I3: an undo of which each kind of call fails once undoes the landing", async () => {
  const { place, before } = await landedPlace();
  const subcommands = [
    "rev-parse",
    "cat-file",
    "for-each-ref",
    "update-ref",
    "status",
    "read-tree",
    "symbolic-ref",
  ];
  const failing = failingGit(place, { kind: "first-of", subcommands });
  const { code, stderr } = await failing.start(["undo"]).end;
  expect({ code, stderr, failed: failing.failed() }).toMatchObject({ code: 0, failed: expect.any(String) });
  expect(tree(place)).toBe(before);
  expect(git(place, "status", "--porcelain")).toBe("");
});

test.concurrent.for(Array.from({ length: 6 }, (_, n) => 2 * n))(
  "I3: an undo of which calls fail from part %d of 12 on exits with 3 and what git said, and a later one undoes it",
  async (part) => {
    const counted = await landedPlace();
    const calm = failingGit(counted.place, null);
    expect((await calm.start(["undo"]).end).code).toBe(0);
    const { place, before } = await landedPlace();
    const landed = usersThings(place);
    const n = Math.floor((part / 12) * calm.calls().length) + 1;
    const failing = failingGit(place, { kind: "from", n });
    const { code, stdout, stderr } = await failing.start(["undo"]).end;
    const isUndone = factsOf(journal(place), "landing.undone").length > 0;
    const seen = { code, stdout, stderr, n, failed: failing.failed() };
    if (!isUndone) {
      expect(seen).toMatchObject({ code: 3, stdout: "" });
      expect(stderr).toMatch(/^error: .*git \S+ failed with exit code 128: fatal: told to fail/m);
      expect(stderr).toMatch(/^ *help: fix git, then/m);
      expect(stderr).not.toMatch(/bug/);
      // What git can neither finish nor undo is named, and the next undo finishes it.
      if (!/stays until a resume finishes it/.test(stderr.replaceAll(/\s+/g, " ")))
        expect(usersThings(place)).toEqual(landed);
    } else expect(seen).toMatchObject({ code: 0 });
    const again = await plait(place, ["undo"]);
    if (!isUndone) expect(again).toMatchObject({ code: 0 });
    expect(tree(place)).toBe(before);
    expect(git(place, "status", "--porcelain")).toBe("");
  },
);
