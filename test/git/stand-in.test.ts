import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findStandIn, makeStandIn } from "../../src/git/stand-in.ts";
import { gitOf, sh, tempRepo } from "./support.ts";

function wantedIn(place: ReturnType<typeof tempRepo>) {
  return { dir: join(place.root, "state/none.git"), folder: "/somewhere" };
}

test("a repository that stands in is the same for all who make it at once, and after one who was cut off", async () => {
  const place = tempRepo();
  const wanted = wantedIn(place);
  const git = gitOf(place);
  expect(await findStandIn(git, wanted)).toBeNull();
  const made = await Promise.all([1, 2, 3].map(() => makeStandIn(git, wanted)));
  const heads = made.map((one) => (one.ok ? one.repository.head : one.problem));
  expect(heads).toEqual(Array(3).fill(heads[0]));
  expect(made[0]).toMatchObject({ repository: { standsInFor: "/somewhere", workTree: null } });
  expect(sh(place, `git --git-dir=${wanted.dir} ls-tree -r main`)).toBe("");

  rmSync(join(wanted.dir, "refs/heads/main")); // as if the last step had not been made
  expect(await findStandIn(git, wanted)).toBeNull();
  expect(await makeStandIn(git, wanted)).toMatchObject({ ok: true, repository: { head: heads[0] } });
  expect(await findStandIn(git, { ...wanted, folder: "/else" })).toMatchObject({ standsInFor: "/else" });
});

test("it can be used where git is told to believe no bare repository, and says why it cannot be made", async () => {
  const place = tempRepo();
  appendFileSync(join(place.root, "home/.gitconfig"), "[safe]\n\tbareRepository = explicit\n");
  expect(await makeStandIn(gitOf(place), wantedIn(place))).toMatchObject({ ok: true });
  const inTheWay = { dir: join(place.repo, "a.txt/none.git"), folder: "/somewhere" };
  expect(await makeStandIn(gitOf(place), inTheWay)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("a.txt"),
  });
});
