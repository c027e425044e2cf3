import { describe, expect, test } from "vitest";
import { readEnv } from "../config/env.ts";
import { withProgress } from "./program.ts";

const none = readEnv({});

describe("how a run is shown", () => {
  test("is said by the flag, its short forms, or the variable, in this order", () => {
    const quiet = readEnv({ PLAIT_PROGRESS: "quiet" });
    expect(withProgress({}, none)).toEqual({ progress: "auto" });
    expect(withProgress({ progress: "json" }, quiet)).toEqual({ progress: "json", json: true });
    expect(withProgress({ json: true, progress: "json" }, none)).toEqual({ progress: "json", json: true });
    expect(withProgress({ json: true }, quiet)).toMatchObject({ progress: "json" });
    expect(withProgress({}, quiet)).toEqual({ progress: "quiet", quiet: true });
  });

  test.each([
    [{ json: true, quiet: true }, "--json and --quiet cannot be combined"],
    [{ progress: "plain", json: true }, "--progress plain and --json cannot be combined"],
    [{ progress: "auto", quiet: true }, "--progress auto and --quiet cannot be combined"],
  ] as const)("%j is refused", (options, says) => {
    expect(() => withProgress(options, none)).toThrow(says);
  });

  test("a variable that says nothing known is refused", () => {
    expect(() => withProgress({}, readEnv({ PLAIT_PROGRESS: "loud" }))).toThrow(
      "PLAIT_PROGRESS must be one of",
    );
  });
});
