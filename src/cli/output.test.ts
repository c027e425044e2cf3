import { describe, expect, it } from "vitest";
import { readEnv } from "../config/env.ts";
import { fitted, hasColours } from "./output.ts";
import { factsOf } from "./streams.ts";

describe("colours", () => {
  const on = (env: Record<string, string>, isTerminal: boolean, color?: boolean) =>
    hasColours({ isTerminal }, readEnv(env), { color });

  it.each<[string, Record<string, string>, boolean, boolean]>([
    ["a terminal", {}, true, true],
    ["a pipe", {}, false, false],
    ["NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["an empty NO_COLOR", { NO_COLOR: "" }, true, true],
    ["FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
    ["FORCE_COLOR over NO_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    ["CLICOLOR_FORCE", { CLICOLOR_FORCE: "1" }, false, true],
    ["CLICOLOR_FORCE=0", { CLICOLOR_FORCE: "0" }, false, false],
    ["a dumb terminal", { TERM: "dumb" }, true, false],
    ["CI", { CI: "true" }, true, false],
    ["CI with FORCE_COLOR", { CI: "true", FORCE_COLOR: "1" }, false, true],
  ])("with %s", (_, env, isTerminal, expected) => {
    expect(on(env, isTerminal)).toBe(expected);
  });

  it("follow the flag before everything else", () => {
    expect(on({ NO_COLOR: "1" }, false, true)).toBe(true);
    expect(on({ FORCE_COLOR: "1" }, true, false)).toBe(false);
  });
});

describe("the width", () => {
  const width = (stream: { isTTY?: boolean; columns?: number }, columns: number | null) =>
    factsOf(stream, columns).width;

  it("is the terminal's, else what COLUMNS says, else 80", () => {
    expect(width({ isTTY: true, columns: 120 }, 40)).toBe(120);
    expect(width({ isTTY: true, columns: 0 }, 40)).toBe(40);
    expect(width({}, 40)).toBe(40);
    expect(width({ columns: 120 }, null)).toBe(80);
    expect(width({ isTTY: true }, null)).toBe(80);
  });

  it("does not bound the last column of a table where it is only assumed", () => {
    const isUnbounded = (stream: { isTTY?: boolean }, columns: number | null) =>
      factsOf(stream, columns).isUnbounded;
    expect([isUnbounded({ isTTY: true }, null), isUnbounded({}, 40), isUnbounded({}, null)]).toEqual([
      ...[false, false, true],
    ]);
  });

  it("is not what makes no sense", () => {
    expect([0, 3, -40, 1e9, Number.NaN].map((columns) => width({}, columns))).toEqual([80, 80, 80, 80, 80]);
  });
});

describe("what is said", () => {
  const said = [["error: the worktree is gone."]];

  it("is broken between words on a terminal, and is one line each for other programs", () => {
    expect(fitted(said, { isTerminal: true, width: 24 })).toEqual([
      ["error: the worktree is"],
      ["       gone."],
    ]);
    expect(fitted(said, { isTerminal: false, width: 24 })).toEqual(said);
  });
});
