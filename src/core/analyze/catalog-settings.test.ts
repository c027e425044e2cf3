import { expect, test } from "vitest";
import {
  analyzeSample,
  at,
  brief,
  type CodeSample,
  draftOf,
  envAt,
  gateOf,
  LAYERS,
  NO_PREPARATION,
  NO_SETTINGS,
} from "../../../test/support/drafts.ts";
import type { Catalog } from "../catalog.ts";
import { settingsCatalog } from "./catalog-settings.ts";

const shell = (line: string) => ({ kind: "shell" as const, line });
const limit = (group: string, max: number, line = 2) => ({
  group: { value: group, at: at(line, 1) },
  max: { value: max, at: at(line, 2) },
});

/** One draft for each code, with the finding of that code; other findings may be beside it. */
const samples: readonly CodeSample[] = [
  [
    draftOf([{ id: "a", prompt: " \n" }]),
    {
      code: "empty-prompt",
      message: "the prompt of `a` is empty",
      at: at(15),
      hint: "describe the work in `prompt`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", command: " " }]),
    {
      code: "bad-command",
      message: "`a` has a command without a program",
      at: at(15),
      hint: "name the program to run: `npm test`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", agent: { use: "--help" } }]),
    {
      code: "bad-agent",
      message: "`a` uses the agent `--help`, which looks like an option",
      at: at(17, 3),
      hint: "use only the name: `agent: claude`",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a", agent: { use: "claude" } },
      { id: "b", agent: { use: "cluade" } },
      { id: "c", agent: { use: "cluade" } },
    ]),
    {
      code: "unknown-agent",
      message: "unknown agent `cluade`",
      at: at(27, 3),
      hint: "did you mean `claude`?",
      related: [{ at: at(37, 3), message: "`cluade` is used here too" }],
    },
  ],
  [
    draftOf([{ id: "a", tools: { allow: ["Read"], deny: ["x", "-x"] } }]),
    {
      code: "bad-tool",
      message: "`a` has the tool rule `-x`, which looks like an option",
      at: at(18, 2),
      hint: "use the agent's own syntax: `Bash(npm test:*)`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", retries: -1 }]),
    {
      code: "bad-number",
      message: "`a` sets `retries` to -1, which is out of range",
      at: at(10),
      hint: "use an integer from 0 to 100, such as `retries: 0`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", command: "ls", race: 2 }]),
    {
      code: "race-on-command",
      message: "`a` runs a command, so `race` does not apply",
      at: at(10),
      hint: "delete `race`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], { slots: { value: 0, at: at(3) } }),
    {
      code: "slots-out-of-range",
      message: "the plan sets `concurrency` to 0, which is out of range",
      at: at(3),
      hint: "use an integer from 1 to 256, such as `concurrency: 4`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], { ports: { value: { from: 3000, to: 2000 }, at: at(3) } }),
    {
      code: "bad-ports",
      message: "the ports 3000 to 2000 are not a range",
      at: at(3),
      hint: "put the smaller number first: `ports: { from: 2000, to: 3000 }`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", group: "d b" }], { limits: [limit("d b", 1)] }),
    {
      code: "bad-group-name",
      message: 'the group name `d b` contains a space; use letters A-Z and a-z, digits, "_" and "-"',
      at: at(2, 1),
      hint: "use letters a-z, digits, dots, dashes and underscores: `database`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", group: "databse" }], { limits: [limit("database", 1)] }),
    {
      code: "unknown-group",
      message: "the group `databse` has no limit",
      at: at(17, 1),
      hint: "did you mean `database`?",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", group: "db" }], { limits: [limit("db", 1), limit("db", 2, 3)] }),
    {
      code: "duplicate-limit",
      message: "the group `db` has two limits",
      at: at(3, 1),
      hint: "delete the second limit of `db`",
      related: [{ at: at(2, 1), message: "first used here" }],
    },
  ],
  [
    draftOf([{ id: "a", group: "db" }], { limits: [limit("db", 257)] }),
    {
      code: "limit-out-of-range",
      message: "the group `db` has the limit 257, which is out of range",
      at: at(2, 2),
      hint: "use an integer from 1 to 256, such as `db: 1`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], { limits: [limit("db", 1)] }),
    {
      code: "unused-limit",
      message: "no task is in the group `db`",
      at: at(2, 1),
      hint: "delete the limit of `db`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", env: { "A-B": "1" } }]),
    {
      code: "bad-env-name",
      message: "`a` sets `A-B`, which is not a valid variable name",
      at: at(17, 2),
      hint: "use letters, digits and underscores: `LOG_LEVEL`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", env: { A: "x\0y" } }]),
    {
      code: "bad-env-value",
      message: "`a` sets `A` to a value with a NUL character",
      at: at(17, 2),
      hint: "remove the NUL character from `A`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", env: { LD_PRELOAD: "x.so" } }]),
    {
      code: "env-refused",
      message: "`a` cannot set `LD_PRELOAD`: the variable can load code into other programs",
      at: at(17, 2),
      hint: "set it inside the command that needs it: `LD_PRELOAD=… command`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", env: { HTTPS_PROXY: "http://example.org" } }]),
    {
      code: "env-redirects",
      message: "`a` sets `HTTPS_PROXY`, which can send requests through another server",
      at: at(17, 2),
      hint: "delete `HTTPS_PROXY`, or allow it: --allow-env HTTPS_PROXY",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], {
      prepare: {
        ...NO_PREPARATION,
        copy: [
          { value: ".env", at: at(3, 1) },
          { value: "../x", at: at(3, 2) },
        ],
      },
    }),
    {
      code: "copy-escapes",
      message: 'the plan copies `../x`, which contains ".."',
      at: at(3, 2),
      hint: "copy only files in the repository: `copy: [.env]`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], {
      prepare: {
        ...NO_PREPARATION,
        setup: [
          {
            value: { kind: "shell", line: "make api", inputs: ["schema"], outputs: ["api", "../x"] },
            at: at(3),
          },
        ],
      },
    }),
    {
      code: "setup-reuse",
      message: 'the plan has the setup output `../x`, which contains ".."',
      at: at(3),
      hint: "list only ignored files and folders in `outputs`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }], { gates: [gateOf({ name: "unit", dir: { value: "/tmp", at: at(3) } })] }),
    {
      code: "dir-escapes",
      message: "the gate `unit` has the `dir` `/tmp`, which is an absolute path",
      at: at(3),
      hint: "set `dir` to a path inside the worktree",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", gates: [{ run: shell("npm test") }] }], {
      gates: [gateOf({ run: shell("npm test") })],
    }),
    {
      code: "duplicate-gate-name",
      message: "two gates in one task are named `npm test`",
      at: at(16),
      hint: "delete one, or give it another `name`",
      related: [{ at: at(1), message: "first used here" }],
    },
  ],
];

