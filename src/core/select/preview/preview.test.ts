import { describe, expect, it } from "vitest";
import { cpuMs } from "../../../../test/support/cpu.ts";
import { gateOf } from "../../../../test/support/plans.ts";
import { agentWork, minutes, samplePlan, shell } from "../../../../test/support/sample-plan.ts";
import type { GroupName } from "../../ids.ts";
import { shellWord } from "../../text/command.ts";
import { preview } from "./preview.ts";

const checkout = samplePlan(
  [
    { id: "page", estimate: minutes(4), group: "calls" },
    {
      id: "api",
      estimate: minutes(10),
      owns: ["src/api/**", "src/routes.ts::routes"],
      boundary: ["docs/**"],
    },
    { id: "wire", needs: ["api", "page"], estimate: minutes(6) },
    { id: "review", needs: ["wire", "api"], access: "read-only", work: agentWork("codex") },
    { id: "docs", needs: ["wire"], work: { kind: "command", run: shell("npm run docs") } },
  ],
  { limits: [{ group: "calls" as GroupName, max: 1 }] },
);

describe("preview", () => {
  const shown = preview(checkout, { slots: 4 });

  it("lists tasks by rank, those on the critical path first", () => {
    expect(shown.ranks).toEqual([["api", "page"], ["wire"], ["review", "docs"]]);
    expect(shown.critical).toEqual(["api", "wire", "review"]);
    expect(shown.size).toEqual({ tasks: 5, commands: 1, needs: 5, ranks: 3, waves: 0 });
  });

  it("says when each task is expected to run, and which times are guesses", () => {
    const rows = shown.tasks.map(({ id, start, end, known }) => [id, start / 60_000, end / 60_000, known]);
    expect(rows).toEqual([
      ["page", 0, 4, true],
      ["api", 0, 10, true],
      ["wire", 10, 16, true],
      ["review", 16, 22, false],
      ["docs", 16, 22, false],
    ]);
    expect(shown.time).toMatchObject({
      unit: "ms",
      known: 3,
      wall: 22 * 60_000,
      serial: 32 * 60_000,
      speedUp: 32 / 22,
    });
  });

  it("counts steps of an artifact folder neither as tasks nor as time", () => {
    const source = { ...checkout.source, format: "cpo" };
    const check = {
      work: { kind: "command" as const, run: shell("make check") },
      access: "read-only" as const,
    };
    const tasks = (estimate: ReturnType<typeof minutes> | null) => [
      { id: "a", wave: 1, estimate },
      { id: "check", needs: ["a"], ...check },
      { id: "b", wave: 2, needs: ["check"], estimate },
    ];
    const timed = preview(samplePlan(tasks(minutes(60)), { source }), { slots: 2 });
    expect(timed.size).toMatchObject({ tasks: 2, commands: 1 });
    expect(timed.time).toMatchObject({ unit: "ms", known: 3, wall: 7_200_000, serial: 7_200_000 });
    const untimed = preview(samplePlan(tasks(null), { source }), { slots: 2 });
    expect(untimed.time).toMatchObject({ unit: "task", wall: 2, criticalPath: 2 });
  });

  it("counts in task lengths when the plan states no times", () => {
    const { time } = preview(samplePlan([{ id: "a" }, { id: "b" }, { id: "c", needs: ["a"] }]), { slots: 2 });
    expect(time).toEqual({
      unit: "task",
      known: 0,
      wall: 2,
      serial: 3,
      unlimited: 2,
      criticalPath: 2,
      speedUp: 1.5,
    });
  });

  it("starts tasks in the order of a run: what the user ranks higher goes first", () => {
    const plan = samplePlan([
      { id: "long", estimate: minutes(9) },
      { id: "urgent", estimate: minutes(1), priority: 5 },
    ]);
    expect(preview(plan, { slots: 1 }).tasks.map(({ start }) => start)).toEqual([60_000, 0]);
  });

  it("draws only needs that no other need implies", () => {
    expect(shown.tasks.find(({ id }) => id === "review")?.directNeeds).toEqual(["wire"]);
    expect(shown.tasks.find(({ id }) => id === "review")?.needs).toEqual(["wire", "api"]);
  });

  it("counts who does the work", () => {
    expect(shown.agents).toEqual([
      { name: "claude", tasks: 3 },
      { name: "codex", tasks: 1 },
    ]);
  });

  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  });

  it("knows the widest moment and the slots that stop helping", () => {
    expect(shown.widest).toEqual({ tasks: 2, byNeeds: 2, byGroups: 5, exact: true });
    expect(shown.slots).toEqual({ planned: 4, busiest: 2, useful: 2 });
  });
});

