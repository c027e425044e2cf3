import { describe, expect, it } from "vitest";
import { gateOf } from "../../../test/support/plans.ts";
import { agentWork, minutes, type SampleTask, samplePlan, shell } from "../../../test/support/sample-plan.ts";
import type { GroupName } from "../../core/ids.ts";
import type { Plan } from "../../core/plan.ts";
import { preview } from "../../core/select/preview/preview.ts";
import { plait } from "../../core/text/command.ts";
import { glyphs } from "./glyphs.ts";
import { paint } from "./line.ts";
import { renderPlan } from "./plan.ts";
import { cells } from "./width.ts";

describe("the view of a plan", () => {
  it("says first what it takes and what agents may do", () => {
    const text = shown([
      { id: "api", estimate: minutes(10) },
      { id: "page", estimate: minutes(4) },
      { id: "wire", needs: ["api", "page"] },
    ]);
    expect(text.split("\n").slice(0, 4)).toEqual([
      "sample  3 tasks in 2 steps; claude 3                                   plan.yaml",
      "about 17 m on 4 slots, about 21 m serially (1.2x); 1 time guessed (~): the",
      "median of the stated ones",
      "agents with full access: permission prompts bypassed, no sandbox",
    ]);
    expect(text).toContain("\n1 *api 10m   page 4m\n2 *wire ~7m\n");
  });

  it.each<[string, SampleTask, string]>([
    ["only read", { id: "a", access: "read-only" }, "agents may only read"],
    [
      "are not there",
      { id: "a", work: { kind: "command", run: shell("x") } },
      "no agents: the commands below run as you",
    ],
  ])("says when agents %s", (_, task, line) => {
    expect(shown([task]).split("\n")[3]).toBe(line);
  });

  it("counts those with full access, and tells the tools of tasks with the same rules once", () => {
    const tools = { allow: [], deny: ["WebFetch"] };
    const text = shown([
      { id: "a", work: agentWork("claude", { tools }) },
      { id: "b", access: "read-only", work: agentWork("claude", { tools }) },
    ]);
    expect(text).toContain("1 of 2 agents with full access: permission prompts bypassed, no sandbox\n");
    expect(text).toContain("         a, b  tools: not WebFetch\n");
  });

  it("says that a race takes slots, and that tasks are held for a person", () => {
    const text = shown([{ id: "a", race: 2 }, { id: "b", approve: true }, { id: "c" }]);
    expect(text).toContain("race     a  2 attempts at once, a slot each; the first green one wins\n");
    expect(text).toContain("this run uses 4 of 4 slots");
    expect(shown([{ id: "a", race: 7 }])).toContain("a slot each, as far as 4 slots go;");
    expect(text).toContain("approve  b  needs your approval before merging; not in the times\n");
    expect(shown([{ id: "c" }])).not.toMatch(/^(race|approve)/m);
  });

  it("says who may change what is guarded, and when that fails an attempt", () => {
    const tasks: SampleTask[] = [
      { id: "a", consent: ["ci", "lockfiles"] },
      { id: "b" },
      { id: "c", consent: ["ci"] },
    ];
    const text = shown(tasks, {}, { enforce: "fail" });
    expect(text).toContain(
      [
        "guarded  a  may change ci, lockfiles",
        "         c  may change ci",
        "         a change of CI, hooks, lockfiles, agent settings or gate scripts",
        "         without consent fails an attempt",
      ].join("\n"),
    );
    expect(shown([{ id: "c" }])).not.toMatch(/^guarded/m);
  });

  it("says how much of the cost is known, first and below", () => {
    const cost = (low: number, high = low) => ({ timeMs: null, costUsd: { low, high } });
    const tasks = [{ id: "a", estimate: cost(9) }, { id: "b" }, { id: "c" }];
    const head = (text: string) => text.slice(0, text.indexOf("\n\n")).replaceAll("\n", " ");
    const row = (text: string) => /^cost.*(?:\n {9}.*)*/m.exec(text)?.[0].replace(/\s+/g, " ");
    const partly = shown(tasks, {}, { budgetUsd: 20 });
    expect(head(partly)).toContain("(3.0x), at least $9.00, 2 of 3 tasks unknown;");
    expect(row(partly)).toBe(
      "cost $9.00 for 1 of 3 agent tasks, 2 unknown, retries not counted; unclear if the budget of $20.00 is enough",
    );
    expect(row(shown(tasks, {}, { budgetUsd: 5 }))).toContain("; the budget of $5.00 is not enough");
    const whole = shown([{ id: "a", estimate: cost(9) }], {}, { budgetUsd: 20 });
    expect(head(whole)).toContain(", about $9.00;");
    expect(row(whole)).toBe("cost $9.00, retries not counted; the budget of $20.00 is enough");
    expect(row(shown([{ id: "a", estimate: cost(5, 9) }]))).toBe("cost $5.00 to $9.00, retries not counted");
  });

  it("says what needs and what groups allow, and how many slots are of use", () => {
    const three = ["a", "b", "c"].map((id) => ({ id, group: "calls" }));
    const limits = [{ group: "calls" as GroupName, max: 2 }];
    expect(shown([...three, { id: "d" }], { width: 200 }, { limits })).toContain(
      "widest   at most 3 tasks can run at once (4 by their needs, 3 by groups); this run uses 3 of 4 slots\n",
    );
    expect(shown([{ id: "a" }, { id: "b", needs: ["a"] }], { width: 200 })).toContain(
      "widest   at most 1 task can run at once; this run uses 1 of 4 slots\n",
    );
    const six = Array.from({ length: 6 }, (_, i) => ({ id: `t${i}` }));
    expect(shown(six, { width: 200 })).toContain(
      "this run uses 4 of 4 slots; up to 6 slots make it faster\n",
    );
  });

  it("names waves where they begin, and tasks that take no part in them", () => {
    const tasks = [
      { id: "a", wave: 1 },
      { id: "b", wave: 1, needs: ["a"] },
      { id: "c", wave: 4 },
      { id: "free" },
    ];
    const text = shown(tasks);
    expect(text).toContain("sample  4 tasks in 3 steps, 2 waves; claude 4");
    expect(text).toContain("\nwave 1\n1 *a   free (no wave)\n2 *b\nwave 4\n3 *c\n");
    const rows = shown(tasks, { width: 120 }).split("\n");
    expect(rows[4]).toMatch(/^rank task {2}wave {2}needs /);
    expect(rows.slice(5, 9).map((row) => row.slice(0, 22).trimEnd())).toEqual([
      "  1 *a        1",
      "     free     -",
      "  2 *b        1  a",
      "  3 *c        4",
    ]);
  });

  it.each<[Plan["land"], string]>([
    ["end", "on your branch when every task is merged or passed, once the gates are green on the final tree"],
    [
      "partial",
      "on your branch with what is merged when the run ends, even if tasks fail, once the gates are",
    ],
    ["never", "never: the result stays on the integration branch"],
  ])("says what happens at the end: %s", (land, says) => {
    const gates = [gateOf("npm test")];
    const text = shown([{ id: "a", gates }], { width: 140 }, { land, gates });
    expect(text).toContain(`land     ${says}`);
    expect(text).toContain("commands gate  a, final tree  npm test\n");
    expect(text).not.toContain("landing");
  });

  it("says what attempts find around them, and never a value", () => {
    const prepare = { copy: [".env", "local/**"], include: [], envFiles: false, setup: [], teardown: [] };
    const limits = { startMs: 60_000, idleMs: 600_000, totalMs: 7_200_000 };
    const text = shown(
      [
        { id: "a", prepare, env: { TOKEN: "secret" } },
        { id: "b", prepare, gates: [gateOf("npm test", { env: { CI: "secret" } })] },
        { id: "c", limits, retries: 3 },
      ],
      {},
      { context: [{ hash: "x" as never, bytes: 1, file: "docs/rules.md" }] },
    );
    expect(text).toContain("context  before every prompt: docs/rules.md\n");
    expect(text).toContain("copy     a, b  .env, local/**\n");
    expect(text).toContain("env      a              TOKEN\n         gate npm test  CI\n");
    expect(text).toContain(
      "attempts all others  retries 1, fixes 1, 60 s to start, 10 m silent, 45 m in all\n" +
        "         c           retries 3, 2 h in all\n",
    );
    expect(text).not.toContain("secret");
  });

  it("wraps where it is narrow, and cuts nothing", () => {
    const tasks = [
      { id: "page-with-a-long-name", owns: ["src/pages/checkout/address/form.tsx"], estimate: minutes(5) },
      { id: "b", work: { kind: "command" as const, run: shell("npm run docs -- --with-a-long-flag") } },
    ];
    const text = shown(
      tasks,
      { width: 40 },
      { source: { format: "native", path: `${"long/".repeat(12)}plan.yaml`, hash: "x" as never } },
    );
    expect(text).not.toContain("…");
    const joined = text.replace(/\s+/g, " ");
    for (const fact of [
      "2 tasks; claude 1, command 1",
      "page-with-a-long-name",
      "npm run docs -- --with-a-long-flag",
      "write, permission prompts bypassed",
    ])
      expect(joined).toContain(fact);
    expect(text.replace(/\s+/g, "")).toContain("src/pages/checkout/address/form.tsx");
    expect(text.replace(/\s+/g, "")).toContain(`${"long/".repeat(12)}plan.yaml`);
  });

  it("has a row a task from 100 columns on", () => {
    const tasks = [
      { id: "api", estimate: minutes(10) },
      { id: "wire", needs: ["api"], estimate: minutes(5) },
    ];
    const rows = shown(tasks, { width: 100 }).split("\n");
    expect(rows[4]).toMatch(/^rank task {2}needs +est {2}0 +5 +10 +15 m$/);
    expect(rows[5]).toMatch(/^ {2}1 \*api +10m {2}━+$/);
    expect(rows[6]).toMatch(/^ {2}2 \*wire {2}api +5m +━+$/);
    expect(shown(tasks, { width: 99 })).not.toContain("rank task");
  });

  it("shows no chart where there is no room for one", () => {
    expect(shown([{ id: "a" }], { width: 60 })).toContain("critical");
    expect(shown([{ id: "a" }], { width: 59 })).not.toContain("critical");
  });

  it.each([40, 59, 60, 80, 99, 100, 120, 200])("fits %i columns", (width) => {
    const tasks = Array.from({ length: 40 }, (_, i) => ({
      id: `${"long-name-of-a-task-".repeat(i % 4)}t${i}`,
      needs: i === 0 ? [] : [`${"long-name-of-a-task-".repeat((i - 1) % 4)}t${i - 1}`],
      owns: [`src/${"folder/".repeat(i % 9)}**`],
      estimate: minutes(i),
    }));
    for (const set of [glyphs.unicode, glyphs.ascii]) {
      const lines = shown(tasks, { width, glyphs: set }).split("\n");
      expect(lines.filter((line) => cells(line) > width)).toEqual([]);
    }
  });

  it("shows what text from the plan would hide, and nothing raw", () => {
    const hostile = "\u001b[2J\u202e";
    const text = shown(
      [
        {
          id: "a",
          title: hostile,
          work: agentWork(`x${hostile}`, { tools: { allow: [hostile], deny: [] } }),
        },
        { id: "b", work: { kind: "command", run: shell(`echo ${hostile}`) } },
      ],
      { width: 120 },
      { name: `plan ${hostile}` },
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).toContain("plan <U+001B>[2J<U+202E>");
    expect(text).toContain("echo <U+001B>[2J<U+202E>");
  });

  it("is ASCII when asked", () => {
    const tasks = [
      { id: "a", owns: ["src/**"] },
      { id: "b", needs: ["a"] },
    ];
    for (const width of [40, 80, 120]) {
      expect(shown(tasks, { width, glyphs: glyphs.ascii })).toMatch(/^[\n\x20-\x7e]*$/);
    }
  });

  it("counts what it does not show", () => {
    const tasks = Array.from({ length: 30 }, (_, i) => ({ id: `t${i}`, owns: [`src/${i}/**`] }));
    const text = shown(tasks);
    expect(text).toContain("         and 18 more, all with --json\n");
    expect(text).toContain("write, permission prompts bypassed");
    expect(text).toMatch(/access {3}t0, t1, .*\+2\d {2}write/);
  });

  it("shows commands whole", () => {
    const line = `node scripts/build.mjs ${"--flag ".repeat(12)}--last`;
    const text = shown([{ id: "a", work: { kind: "command", run: shell(line) } }]);
    const words = text.slice(text.indexOf("commands")).split(/\s+/);
    expect(words.filter((word) => word === "--flag")).toHaveLength(12);
    expect(words).toContain("--last");
  });

  it("cuts only a command that would fill the page", () => {
    const text = shown([{ id: "a", work: { kind: "command", run: shell("word ".repeat(300)) } }]);
    expect(text.match(/\bword\b/g)?.length).toBeLessThan(90);
    expect(text).toContain("word …\n");
  });

  it("ends with the count of warnings and the next command", () => {
    expect(
      shown([{ id: "a" }], { warnings: 2 })
        .trimEnd()
        .split("\n")
        .at(-1),
    ).toBe(`plan is valid, 2 warnings${" ".repeat(40)}next  plait run`);
    expect(shown([{ id: "a" }], { width: 24 })).toMatch(/plan is valid\nnext {2}plait run\n$/);
  });
});

function shown(
  tasks: SampleTask[],
  view: Partial<Parameters<typeof renderPlan>[1]> = {},
  rest: Partial<Plan> = {},
) {
  const lines = renderPlan(preview(samplePlan(tasks, rest), { slots: 4 }), {
    width: 80,
    glyphs: glyphs.unicode,
    warnings: 0,
    each: [],
    maxTasks: 100,
    next: plait("run"),
    ...view,
  });
  return paint(lines, { colours: false });
}