test.each(samples.map(([draft, finding]) => [finding.code, draft, finding] as const))(
  "%s is reported with its place, its values and what to do",
  (code, draft, finding) => {
    const { plan, diagnostics } = analyzeSample(draft);
    const severity = (settingsCatalog as Catalog)[code]?.severity;
    expect(diagnostics.find((found) => found.code === code)).toEqual({ ...finding, severity });
    expect(plan === null).toBe(diagnostics.some((found) => found.severity === "error"));
  },
);

test("every code has a sample", () => {
  expect(samples.map(([, { code }]) => code).toSorted()).toEqual(Object.keys(settingsCatalog).toSorted());
});

test("settings of the plan's defaults and of gates are looked at too", () => {
  const env = envAt({ GIT_DIR: "x", LANG: "C" }, at(3));
  const draft = draftOf([{ id: "a" }], {
    defaults: { ...NO_SETTINGS, env, race: 0 },
    gates: [gateOf({ name: "g", env: envAt({ PLAIT_RUN: "x" }, at(4)), slots: 0, timeoutMs: 0 }, 5)],
    hooks: { start: [], end: [], failed: [{ value: { kind: "argv", argv: [] }, at: at(6) }], held: [] },
  });
  expect(brief(analyzeSample(draft).diagnostics)).toEqual([
    "error bad-number 1:1",
    "error env-refused 3:1",
    "error env-refused 4:1",
    "error bad-number 5:1",
    "error slots-out-of-range 5:1",
    "error bad-command 6:1",
  ]);
});

test("each value that cannot be used is told", () => {
  const codesOf = (task: object) => {
    return analyzeSample(draftOf([{ id: "a", ...task }])).diagnostics.map(({ code }) => code);
  };
  expect(codesOf({ agent: { use: "", name: "a\nb", model: " x" } })).toEqual([
    "bad-agent",
    "bad-agent",
    "bad-agent",
  ]);
  expect(codesOf({ command: "ls\0" })).toEqual(["bad-command"]);
  expect(codesOf({ budgetUsd: Number.NaN, priority: Number.POSITIVE_INFINITY, idleMs: 1.5 })).toHaveLength(3);
  expect(codesOf({ estimate: { timeMs: null, costUsd: { low: 2, high: 1 } } })).toEqual(["bad-number"]);
  for (const path of [
    "/etc",
    "a/../..",
    "~/x",
    "C:/x",
    "a\\b",
    "",
    ".git/config",
    "./.git",
    "{..,a}/x",
    "a\0",
  ]) {
    const copy = [{ value: path, at: at(2) }];
    expect(codesOf({ prepare: { ...NO_PREPARATION, copy } })).toEqual(["copy-escapes"]);
  }
});

test("two gates of one list with the same name are told too", () => {
  const draft = draftOf([{ id: "a", gates: [{ name: "x" }, { name: "x" }] }], {
    gates: [gateOf({ name: "y" }, 2), gateOf({ name: "y" }, 3)],
  });
  expect(brief(analyzeSample(draft).diagnostics)).toEqual([
    "warning duplicate-gate-name 3:1",
    "warning duplicate-gate-name 16:2",
  ]);
});

test("a group that the defaults name is looked for once, not once a task", () => {
  const defaults = { ...NO_SETTINGS, group: { value: "gpu", at: at(3) } };
  const { diagnostics } = analyzeSample(draftOf([{ id: "a" }, { id: "b" }], { defaults }));
  expect(brief(diagnostics)).toEqual(["error unknown-group 3:1"]);
});

test("an agent whose name is not known is an error, unless another one runs anyway", () => {
  const draft = draftOf([{ id: "a", agent: { use: "mine" } }]);
  const { plan, diagnostics } = analyzeSample(draft);
  expect(plan).toBeNull();
  expect(diagnostics[0]?.hint).toMatch(/^use a known agent: claude, codex, /);
  const layers = { ...LAYERS, force: { agent: "demo", model: null } };
  expect(analyzeSample(draft, { layers }).diagnostics).toEqual([]);
});