describe("waves", () => {
  const wave = (id: string, n: number | null, needs: string[] = []) => ({ id, wave: n, needs });

  it("order tasks without adding needs, and have a rank of their own", () => {
    const shown = preview(samplePlan([wave("a", 1), wave("b", 1), wave("c", 4, ["a"]), wave("free", null)]), {
      slots: 4,
    });
    expect(shown.size).toEqual({ tasks: 4, commands: 0, needs: 1, ranks: 2, waves: 2 });
    expect(shown.ranks).toEqual([["a", "b", "free"], ["c"]]);
    expect(shown.waves).toEqual([
      { wave: 1, tasks: 2, firstRank: 1 },
      { wave: 4, tasks: 1, firstRank: 2 },
    ]);
    expect(shown.tasks.map(({ start }) => start)).toEqual([0, 0, 1, 0]);
    expect(shown.tasks[2]).toMatchObject({ wave: 4, needs: ["a"], directNeeds: ["a"] });
    expect(shown.widest.tasks).toBe(3);
  });

  it("of a thousand tasks each cost no more than their size", () => {
    const tasks = Array.from({ length: 2_000 }, (_, i) => wave(`t${i}`, i < 1_000 ? 1 : 2));
    const before = cpuMs();
    const shown = preview(samplePlan(tasks), { slots: 4 });
    expect(cpuMs() - before).toBeLessThan(2_000);
    expect(shown.size.needs).toBe(0);
    expect(JSON.stringify(shown).length).toBeLessThan(2_000_000);
  });
});

describe("races", () => {
  it("take a slot for every attempt, and make others wait", () => {
    const plan = samplePlan([
      { id: "a", race: 3, estimate: minutes(10) },
      { id: "b", needs: ["c"], estimate: minutes(5) },
      { id: "c", estimate: minutes(1) },
    ]);
    const at = (slots: number) => preview(plan, { slots });
    expect(at(4).slots).toMatchObject({ busiest: 4 });
    expect(at(3).tasks.map(({ start, further }) => [start, further])).toEqual([
      [0, [0, 60_000]],
      [600_000, []],
      [0, []],
    ]);
    expect(at(1).tasks[0]).toMatchObject({ race: 3, further: [] });
  });
});

describe("group notes", () => {
  const members = ["a", "b", "c"].map((id) => ({ id, group: "calls" }));
  const limits = [{ group: "calls" as GroupName, max: 1 }];

  it("say that a limit bounds the run, and what the run would take without it", () => {
    expect(preview(samplePlan(members, { limits }), { slots: 3 }).groups).toEqual([
      { group: "calls", max: 1, members: ["a", "b", "c"], bounds: true, wallWithout: 1 },
    ]);
  });

  it("say that a limit changes nothing when the slots bound the run anyway", () => {
    expect(preview(samplePlan(members, { limits }), { slots: 1 }).groups[0]?.bounds).toBe(false);
    expect(preview(checkout, { slots: 4 }).groups[0]).toMatchObject({ members: ["page"], bounds: false });
  });
});

