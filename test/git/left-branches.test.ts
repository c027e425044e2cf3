import { expect, test } from "vitest";
import { leftBranches } from "../../src/git/left-branches.ts";
import { opened, sh, tempRepo } from "./support.ts";

test("of each task the newest branch counts that is not merged, and none that is older than a merge of the task", async () => {
  const place = tempRepo({ "a.txt": "a\n" });
  const commit = (branch: string, at: number, from = "main") =>
    sh(
      place,
      `git switch -q -c parallel-orchestra/${branch} ${from}; GIT_COMMITTER_DATE=@${at} git commit -q --allow-empty -m ${branch}; git switch -q main`,
    );
  commit("twice-11111111", 1_700_000_100);
  commit("twice-22222222", 1_700_000_200);
  commit("tried-33333333", 1_700_000_100); // its first try failed, and left this
  commit("tried-44444444", 1_700_000_200);
  commit("again-55555555", 1_700_000_900); // merged once, and done again since
  commit("other-name", 1_700_000_100);
  const merge = (task: string, at: number, branch: string) =>
    sh(
      place,
      `GIT_COMMITTER_DATE=@${at} git merge -q --no-ff -m "Merge parallel-orchestra task ${task}" parallel-orchestra/${branch}`,
    );
  merge("tried", 1_700_000_300, "tried-44444444");
  commit("again-66666666", 1_700_000_100);
  merge("again", 1_700_000_400, "again-66666666");
  const left = (await leftBranches(await opened(place))).map(({ task, branch }) => [task, branch]);
  expect(Object.fromEntries(left)).toEqual({
    again: "parallel-orchestra/again-55555555",
    twice: "parallel-orchestra/twice-22222222",
  });
});
