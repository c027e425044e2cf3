import { describe, expect, test } from "vitest";
import { inputOf, invocationOf } from "../../../test/agents/input.ts";
import type { Ending, Reading } from "../adapter.ts";
import { commandAdapter } from "./adapter.ts";
import { type CommandAgent, commandProblems, EXIT_REASONS } from "./config.ts";

const AGENT: CommandAgent = {
  name: "mine",
  title: null,
  argv: ["my-agent", "--quiet"],
  readOnlyArgs: null,
  env: {},
  versionArgv: null,
  account: null,
  exits: {},
};

const adapterOf = (more: Partial<CommandAgent> = {}) => commandAdapter({ ...AGENT, ...more });

describe("a program as an agent is started", () => {
  test("with the prompt on stdin", () => {
    expect(invocationOf(adapterOf({ env: { MODE: "fast" } }))).toEqual({
      argv: ["my-agent", "--quiet"],
      env: {
        MODE: "fast",
        PLAIT_TASK: "cart",
        PLAIT_ATTEMPT_N: "1",
        CAST_SUBPROCESS: "1",
        PO_WORKTREE_GUARD: "1",
      },
      stdin: "Do it.",
      notes: [],
    });
  });

  test("or with a file, and each placeholder within one argument", () => {
    const argv = ["my-agent", "--in={prompt-file}", "-C", "{worktree}", "--id={task}:{model}", "{other}"];
    const agent = { use: "mine", name: null, model: "big $(rm) {task}" };
    expect(invocationOf(adapterOf({ argv }), {}, { agent })).toMatchObject({
      argv: [
        "my-agent",
        "--in=/run/prompts/cart.md",
        "-C",
        "/worktrees/cart",
        "--id=cart:big $(rm) {task}",
        "{other}",
      ],
      stdin: "",
    });
  });

  test("with more arguments for read-only work, or a note that it has no such mode", () => {
    const readOnly = { access: "read-only" } as const;
    expect(invocationOf(adapterOf({ readOnlyArgs: ["--look"] }), readOnly)).toMatchObject({
      argv: ["my-agent", "--quiet", "--look"],
      notes: [],
    });
    expect(invocationOf(adapterOf(), readOnly).notes).toEqual([
      "has no read-only mode; its changes are not merged",
    ]);
  });

  test("not when it must be narrowed and cannot be", () => {
    const tools = { allow: [], deny: ["Bash"] };
    expect(adapterOf().invoke(inputOf({}, { tools }))).toMatchObject({ ok: false });
    expect(adapterOf().invoke(inputOf({ deny: ["Bash"] }))).toMatchObject({ ok: false });
  });

  test("not without a model or a name that its template needs", () => {
    const refused = adapterOf({ argv: ["x", "{model}"] }).invoke(inputOf());
    expect(refused).toMatchObject({
      ok: false,
      problem: { message: "agent mine needs a model" },
    });
  });

  test("with notes about what it cannot be told", () => {
    const work = { agent: { use: "mine", name: "dba", model: "big" }, budgetUsd: 1 };
    expect(invocationOf(adapterOf(), {}, work).notes).toEqual([
      "has no budget limit",
      "does not get the model",
      "does not get the sub-agent",
    ]);
    expect(adapterOf({ argv: ["x", "{model}", "{name}"] }).supports).toEqual({
      conversation: false,
      subAgents: true,
      budget: false,
      models: true,
      cost: false,
      systemPrompt: false,
      answers: false,
    });
  });
});

