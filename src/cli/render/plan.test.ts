import { describe, expect, it } from "vitest";
import { agentWork, minutes, type SampleTask, samplePlan, shell } from "../../../test/support/sample-plan.ts";
import type { Plan } from "../../core/plan.ts";
import { preview } from "../../core/select/preview/preview.ts";
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
      "sample  3 tasks, 2 needs, 2 ranks                                      plan.yaml",
      "about 17 m on 4 slots, about 21 m one after another (1.2x); 1 time guessed (~)",
      "agents with full access: permission prompts bypassed, no sandbox",
      "",
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

  it("says what the times leave out: attempts side by side, and tasks held for a person", () => {
    const text = shown([{ id: "a", race: 2 }, { id: "b", approve: true }, { id: "c" }]);
    expect(text).toContain("race     a  2 attempts at once, a slot each; the times count one\n");
    expect(text).toContain("approve  b  held for you before the merge; the times do not count that\n");
    expect(shown([{ id: "c" }])).not.toMatch(/^(race|approve)/m);
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
    expect(text.match(/\bword\b/g)?.length).toBeLessThan(60);
    expect(text).toContain("word …\n");
  });

  it("ends with the count of warnings and the next command", () => {
    expect(
      shown([{ id: "a" }], { warnings: 2 })
        .trimEnd()
        .split("\n")
        .at(-1),
    ).toBe(`plan is valid, 2 warnings${" ".repeat(41)}next  plait go`);
    expect(shown([{ id: "a" }], { width: 24 })).toMatch(/plan is valid\nnext {2}plait go\n$/);
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
    next: "plait go",
    ...view,
  });
  return paint(lines, { colours: false });
}
