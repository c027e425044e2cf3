import { describe, expect, test } from "vitest";
import { readHistory } from "../../src/git/index.ts";
import { commitFiles, gitOf, sh, tempRepo } from "./support.ts";

describe("the history of a repository", () => {
  const changed = async (place: ReturnType<typeof tempRepo>) =>
    (await readHistory(gitOf(place), place.repo))?.commits
      .map((one) => one.changed.toSorted().join(" "))
      .sort();

  test("names files as they are called today; what is gone, merges and huge commits are not in it", async () => {
    const place = tempRepo({ "a.txt": "a\n".repeat(9), "b.txt": "b\n", "gone.txt": "x\n", "ü 1.txt": "x\n" });
    commitFiles(place, { "a.txt": "a\n".repeat(10), "b.txt": "c\n", "gone.txt": "y\n" }, "one");
    sh(place, "git mv a.txt moved.txt && git rm -q gone.txt && git commit -qm two");
    commitFiles(place, { "moved.txt": "a\n".repeat(11), "ü 1.txt": "y\n" }, "three");
    // Another file takes the name that was given up: what was there before is not its past.
    commitFiles(place, { "a.txt": "new\n" }, "four");
    sh(place, "git checkout -qb side && echo z >> b.txt && git commit -qam five && git checkout -q main");
    sh(place, "git merge -q --no-ff --no-edit side");
    const huge = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`many/${i}.txt`, "x\n"]));
    commitFiles(place, { ...huge, "b.txt": "d\n" }, "six");
    expect(await changed(place)).toEqual([
      "a.txt",
      "b.txt",
      "b.txt moved.txt",
      "moved.txt",
      "moved.txt ü 1.txt",
    ]);
  });

  test("is none without commits, and empty with the first one alone", async () => {
    expect(await changed(tempRepo())).toEqual([]);
    const place = tempRepo();
    sh(place, "git update-ref -d HEAD");
    expect(await readHistory(gitOf(place), place.repo)).toBeNull();
    expect(await readHistory(gitOf(place), place.root)).toBeNull();
  });
});
