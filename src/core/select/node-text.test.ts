import { describe, expect, test } from "vitest";
import { activity, story } from "../../../test/support/checkout.ts";
import { gateOf, type TaskSketch } from "../../../test/support/plans.ts";
import { Scenario, type ScenarioOptions } from "../../../test/support/scenario.ts";
import { listParts, path, plainPart, plainText, type Sentence } from "../text/sentence.ts";
import { formatActorHeading, formatRowReason, formatRowTime, groupByActor } from "./actor-text.ts";
import { type TaskRow, taskRows } from "./task-rows.ts";
import { formatNode, type NodeText } from "./task-status-text.ts";

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 5);

function words(run: Scenario, isRunning = true): { [task: string]: NodeText } {
  const rows = taskRows(run.state, run.now, { activity, isRunning });
  const look = { now: run.now, timeOfDay };
  return Object.fromEntries(rows.map((row) => [row.task, formatNode(run.state, row, look)]));
}

const lines = (run: Scenario, isRunning = true) =>
  Object.fromEntries(Object.entries(words(run, isRunning)).map(([task, { line }]) => [task, line]));

const scenario = (tasks: readonly TaskSketch[], options: ScenarioOptions = {}) =>
  new Scenario(tasks, { now: 0, ...options });

describe("what a node says below its name", () => {
  test("in the run of the design", () => {
    expect(lines(story())).toMatchObject({
      deps: "1:39",
      schema: "6:02 · $1.10",
      i18n: "until 14:55",
      inventory: "checking merged",
      "audit-log": "2nd in queue",
      refunds: "test:unit 0:48",
      "checkout-ui": "15:18 · $2.94",
      emails: "conflict, 0:03",
      tax: "gate test:tax",
      promo: "idle 5:00",
      invoices: "tax failed",
      e2e: "about 9 m",
    });
  });

  test("the number of the attempt from the second on, and how much of its estimate has passed", () => {
    const { tax, webhooks, deps, "checkout-ui": ui } = words(story());
    expect([deps?.mark, webhooks?.mark, tax?.mark]).toEqual([null, "#2", "#3"]);
    expect([deps?.share, tax?.share]).toEqual([null, null]);
    expect(ui?.share).toBeCloseTo(918 / (24 * 60), 2);
  });

  test("what a task waits for, where nobody has estimated it", () => {
    const tasks = [{ id: "a" }, { id: "b" }, { id: "c", needs: ["a", "b"] }, { id: "d", needs: ["a"] }];
    const run = scenario(tasks, { policy: { slots: 1 } }).start("a/1");
    expect(lines(run)).toMatchObject({ b: "for a slot", c: "after a, +1", d: "after a" });
    run.ask({ kind: "pause" }).end("a/1").save("a/1");
    expect(lines(run)).toMatchObject({ a: "merging", b: "paused" });
  });

  test("whose word is missing, who ended it, and what it did without a change", () => {
    const gate = gateOf("check");
    const tasks = [
      { id: "asks", approve: true, gates: [gate] },
      { id: "looks", access: "read-only" as const },
      { id: "dropped" },
      { id: "races", race: 2 },
    ];
    const run = scenario(tasks).work("asks/1").judge(gate, "work asks/1");
    run.start("looks/1").later(192_000).end("looks/1").save("looks/1", { changed: false });
    run
      .ask({ kind: "cancel", task: "dropped" as TaskRow["task"] })
      .start("races/1")
      .start("races/2");
    expect(lines(run)).toMatchObject({
      asks: "approve?",
      looks: "read-only, 3:12",
      dropped: "dropped by you",
    });
    expect(words(run)["races"]?.mark).toBe("×2");
  });

  test("what went wrong and when it goes on, in so few words that the time stays in sight", () => {
    const gate = gateOf("test:everything-there-is");
    const run = scenario([{ id: "a", gates: [gate] }])
      .work("a/1")
      .judge(gate, "work a/1", "red");
    expect(lines(run)["a"]).toMatch(/^red, 0:\d\d$/);
  });

  test("that a resume goes on with it, once nobody drives the run", () => {
    expect(lines(story(), false)["checkout-ui"]).toBe("after a resume");
  });
});

/** The parts that are written as they are typed. */
const listTyped = (one: Sentence): string[] =>
  listParts(one).flatMap((part) => (typeof part === "string" ? [] : [plainPart(part)]));

describe("who moves a task next", () => {
  const run = story();
  const rows = taskRows(run.state, run.now, { activity });
  const groups = groupByActor(rows);
  const told = (row: TaskRow | undefined): string =>
    row === undefined ? "" : plainText(formatRowReason(row, activity));

  test("is told in heads that count what there is", () => {
    const cutOff = taskRows(run.state, run.now, { isRunning: false }).filter(
      ({ status }) => status.kind === "interrupted",
    );
    expect(formatActorHeading(cutOff)).toBe(`${cutOff.length} interrupted`);
    const head = (ball: keyof typeof groups) => formatActorHeading(groups[ball]);
    expect([head("you"), head("agents"), head("plait"), head("clock")]).toEqual([
      "2 failed",
      "4 running",
      "1 checking, 1 merging, 1 queued",
      "1 retrying, 1 paused",
    ]);
  });

  test("with the reason as a sentence, in which names stay as they are typed", () => {
    expect([...groups.you, ...groups.agents.slice(0, 1), ...groups.plait, ...groups.clock].map(told)).toEqual(
      [
        "Gate test:tax red, 1 of 2 failed",
        "No output for 5:00",
        "Edit src/checkout/AddressForm.tsx",
        "Running test:unit",
        "2nd in line",
        "test:unit, gate 1 of 1",
        "Conflict with payments in src/events/bus.ts",
        "gemini usage limit",
      ],
    );
    const [conflict] = groups.clock;
    expect(listTyped(formatRowReason(conflict as TaskRow, activity))).toEqual([
      "payments",
      "src/events/bus.ts",
    ]);
  });

  test("the words of an agent are plain, what a tool gets is typed", () => {
    const [row] = groups.agents;
    const typed = (action: Sentence): string =>
      listTyped(
        formatRowReason(row as TaskRow, new Map([[row?.attempt as never, { action } as never]])),
      ).join("");
    expect(typed("Working on it")).toBe("");
    expect(typed(["Edit ", path("src/a.ts")])).toBe("src/a.ts");
  });

  test("and of what could start, what it waits for", () => {
    const paused = new Scenario([{ id: "a" }]).ask({ kind: "pause" });
    const [row] = taskRows(paused.state, paused.now);
    expect(plainText(formatRowReason(row as TaskRow, new Map()))).toBe("For the run to continue");
  });

  test("and the figure that decides how long one looks at it", () => {
    const time = (row: TaskRow | undefined) => row && formatRowTime(row, { now: run.now, timeOfDay });
    const again = groups.agents.find(({ attempts }) => attempts > 1);
    const [you, agent, plait] = [groups.you[0], groups.agents[0], groups.plait[0]];
    expect([you, agent, again, plait, ...groups.clock].map(time)).toEqual([
      "#3, retry 2 of 2",
      "15:18",
      "#2 8:30",
      "1:06",
      "in 0:03",
      "14:55",
    ]);
  });
});
