import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { ACCOUNT, gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { RunListener, RunView } from "../../app/run-view.ts";
import type { FactBody } from "../../core/facts.ts";
import { glyphs } from "../render/glyphs.ts";
import { type FollowMode, followRun } from "./follow.ts";
import { type ProgressIo, type ProgressStream, streamIo } from "./io.ts";
import { createOutlet } from "./outlet.ts";

function follow(run: Scenario, mode: FollowMode, head = "") {
  const clock = createManualClock();
  const listeners = new Set<RunListener>();
  const written: string[] = [];
  const io: ProgressIo = {
    write: (text, flushed) => {
      written.push(text);
      flushed(true);
    },
    columns: () => 80,
    rows: () => 24,
    onResize: () => () => undefined,
    colours: false,
    glyphs: glyphs.unicode,
  };
  const view: RunView = {
    run: run.state.run,
    folder: "/run",
    state: () => run.state,
    now: () => run.now,
    activity: () => new Map(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const tell = run.fact.bind(run);
  run.fact = (body: FactBody) => {
    const before = run.state;
    tell(body);
    const fact = run.facts.at(-1);
    if (fact !== undefined) for (const { fact: hear } of listeners) hear?.(fact, run.state, before);
    return run;
  };
  const follower = followRun(view, mode, { io, clock, interrupt: "stops", past: [...run.facts], head });
  const lines = () => written.join("").trimEnd().split("\n");
  return { follower, clock, listeners, written, lines };
}

const words = (line: string) => line.slice("14:02:16  ".length);

describe("a run in a log", () => {
  test("has a line for everything that happened", () => {
    const gate = gateOf("npm test");
    const run = new Scenario([{ id: "api" }, { id: "page", needs: ["api"], retries: 0 }], {
      plan: { gates: [gate] },
    });
    const { lines, follower } = follow(run, "plain");
    run.work("api/1").judge(gate, "work api/1").build().judge(gate, "merge api/1").advance();
    run.work("page/1").judge(gate, "work page/1", "red");
    follower.say("said by somebody\n");
    expect(lines()[0]).toMatch(/^\d\d:\d\d:\d\d {2}api {4}start {5}claude$/);
    expect(lines().slice(1).map(words)).toEqual([
      expect.stringMatching(/^api {4}merged {4}[0-9a-f]{7} {2}0:00 {2}gates 1 green$/),
      "page   start     claude",
      'page   failed    gate "npm test" red, 1 of 2 failed, work saved',
      "mebody",
    ]);
  });

  test("has a sign of life after each half minute of silence, and none before", () => {
    const run = new Scenario([{ id: "api" }, { id: "page" }], { policy: { budgetUsd: 40 } });
    const { clock, lines, written } = follow(run, "plain");
    clock.advance(20_000);
    run.start("api/1");
    clock.advance(29_000);
    expect(lines()).toHaveLength(1);
    clock.advance(1_000);
    expect(lines().map(words)[1]).toBe("-- 0 of 2 done, 1 running, 0 queued, - of $40.00");
    clock.advance(60_000);
    expect(lines()).toHaveLength(4);
    expect(written).toHaveLength(4);
    const resetsAt = (run.now + 3_600_000) as typeof run.now;
    run.end("api/1", { reason: "usage-limit", resetsAt, detail: "" }).save("api/1");
    clock.advance(30_000);
    expect(lines().map(words).slice(-2)).toEqual([
      expect.stringMatching(/^-- 0 of 2 done, 0 running, 0 queued/),
      expect.stringMatching(/^-- 2 tasks paused until \d\d:\d\d: claude usage limit$/),
    ]);
  });

  test("shows a pause as soon as it is known: at the start, on a resume, and after a probe in vain", () => {
    const run = new Scenario([{ id: "api" }, { id: "page" }]);
    run.start("api/1").end("api/1", { reason: "auth", detail: "" }).save("api/1");
    const { lines } = follow(run, "plain", "head\n");
    const pause = expect.stringMatching(
      /^-- 2 tasks paused \(next check at [\d:]+\): claude is not logged in$/,
    );
    expect(lines()[0]).toBe("head");
    expect(lines().slice(1).map(words)).toEqual([pause]);
    run.fact({ type: "account.probed", account: ACCOUNT, ok: false });
    run.fact({ type: "run.paused" });
    expect(lines().slice(2, 3).map(words)).toEqual([pause]);
    expect(lines()).toHaveLength(4);
    run.resume();
    expect(lines().slice(-1).map(words)).toEqual([pause]);
  });

  test("has no lines after its end, and no timer", () => {
    const run = new Scenario([{ id: "api" }]);
    const { clock, written, follower } = follow(run, "plain");
    follower.close();
    run.start("api/1");
    clock.advance(60_000);
    expect([written.length, clock.pending()]).toEqual([0, 0]);
  });

  test("cannot be taken for commands of the system that shows it", () => {
    const run = new Scenario([{ id: "api" }]);
    const { written } = follow(run, "plain");
    run.fact({ type: "task.held", task: taskId("api"), why: "##[error]x\n::error::y\u001b]0;z\u0007" });
    expect(written.join("")).toContain("## [error]x<U+000A>::error::y<U+001B>]0;z<U+0007>\n");
  });
});

test("as JSON a run is its facts, those before included, one object a line", () => {
  const run = new Scenario([{ id: "api" }]);
  const { lines, follower, listeners } = follow(run, "json");
  run.work("api/1").merge();
  run.fact({ type: "run.held", why: "one\u2028two\u202e\u009b\n" });
  follower.say("not a fact\n");
  expect(lines().map((line) => JSON.parse(line))).toEqual(run.facts);
  expect(lines().join("\n")).toMatch(/^[^\p{Cf}\p{Zl}\u0080-\u009f]*$/u);
  follower.close();
  expect(listeners.size).toBe(0);
});

test("a mistake in the showing ends the showing, and not the run", () => {
  const run = new Scenario([{ id: "api" }]);
  const { written, clock, listeners } = follow(run, "plain");
  const { index } = run.state;
  run.state = { ...run.state, index: { ...index, plan: null as never } };
  run.fact({ type: "run.paused" }).fact({ type: "run.unpaused" });
  clock.advance(60_000);
  expect(written).toEqual([
    expect.stringMatching(/^error: bug in plait: the run continues but cannot be shown: .+\n$/),
  ]);
  expect([listeners.size, clock.pending()]).toEqual([0, 0]);
});

test("quiet says nothing", () => {
  const run = new Scenario([{ id: "api" }]);
  const { written, clock } = follow(run, "quiet");
  run.work("api/1").merge();
  clock.advance(60_000);
  expect(written).toEqual([]);
});

describe("text on its way to a slow reader", () => {
  function slow(onFull: Parameters<typeof createOutlet>[0]["onFull"], maxChars = 10) {
    const written: string[] = [];
    const done: ((ok: boolean) => void)[] = [];
    const write: ProgressIo["write"] = (text, flushed) => {
      written.push(text);
      done.push(flushed);
    };
    return {
      outlet: createOutlet({ write, maxChars, onFull }),
      written,
      flush: (ok = true) => done.shift()?.(ok),
    };
  }
  const skip = { kind: "skip", tell: (lost: number) => `(${lost})` } as const;

  test("waits for the write before it and goes in one piece", () => {
    const { outlet, written, flush } = slow(skip);
    for (const text of ["a", "b", "c"]) outlet.push(text);
    expect(written).toEqual(["a"]);
    flush();
    flush();
    expect(written).toEqual(["a", "bc"]);
    expect(outlet.isIdle()).toBe(true);
  });

  test("is left out beyond the limit, and that is told in its place", () => {
    const { outlet, written, flush } = slow(skip);
    for (const text of ["a", "0123456789", "x", "y"]) outlet.push(text);
    for (let n = 0; n < 4; n += 1) flush();
    outlet.push("z");
    expect(written).toEqual(["a", "0123456789", "(2)", "z"]);
  });

  test("ends at the limit where a gap would be a lie", () => {
    const { outlet, written, flush } = slow({ kind: "stop" });
    for (const text of ["a", "0123456789", "x"]) outlet.push(text);
    for (let n = 0; n < 3; n += 1) flush();
    outlet.push("y");
    expect(written).toEqual(["a", "0123456789"]);
  });

  test("ends when the reader is gone", () => {
    const { outlet, written, flush } = slow(skip);
    outlet.push("a");
    outlet.push("b");
    flush(false);
    outlet.push("c");
    expect(written).toEqual(["a"]);
  });
});

test("a stream says its size, when it changes, and whether anybody reads", () => {
  const emitter = new EventEmitter();
  let error: Error | null = null;
  const stream = Object.assign(emitter, {
    columns: 0,
    rows: 50,
    write: (_text: string, done: (error?: Error | null) => void) => {
      done(error);
      return false;
    },
  }) as unknown as ProgressStream & EventEmitter;
  const io = streamIo(stream, { colours: false, glyphs: glyphs.ascii });
  expect([io.columns(), io.rows()]).toEqual([80, 50]);
  const answers: boolean[] = [];
  io.write("x", (ok) => answers.push(ok));
  error = new Error("EPIPE");
  io.write("x", (ok) => answers.push(ok));
  expect(answers).toEqual([true, false]);
  let resized = 0;
  const off = io.onResize(() => {
    resized += 1;
  });
  stream.emit("resize");
  off();
  stream.emit("resize");
  expect(resized).toBe(1);
});
