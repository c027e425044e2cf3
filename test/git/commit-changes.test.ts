import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitChanges, listChanges } from "../../src/git/commit-changes.ts";
import { filesAt, opened, sh, tempRepo, usersThings, writeFiles } from "./support.ts";

const PLAN = { "plan/a*.md": "plan\n", "plan/:(top)b.md": "b\n" };

test("only the named files are committed: what else is staged, changed or ignored stays as it is (I3)", async () => {
  const place = tempRepo();
  sh(place, "git config user.name Ann; git config user.email ann@example.com");
  writeFiles(place.repo, {
    ...PLAN,
    "plan/x.log": "ignored\n",
    "plan/ab.md": "yours\n",
    "b.txt": "staged\n",
  });
  sh(place, "git add b.txt; rm dir/c.txt; echo unstaged >> a.txt");
  const repository = await opened(place);
  const changes = (await listChanges(repository, ["plan", "dir"])).filter(
    ({ path }) => path !== "plan/ab.md",
  );
  expect(changes.map(({ path, isTracked }) => [path, isTracked])).toEqual([
    ["dir/c.txt", true],
    ["plan/:(top)b.md", false],
    ["plan/a*.md", false],
  ]);
  expect(await commitChanges(repository, { changes, message: "TS-0042: plan" })).toMatchObject({
    kind: "committed",
    commit: sh(place, "git rev-parse HEAD").trim(),
  });
  expect(sh(place, "git log -1 --format='%an %s'").trim()).toBe("Ann TS-0042: plan");
  const { "dir/c.txt": _, ...before } = filesAt(place, "HEAD~1");
  expect(filesAt(place, "HEAD")).toEqual({ ...before, ...PLAN });
  expect(sh(place, "git status --porcelain").split("\n").filter(Boolean)).toEqual([
    ...[" M a.txt", "M  b.txt", "?? plan/ab.md"],
  ]);
});

test("a hook that refuses, a merge and a half staged file leave everything as it was", async () => {
  const place = tempRepo();
  const repository = await opened(place);
  writeFiles(place.repo, PLAN);
  const refused = async () => {
    const changes = await listChanges(repository, ["plan"]);
    const before = usersThings(place);
    const answer = await commitChanges(repository, { changes, message: "plan" });
    const { COMMIT_EDITMSG: _, ...after } = usersThings(place);
    const { COMMIT_EDITMSG: __, index: ___, ...same } = before;
    expect({ ...after, index: "" }).toEqual({ ...same, index: "" });
    return answer;
  };
  sh(
    place,
    "mkdir -p .git/hooks; printf '#!/bin/sh\\necho no plans today >&2; exit 1' > .git/hooks/pre-commit",
  );
  sh(place, "chmod +x .git/hooks/pre-commit");
  expect(await refused()).toEqual({ kind: "refused", detail: "no plans today" });
  expect(sh(place, "git status --porcelain -uall").split("\n").filter(Boolean)).toHaveLength(2);
  expect(sh(place, "git diff --cached --name-only")).toBe("");
  sh(place, "rm .git/hooks/pre-commit; git add ':(literal)plan/a*.md'; echo more >> 'plan/a*.md'");
  expect(await refused()).toEqual({
    kind: "refused",
    detail: "staged, and changed again since: plan/a*.md",
  });
  writeFileSync(join(place.repo, ".git/MERGE_HEAD"), sh(place, "git rev-parse HEAD"));
  expect(await refused()).toEqual({ kind: "refused", detail: "a merge is in progress" });
});
