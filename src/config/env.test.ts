import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";
import { defaultCaps, highestCaps } from "./settings.ts";

const color = (env: Record<string, string>) => readEnv(env).color;

describe("the environment", () => {
  test("says nothing when it is empty", () =>
    expect(readEnv({})).toEqual({
      color: "auto",
      unicode: true,
      isDumb: false,
      trueColor: false,
      isLight: null,
      ci: false,
      githubActions: false,
      githubWorkspace: null,
      githubStepSummary: null,
      columns: null,
      caps: {},
      progress: null,
      agent: null,
      model: null,
      keepWorktrees: false,
      isSandbox: false,
      home: null,
      tmpDir: null,
      cast: { isSubprocess: false, dbUrl: null, dbPath: null },
      failureFile: null,
      problems: [],
    }));

  test("says how a run is shown, and what is wrong with a word that is none", () => {
    expect(readEnv({ PLAIT_PROGRESS: "plain" }).progress).toBe("plain");
    expect(readEnv({ PLAIT_PROGRESS: "loud" })).toMatchObject({
      progress: null,
      problems: [{ message: 'PLAIT_PROGRESS must be one of auto, tty, plain, json, quiet, not "loud"' }],
    });
  });

  test("says which colours a terminal has, and on what", () => {
    const told = ["truecolor", "24bit", "yes", ""].map((COLORTERM) => readEnv({ COLORTERM }).trueColor);
    expect(told).toEqual([true, true, false, false]);
    const light = ["15;0", "0;15", "0;default;7", "12;8", "", "x"].map(
      (COLORFGBG) => readEnv({ COLORFGBG }).isLight,
    );
    expect(light).toEqual([false, true, true, false, null, null]);
  });

  test("PO_KEEP_WORKTREE keeps worktrees when it is 1, as in parallel-orchestra", () => {
    const kept = ["1", "0", "true", ""].map(
      (PO_KEEP_WORKTREE) => readEnv({ PO_KEEP_WORKTREE }).keepWorktrees,
    );
    expect(kept).toEqual([true, false, false, false]);
  });

  test("IS_SANDBOX is consent when it is 1, as to Claude", () => {
    const consents = ["1", "0", "true", "yes", ""].map((IS_SANDBOX) => readEnv({ IS_SANDBOX }).isSandbox);
    expect(consents).toEqual([true, false, false, false, false]);
  });

  test.each([
    [{ NO_COLOR: "1" }, "never"],
    [{ NO_COLOR: "" }, "auto"],
    [{ FORCE_COLOR: "1" }, "always"],
    [{ FORCE_COLOR: "0" }, "never"],
    [{ FORCE_COLOR: "false" }, "never"],
    [{ FORCE_COLOR: "" }, "auto"],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, "always"],
    [{ CLICOLOR_FORCE: "1" }, "always"],
    [{ CLICOLOR_FORCE: "0" }, "auto"],
    [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, "never"],
    [{ TERM: "dumb" }, "never"],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "always"],
    [{ TERM: "xterm" }, "auto"],
  ])("colour with %j: %s", (env, expected) => expect(color(env as Record<string, string>)).toBe(expected));

  test.each([
    [{ LANG: "en_GB.UTF-8" }, true],
    [{ LANG: "en_GB.utf8" }, true],
    [{ LANG: "C" }, false],
    [{ LC_ALL: "POSIX", LANG: "en_GB.UTF-8" }, false],
    [{ LC_CTYPE: "de_DE.ISO-8859-1", LANG: "en_GB.UTF-8" }, false],
    [{ LC_ALL: "", LANG: "C.UTF-8" }, true],
    [{ TERM: "dumb", LANG: "C.UTF-8" }, false],
  ])("more than ASCII with %j: %s", (env, expected) =>
    expect(readEnv(env as Record<string, string>).unicode).toBe(expected),
  );

  test("CI and GITHUB_ACTIONS are on unless they say no", () => {
    expect(readEnv({ CI: "true", GITHUB_ACTIONS: "true" })).toMatchObject({ ci: true, githubActions: true });
    expect(readEnv({ CI: "false", GITHUB_ACTIONS: "0" })).toMatchObject({ ci: false, githubActions: false });
  });

  test("raises caps", () => {
    const env = {
      PLAIT_MAX_PLAN_BYTES: "2000000",
      PLAIT_MAX_DEPTH: "64",
      PLAIT_MAX_TASKS: "1",
      PLAIT_MAX_PROMPT_BYTES: "",
    };
    expect(readEnv(env)).toMatchObject({
      caps: { maxPlanBytes: 2_000_000, maxDepth: 64, maxTasks: 1 },
      problems: [],
    });
  });

  test.each(["0", "-1", "1.5", "1e3", "many", "100001", "99999999999999999999", "0x10", " 5"])(
    "a cap of %j is a problem, and not used",
    (value) => {
      const { caps, problems } = readEnv({ PLAIT_MAX_TASKS: value });
      expect(caps).toEqual({});
      expect(problems).toEqual([
        {
          name: "PLAIT_MAX_TASKS",
          message: `PLAIT_MAX_TASKS must be a whole number from 1 to ${highestCaps.maxTasks}, not ${JSON.stringify(value)}`,
          hint: "set it to a number, or unset PLAIT_MAX_TASKS",
        },
      ]);
    },
  );

  test("the caps by default are those of the handbook", () =>
    expect(defaultCaps).toEqual({
      maxPlanBytes: 1_048_576,
      maxDepth: 32,
      maxTasks: 2_000,
      maxPromptBytes: 262_144,
    }));
});

test("PLAIT_AGENT and PLAIT_MODEL name who does the work; empty ones say nothing", () => {
  const { agent, model } = readEnv({ PLAIT_AGENT: "demo", PLAIT_MODEL: "" });
  expect({ agent, model }).toEqual({ agent: "demo", model: null });
});

test("CAST's variables: only 1 is a guard, and empty places say nothing", () => {
  const { cast, home } = readEnv({
    CAST_SUBPROCESS: "1",
    CAST_DB_URL: "sqlite:////c.db",
    CAST_DB_PATH: "",
    HOME: "/u",
  });
  expect({ cast, home }).toEqual({
    cast: { isSubprocess: true, dbUrl: "sqlite:////c.db", dbPath: null },
    home: "/u",
  });
  expect(readEnv({ CAST_SUBPROCESS: "true" }).cast.isSubprocess).toBe(false);
});