describe("a program as an agent ends", () => {
  const ENDING: Ending = {
    code: 0,
    signal: null,
    stderr: "",
    at: 0,
    zone: "UTC",
    endedBy: null,
    before: null,
    access: "write",
    gated: false,
  };
  const EXITS = { "75": "rate-limit", "76": "usage-limit", "77": "auth" } as const;
  const endOf = (lines: readonly string[], ending: Partial<Ending> = {}) => {
    const reading = lines.reduce<Reading>(
      (so, line) => so.read(line).next,
      adapterOf({ exits: EXITS }).reader(),
    );
    return reading.conclude({ ...ENDING, ...ending });
  };

  test("well with exit code 0, and its output is its text", () => {
    expect(endOf(["one", "", "\u001b[32mtwo\u001b[0m"])).toEqual({
      failure: null,
      usage: { costUsd: null, inputTokens: null, outputTokens: null },
      conversation: null,
      text: "one\n\ntwo",
      denials: [],
    });
  });

  test.each([
    [
      "any code",
      { code: 3, stderr: "a\nbroken\n" },
      { reason: "agent-error", detail: "exit code 3: broken", isClause: true },
    ],
    ["a code with a meaning", { code: 77 }, { reason: "auth", detail: "exit code 77" }],
    ["a rate limit", { code: 75 }, { reason: "rate-limit", retryAfterMs: null, detail: "exit code 75" }],
    ["a usage limit", { code: 76 }, { reason: "usage-limit", resetsAt: null, detail: "exit code 76" }],
    ["a signal", { code: null, signal: "SIGSEGV" }, { reason: "crash", detail: "killed by SIGSEGV" }],
    ["no end", { code: null, stderr: "stuck" }, { reason: "crash", detail: "no exit code: stuck" }],
    [
      "a clock",
      { code: 0, endedBy: { reason: "timeout", clock: "total" } },
      { reason: "timeout", clock: "total", detail: "the agent exceeded its time limit" },
    ],
  ] as const)("badly by %s", (_what, ending, failure) => {
    expect(endOf(["text"], ending).failure).toEqual(failure);
  });

  test("badly when it says no", () => {
    expect(endOf(["…", '{"status":"FAILED","reason":"no disk"}']).failure).toMatchObject({
      reason: "agent-said-no",
    });
  });

  test("keeping the end of what it printed, however much that is (I10)", () => {
    const { text } = endOf([
      ...Array.from({ length: 3_000 }, (_, i) => `line ${i} ${"x".repeat(100)}`),
      "the end",
    ]);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.startsWith("…")).toBe(true);
    expect(text.endsWith("\nthe end")).toBe(true);
    expect(endOf(["y".repeat(10_000_000)]).text.length).toBeLessThanOrEqual(65_536);
  });

  test("each line is an event, cut to a size", () => {
    const { events } = adapterOf().reader().read("z".repeat(100_000));
    expect(events).toEqual([{ kind: "text", text: `…${"z".repeat(3_998)}…`, by: "agent" }]);
    expect(adapterOf().reader().read("  ").events).toEqual([]);
  });
});

describe("a configured agent is checked", () => {
  const problems = (more: Partial<CommandAgent>) =>
    commandProblems({ ...AGENT, ...more }, ["claude", "demo"]).map(({ problem }) => problem);

  test("a good one has no problem", () => {
    expect(problems({ argv: ["x", "{prompt-file}", "{worktree}"], exits: { "75": "rate-limit" } })).toEqual(
      [],
    );
    expect(EXIT_REASONS.flatMap((reason) => problems({ exits: { "9": reason } }))).toEqual([]);
  });

  test.each<[Partial<CommandAgent>, string]>([
    [{ name: "claude" }, "has the name of a built-in agent"],
    [{ argv: [] }, "does not name a program to run"],
    [{ argv: ["{task}"] }, "has a placeholder as the program to run"],
    [{ argv: ["x", "{promt-file}"] }, "uses the unknown placeholder {promt-file}"],
    [{ exits: { "0": "crash" } }, "has the exit code 0"],
    [{ exits: { "256": "crash" } }, "has the exit code 256"],
    [{ exits: { "3": "gate" } } as never, 'has the unknown reason "gate" for exit code 3'],
  ])("%j", (more, problem) => {
    expect(problems(more)).toEqual([problem]);
  });
});

test("its version is the last line that it prints", () => {
  const probe = adapterOf({ versionArgv: ["my-agent", "-V"] }).probe;
  expect(probe?.parse({ stdout: "my-agent\n0.3\n", stderr: "", code: 0 })).toMatchObject({
    ok: true,
    version: "0.3",
  });
  expect(probe?.parse({ stdout: "", stderr: "", code: null })).toMatchObject({ ok: false });
  expect(probe?.parse({ stdout: "", stderr: "bad", code: 2 })).toMatchObject({
    problem: { message: "my-agent -V failed with exit code 2: bad" },
  });
  expect(adapterOf().probe).toBeNull();
});