describe("cost", () => {
  const cost = (usd: number) => ({ timeMs: null, costUsd: { low: usd, high: 2 * usd } });

  it("is unknown when nothing gives one", () => {
    expect(preview(checkout, { slots: 2 }).cost).toBe(null);
  });

  it("adds the estimates of tasks and says how many have one", () => {
    const plan = samplePlan(
      [{ id: "a", estimate: cost(1) }, { id: "b", estimate: cost(2), race: 2 }, { id: "c" }],
      { budgetUsd: 9 },
    );
    expect(preview(plan, { slots: 2 }).cost).toEqual({
      known: { low: 5, high: 10 },
      counted: 2,
      agentTasks: 3,
      total: null,
      budgetUsd: 9,
      budget: "may-be-exceeded",
    });
  });

  it.each<[string, number, "all" | "some", string]>([
    ["is enough when all is known", 12, "all", "enough"],
    ["unclear when a task is unknown", 12, "some", "unclear"],
    ["may be exceeded by what is known", 8, "some", "may-be-exceeded"],
    ["is too small when the known part alone exceeds it", 5, "some", "too-small"],
    ["is too small for the whole", 5, "all", "too-small"],
  ])("a budget %s", (_, budgetUsd, which, budget) => {
    const known = [
      { id: "a", estimate: cost(4) },
      { id: "b", estimate: cost(2) },
    ];
    const plan = samplePlan(which === "all" ? known : [...known, { id: "c" }], { budgetUsd });
    expect(preview(plan, { slots: 2 }).cost).toMatchObject({
      budget,
      total: which === "all" ? { low: 6, high: 12 } : null,
    });
  });

  it("takes the price of the model before that of the agent, for the expected time", () => {
    const work = agentWork("claude", { agent: { use: "claude", name: null, model: "opus" } });
    const plan = samplePlan(
      [
        { id: "a", estimate: minutes(30), work },
        { id: "b", estimate: minutes(60) },
        { id: "c", work: { kind: "command", run: shell("true") } },
      ],
      {
        prices: [
          { agent: "claude", model: null, usdPerHour: { low: 2, high: 4 } },
          { agent: "claude", model: "opus", usdPerHour: { low: 10, high: 20 } },
        ],
      },
    );
    expect(preview(plan, { slots: 2 }).tasks.map(({ costUsd }) => costUsd)).toEqual([
      { low: 5, high: 10 },
      { low: 2, high: 4 },
      null,
    ]);
  });
});

