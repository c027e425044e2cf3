import { describe, expect, test } from "vitest";
import { showRun } from "../../src/cli/compat/parallel-orchestra/dashboard.ts";
import {
  blockLines,
  lastLine,
  signsOfLife,
  statusLine,
  taskViews,
} from "../../src/cli/compat/parallel-orchestra/task-views.ts";
import { glyphs } from "../../src/cli/render/glyphs.ts";
import type { Activity } from "../../src/core/activity.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import type { RunListener, RunView } from "../../src/core/run-view.ts";
import { shownAction } from "../../src/report/parallel-orchestra/waits.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { Scenario } from "../support/scenario.ts";

const USAGE = { costUsd: null, inputTokens: null, outputTokens: null };

function viewsOf(run: Scenario, actions: { [attempt: string]: string } = {}, resumed: string[] = []) {
  const activity = new Map<AttemptId, Activity>(
    Object.entries(actions).map(([id, action]) => {
      const attempt = id as AttemptId;
      return [attempt, { attempt, at: run.now, action, usage: USAGE }];
    }),
  );
  return taskViews(run.state, run.now, activity, new Set(resumed));
}

/** One of each kind. */
function someRun(): Scenario {
  const ids = ["after", "bad", "done", "old", "quick", "slow", "wait"];
  const needs: { [id: string]: string[] } = { after: ["bad"], wait: ["slow"] };
  const run = new Scenario(
    ids.map((id) => ({ id, retries: 0, needs: needs[id] ?? [] })),
    { policy: { slots: 9 } },
  );
  run.work("old/1").merge();
  run.start("done/1").later(2_000).end("done/1", null, { outputTokens: 12_345 }).save("done/1").merge();
  run.start("bad/1").end("bad/1", { reason: "crash", detail: "" }).save("bad/1");
  return run.start("slow/1").later(61_000).start("quick/1").later(3_000);
}

