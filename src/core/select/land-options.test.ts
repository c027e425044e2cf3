import { expect, test } from "vitest";
import { refName } from "../ids.ts";
import { findUnusedLandOption, formatLandFlags } from "./landing-text.ts";

test("a request is typed as the flags that mean it", () => {
  expect(formatLandFlags({})).toEqual([]);
  expect(
    formatLandFlags({
      ...{ as: "squash", target: refName("refs/heads/release/1"), publish: "pull-request", sign: true },
      ...{ signoff: true, draft: true, reviewers: ["ada", "bob"], labels: ["two words"] },
    }),
  ).toEqual(
    "--as squash --onto release/1 --pr --sign --signoff --draft --reviewer ada --reviewer bob --label"
      .split(" ")
      .concat("two words"),
  );
  expect(formatLandFlags({ publish: "no" })).toEqual(["--no-push"]);
});

test("options of a pull request need one", () => {
  expect(findUnusedLandOption({ labels: ["ui"] }, "push")).toBe("--label");
  expect(findUnusedLandOption({ draft: true }, "pull-request-per-task")).toBeNull();
});