describe("ownership, access and commands", () => {
  it("say who owns what and who claims nothing", () => {
    expect(preview(checkout, { slots: 2 }).ownership).toEqual({
      enforce: "report",
      consent: [],
      owners: [{ task: "api", owns: ["src/api/**", "src/routes.ts::routes"], boundary: ["docs/**"] }],
      withoutOwns: ["page", "wire"],
      shared: [],
      sharedFiles: [],
      complete: true,
    });
  });

  it("say what tasks that run one after another both claim", () => {
    const plan = samplePlan([
      { id: "last", needs: ["next"], owns: ["src/routes.ts", "lib/**"] },
      { id: "next", needs: ["first"], owns: ["src/**/*.ts", "lib/**"] },
      { id: "first", owns: ["src/routes.ts::routes", "lib/**", "src/a.css"] },
      { id: "other", owns: ["src/a.css"] }, // not ordered: that is for the check, not for a note
    ]);
    const { shared } = preview(plan, { slots: 2 }).ownership;
    expect([...shared].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "lib/**", tasks: ["first", "next", "last"] },
      { path: "src/routes.ts", tasks: ["next", "last"] },
      { path: "src/routes.ts::routes", tasks: ["first", "next", "last"] },
    ]);
  });

  it("stay readable and quick where everybody shares everything", () => {
    const tasks = Array.from({ length: 2_000 }, (_, i) => ({
      id: `t${i}`,
      needs: i === 0 ? [] : [`t${i - 1}`],
      owns: ["src/**", `src/part-${i}/**`],
    }));
    const before = cpuMs();
    const { shared, complete } = preview(samplePlan(tasks), { slots: 2 }).ownership;
    expect(cpuMs() - before).toBeLessThan(4_000);
    expect(shared[0]).toMatchObject({ path: "src/**" });
    expect(shared[0]?.tasks).toHaveLength(2_000);
    expect(shared.reduce((sum, { tasks: by }) => sum + by.length, 0)).toBeLessThanOrEqual(20_000);
    expect(complete).toBe(false);
  });

  it("name the narrower of two claims, so that one line tells who comes after whom", () => {
    const plan = samplePlan([
      { id: "homes", owns: ["src/tax/**"] },
      { id: "taxes", owns: ["src/tax/**"], needs: ["homes"] },
      { id: "clean-up", owns: ["src/**"], needs: ["taxes"] },
    ]);
    expect(preview(plan, { slots: 2 }).ownership.shared).toEqual([
      { path: "src/tax/**", tasks: ["homes", "taxes", "clean-up"] },
    ]);
  });

  it("say which agents run with permissions bypassed, which are narrowed and which only read", () => {
    const plan = samplePlan([
      { id: "free" },
      { id: "narrow", work: agentWork("claude", { tools: { allow: ["Read"], deny: [] } }) },
      { id: "look", access: "read-only" },
      { id: "build", work: { kind: "command", run: shell("make") } },
    ]);
    expect(preview(plan, { slots: 2 }).access).toEqual({
      bypassed: ["free", "narrow"],
      narrowed: [{ task: "narrow", allow: ["Read"], deny: [] }],
      readOnly: ["look"],
      commands: ["build"],
    });
  });

  it("list every command once, with the tasks it runs for, in the order of a run", () => {
    const test = gateOf("npm test");
    const prepare = {
      copy: [],
      include: [],
      envFiles: false,
      setup: [shell("npm ci")],
      teardown: [shell("rm -rf tmp")],
    };
    const plan = samplePlan(
      [
        {
          id: "a",
          gates: [test, gateOf("npm run e2e", { when: ["src/**" as never], dir: "app" })],
          prepare,
        },
        { id: "b", gates: [test], prepare },
        { id: "c", work: { kind: "command", run: { kind: "argv", argv: ["echo", "it's", ""] } } },
      ],
      {
        gates: [test],
        prepare,
        hooks: { start: [shell("say start")], end: [shell("say end")], failed: [], held: [] },
      },
    );
    const notes = preview(plan, { slots: 2 }).commands;
    expect(notes.map(({ when, name, command }) => [when, name, command])).toEqual([
      ["hook", "start", "say start"],
      ["setup", null, "npm ci"],
      ["task", "c", "echo 'it'\\''s' ''"],
      ["gate", "npm test", "npm test"],
      ["gate", "npm run e2e", "npm run e2e"],
      ["teardown", null, "rm -rf tmp"],
      ["hook", "end", "say end"],
    ]);
    expect(notes[3]).toMatchObject({ tasks: ["a", "b"], finalTree: true, conditional: false });
    expect(notes[4]).toMatchObject({ tasks: ["a"], finalTree: false, conditional: true, dir: "app" });
  });

  it("name what attempts find around them, and values only as the caller shows them", () => {
    const prepare = { copy: [".env"], include: [], envFiles: false, setup: [], teardown: [] };
    const limits = { startMs: 1_000, idleMs: 2_000, totalMs: 3_000 };
    const plan = samplePlan(
      [
        { id: "a", prepare, env: { TOKEN: "secret", A: "1" } },
        { id: "b", prepare, env: { A: "2", TOKEN: "other" }, retries: 5, limits },
        { id: "c", gates: [gateOf("npm test", { env: { CI: "secret" } })] },
      ],
      { context: [{ hash: "x" as never, bytes: 12, file: "docs/rules.md" }] },
    );
    const shown = preview(plan, { slots: 2 });
    expect(shown.surroundings).toEqual({
      context: [{ file: "docs/rules.md", bytes: 12 }],
      copy: [{ paths: [".env"], tasks: ["a", "b"] }],
      env: {
        tasks: [{ names: ["A", "TOKEN"], values: {}, tasks: ["a", "b"] }],
        gates: [{ names: ["CI"], values: {}, gates: ["npm test"] }],
      },
      patience: [
        { retries: 1, fixRounds: 1, limits: plan.tasks[0]?.limits, tasks: ["a", "c"] },
        { retries: 5, fixRounds: 1, limits, tasks: ["b"] },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain("secret");
    const showValue = (name: string, value: string) => (name === "A" ? value : "***");
    expect(preview(plan, { slots: 2, showValue }).surroundings.env).toEqual({
      tasks: [{ names: ["A", "TOKEN"], values: { A: ["1", "2"], TOKEN: ["***"] }, tasks: ["a", "b"] }],
      gates: [{ names: ["CI"], values: { CI: ["***"] }, gates: ["npm test"] }],
    });
  });
});

describe("shellWord", () => {
  it.each([
    ["plan.yaml", "plan.yaml"],
    ["my plan.yaml", "'my plan.yaml'"],
    ["it's", "'it'\\''s'"],
    ["", "''"],
    ["~me", "'~me'"],
    ["=x", "'=x'"],
    ["a=b", "a=b"],
    ["grün.yaml", "'grün.yaml'"],
    ["\u001b[31m.yaml", "$'\\033[31m.yaml'"],
    ["a\nit's\\x", "$'a\\nit\\'s\\\\x'"],
    ["\u202eevil", "$'\\342\\200\\256evil'"],
  ])("%j is %s", (word, typed) => {
    expect(shellWord(word)).toBe(typed);
  });

  it("is ASCII where nothing else can be shown", () => {
    expect(shellWord("grün", { ascii: true })).toBe("$'gr\\303\\274n'");
  });
});