describe("the dashboard", () => {
  test("shows every task with what it does", () => {
    const views = viewsOf(someRun(), { "slow/1": "Edit src/a.ts" }, ["old"]);
    expect(blockLines(views, false)).toEqual([
      "parallel-orchestra running",
      "  [after] -",
      "    └ skipped (dependency failed)",
      "  [bad]  0s ✗",
      "    └ failed",
      "  [done]  2s ✓",
      "    └ complete!! 2s  (12,345 tokens)",
      "  [old]  0s »",
      "    └ already done",
      "  [quick]  3s",
      "    └ starting up... 3s",
      "  [slow]  64s",
      "    └ Edit src/a.ts",
      "  [wait]",
      "    └ waiting...",
    ]);
    expect(blockLines(views, true)[0]).toBe("parallel-orchestra done (1/7 succeeded, 1 failed)");
    expect(statusLine(views, 64)).toBe(
      "[64s] running: quick 3s, slow 64s | waiting: wait | done: after -, bad ✗, done ✓, old -",
    );
    expect(lastLine(views)).toBe("[done] 1/7 succeeded, 1 failed, 2 skipped/resumed");
    expect(signsOfLife(views)).toEqual(["[quick] starting up... 3s", "[slow] running... 64s"]);
  });

  test("an agent that has said nothing for long thinks", () => {
    const views = viewsOf(someRun());
    expect(blockLines(views, false)).toContain("    └ thinking...");
    expect(signsOfLife(views)).toContain("[slow] thinking... 64s");
  });

  test.each([
    ["Edit src/a.ts", "Edit src/a.ts"],
    ["\u001b[31mBash\u001b[0m rm\u0007 -rf", "Bash rm -rf"],
    ["\u001b]0;title\u0007Read", "Read"],
    ["a\u202eb\u200bc\u2066d", "abcd"],
    ["two\nlines", "two lines"],
    ["x".repeat(60), `${"x".repeat(42)}...`],
  ])("%j is shown as %j", (text, expected) => {
    expect(shownAction(text)).toBe(expected);
  });

  const LOOK = { colours: false, glyphs: glyphs.unicode };

  function shownIn(mode: "block" | "lines" | "signs", rows = 50, run = someRun()) {
    const clock = createManualClock();
    let listener: RunListener = {};
    const view = {
      ...{ run: run.state.run, folder: "", state: () => run.state, now: () => run.now },
      activity: () => new Map(),
      subscribe: (given: RunListener) => {
        listener = given;
        return () => undefined;
      },
    } satisfies RunView;
    let text = "";
    const io = {
      write: (more: string, flushed: (ok: boolean) => void) => {
        text += more;
        flushed(true);
      },
      ...{ columns: () => 30, rows: () => rows, onResize: () => () => undefined, ...LOOK },
    };
    const dashboard = showRun(view, mode, { io, clock, resumed: new Set() });
    const fact = () => listener.fact?.(run.facts[0] as never, run.state, run.state);
    return { text: () => text, clock, dashboard, fact };
  }

  test("in a log: a line at most every five seconds, at least every thirty, and one at the end", () => {
    const { text, clock, dashboard, fact } = shownIn("lines");
    const count = () => text().split("\n").length - 1;
    clock.advance(1_000);
    for (let n = 0; n < 5; n += 1) fact();
    expect(count()).toBe(0);
    clock.advance(4_000);
    expect(count()).toBe(1);
    fact();
    clock.advance(4_900);
    expect(count()).toBe(1);
    clock.advance(100);
    expect(count()).toBe(2);
    clock.advance(29_900);
    expect(count()).toBe(2);
    clock.advance(100);
    expect(count()).toBe(3);
    dashboard.end();
    expect(text().trimEnd().split("\n").at(-1)).toMatch(/^\[done\] /);
  });

  test("without one: a sign of life of each agent every five seconds", () => {
    const { text, clock, dashboard, fact } = shownIn("signs");
    fact();
    clock.advance(4_999);
    expect(text()).toBe("");
    clock.advance(1);
    expect(text()).toBe("[quick] starting up... 3s\n[slow] thinking... 64s\n");
    dashboard.end();
    clock.advance(60_000);
    expect(text().split("\n")).toHaveLength(3);
  });

  test("in a terminal: painted over itself, no line too long, no block too high, and the end stays", () => {
    const { text, clock, dashboard } = shownIn("block", 8);
    clock.advance(0);
    const first = text().split("\n");
    expect(first.join("\n")).toContain("parallel-orchestra running");
    expect(first.join("\n")).toContain("more lines");
    expect(first.length).toBeLessThanOrEqual(9);
    dashboard.end();
    expect(text()).toContain("parallel-orchestra done (2/7 succeeded, 1 failed)");
    expect(text()).toContain("    └ skipped (dependency failed)");
  });

  const LIMITED = { reason: "rate-limit", retryAfterMs: 60_000, detail: "429" } as const;
  const wallTime = (at: number) => new Date(at).toTimeString().slice(0, 8);

  test("a limit is told of each task that waits for it, once, with its end, and by the dashboard too", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["b"] }], { policy: { slots: 1 } });
    const { text, clock, fact } = shownIn("signs", 50, run);
    run.start("a/1").end("a/1", LIMITED).save("a/1");
    fact();
    const until = wallTime(run.now + 60_000);
    const lines = [
      `[a] waiting: rate limit of claude until ${until}`,
      `[b] waiting: rate limit of claude until ${until}`,
    ];
    expect(text().trimEnd().split("\n")).toEqual(lines);
    fact();
    clock.advance(29_000);
    expect(text().trimEnd().split("\n")).toEqual(lines);
    // Nothing else is heard: so it is said again.
    clock.advance(1_000);
    expect(text().trimEnd().split("\n")).toEqual([...lines, ...lines]);
    const views = viewsOf(run);
    expect(blockLines(views, false)).toContain(`    └ waiting: rate limit of claude until ${until}`);
    expect(statusLine(views, 1)).toContain(`waiting: a (rate limit of claude until ${until}), b (rate`);
    expect(statusLine(views, 1)).toMatch(/, c$/);
  });

  test.each([
    [
      { reason: "auth", detail: "" },
      /^\[a\] waiting: claude is not logged in; log in and the run continues$/,
    ],
    [{ reason: "billing", detail: "" }, /^\[a\] waiting: fix the billing of claude/],
    [{ reason: "crash", detail: "oh" }, /^\[a\] waiting: agent crashed: oh; next try at \d\d:\d\d:\d\d$/],
  ] as const)("%j is told as a wait", (failure, line) => {
    const run = new Scenario([{ id: "a", retries: 1 }]);
    const { text, fact } = shownIn("lines", 50, run);
    run.start("a/1").end("a/1", failure).save("a/1");
    fact();
    expect(text().trimEnd()).toMatch(line);
  });

  test("many that wait are not told one by one", () => {
    const ids = Array.from({ length: 30 }, (_, n) => `t${n + 10}`);
    const run = new Scenario(ids.map((id) => ({ id })));
    const { text, fact } = shownIn("signs", 50, run);
    run.start("t10/1").end("t10/1", LIMITED).save("t10/1");
    fact();
    expect(text().trimEnd().split("\n")).toHaveLength(11);
    expect(text()).toContain("and 20 more tasks wait\n");
  });
});
