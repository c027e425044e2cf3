import { describe, expect, it } from "vitest";
import { readEnv } from "../config/env.ts";
import { hasColours } from "./output.ts";

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
