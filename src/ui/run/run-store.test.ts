import { describe, expect, test } from "vitest";
import { activity, ended, story } from "../../../test/support/checkout.ts";
import { overview } from "../../core/select/overview.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import { createRunStore, type Moment } from "./run-store.ts";
import type { StoreClock } from "./store-clock.ts";

/** Time that passes when the test says so. */
function manualClock() {
  let now = 1_000;
  let timers: { at: number; readonly ms: number | null; readonly fire: () => void }[] = [];
  const start = (ms: number, fire: () => void, repeats: boolean) => {
    const timer = { at: now + ms, ms: repeats ? ms : null, fire };
    timers.push(timer);
    return () => {
      timers = timers.filter((one) => one !== timer);
    };
  };
  const clock: StoreClock = {
    now: () => now,
    every: (ms, fire) => start(ms, fire, true),
    after: (ms, fire) => start(ms, fire, false),
  };
  const pass = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      now = next.at;
      if (next.ms === null) timers = timers.filter((one) => one !== next);
      else next.at += next.ms;
      next.fire();
    }
    now = end;
  };
  return { clock, pass };
}

type StoreOptions = { readonly isRunning?: boolean; readonly isFile?: boolean };

function storeOf(run = story(), { isRunning = true, isFile = false }: StoreOptions = {}) {
  const { clock, pass } = manualClock();
  const store = createRunStore(clock);
  let draws = 0;
  store.subscribe(() => {
    draws += 1;
  });
  store.connected({ kind: isFile ? "file" : "open" });
  run.facts.forEach((fact, n) => {
    store.receive({ kind: "fact", n, fact });
  });
  store.receive({ kind: "clock", isRunning, now: run.now });
  store.receive({ kind: "live" });
  return { store, pass, run, draws: () => draws, moment: () => store.moment() as Moment };
}

const paused = (n: number, at: number): RunEvent => ({
  kind: "fact",
  n,
  fact: { v: 1, at, type: "run.paused" },
});

describe("what is heard", () => {
  test("nothing is shown before the past is told", () => {
    const { clock } = manualClock();
    const store = createRunStore(clock);
    store.receive({ kind: "fact", n: 0, fact: story().facts[0]! });
    expect(store.moment()).toBeNull();
    store.receive({ kind: "live" });
    expect(store.moment()?.state.run).toBe("checkout-k7f2");
  });

  test("a run that somebody takes is driven before the next clock says so", () => {
    const { store, run, pass, moment } = storeOf(story(), { isRunning: false });
    const driver = { pid: 1 } as never;
    const fact = { v: 1, at: run.now + 5_000, type: "run.resumed", driver } as const;
    store.receive({ kind: "fact", n: run.facts.length, fact });
    pass(200);
    expect([moment().isRunning, moment().now]).toEqual([true, run.now + 5_200]);
  });

  test("the figures are those that the terminal takes", () => {
    const { run, moment } = storeOf();
    expect(moment()).toMatchObject(overview(run.state, run.now, {}));
  });

  test("a fact that is told twice, or beyond a gap, changes nothing", () => {
    const { store, run, moment } = storeOf();
    const known = run.facts.length;
    store.receive(paused(known - 1, run.now));
    store.receive(paused(known + 3, run.now));
    expect(store.known()).toBe(known);
    expect(moment().state.paused).toBe(false);
    store.receive(paused(known, run.now));
    expect(store.known()).toBe(known + 1);
    expect(moment().state.paused).toBe(true);
  });

  test("activity is of live attempts only", () => {
    const { store, moment, run } = storeOf();
    for (const one of activity.values()) store.receive({ kind: "activity", activity: one });
    expect(moment().activity.size).toBe(4);
    const ending = ended().facts.find((fact) => fact.type === "attempt.ended" && fact.attempt === "docs/1")!;
    store.receive({ kind: "fact", n: run.facts.length, fact: ending });
    expect([...moment().activity.keys()]).not.toContain("docs/1");
  });

  test("what cannot be read is said, and everything before it is shown", () => {
    const { store, moment, run } = storeOf();
    store.receive({ kind: "unreadable", n: run.facts.length, problem: "written by a newer plait", hint: "" });
    expect(moment().unreadable?.problem).toBe("written by a newer plait");
    expect(moment().progress.done).toBe(10);
  });
});

describe("the time", () => {
  test("goes on by the driver's clock, and is drawn once a second", () => {
    const { pass, moment, draws, run } = storeOf();
    pass(150);
    const before = draws();
    pass(3_000);
    expect(draws() - before).toBe(3);
    expect(moment().now).toBe(run.now + 3_150);
  });

  test("stands still in a file, and where nobody drives the run", () => {
    const file = storeOf(story(), { isFile: true });
    const before = file.draws();
    file.pass(60_000);
    expect(file.moment().now).toBe(file.run.now);
    expect(file.draws()).toBe(before + 1); // what was told last
    const over = storeOf(ended(), { isRunning: false });
    over.pass(60_000);
    expect(over.moment().now).toBe(over.run.facts.at(-1)?.at);
  });

  test("stands still while the connection is lost, at the last moment that was heard", () => {
    const { store, pass, moment, run } = storeOf();
    pass(2_000);
    store.connected({ kind: "lost", since: 3_000, retryAt: 9_000 });
    pass(5_000);
    store.connected({ kind: "lost", since: 8_000, retryAt: 19_000 });
    pass(5_000);
    expect(moment().now).toBe(run.now + 2_000);
    store.connected({ kind: "open" });
    store.receive({ kind: "clock", isRunning: true, now: run.now + 12_000 });
    expect(moment().now).toBe(run.now + 12_000);
  });

  test("however much happens, it is drawn ten times a second at most, and the last of it is drawn", () => {
    const { store, pass, moment, draws } = storeOf();
    pass(1_000);
    const before = draws();
    const attempt = [...activity.values()][0]!;
    for (let i = 0; i < 500; i += 1) {
      store.receive({ kind: "activity", activity: { ...attempt, action: `step ${i}` } });
      pass(2);
    }
    pass(100);
    expect(draws() - before).toBeLessThanOrEqual(13);
    expect(draws() - before).toBeGreaterThanOrEqual(10);
    expect(moment().activity.get(attempt.attempt)?.action).toBe("step 499");
  });
});

describe("a replay", () => {
  const at = (run: ReturnType<typeof story>, n: number) => run.facts[n]!.at;

  test("shows the state of that moment, and nothing of what agents do now", () => {
    const { store, moment, run } = storeOf(ended(), { isRunning: false });
    for (const one of activity.values()) store.receive({ kind: "activity", activity: one });
    store.seek(at(run, 30) + 1);
    const { upTo, state, replay, activity: doing, isRunning, latest } = moment();
    expect(upTo).toBeGreaterThan(30);
    expect(state.ended).toBeNull();
    expect(replay?.at).toBe(at(run, 30) + 1);
    expect([doing.size, isRunning, latest.ended === null]).toEqual([0, true, false]);
  });

  test("steps fact by fact, also through those of one time", () => {
    const { store, moment, run } = storeOf(ended(), { isRunning: false });
    const all = run.facts.length;
    store.step(-1);
    expect(moment().upTo).toBe(all - 1);
    store.step(-1);
    expect(moment().upTo).toBe(all - 2);
    store.step(1);
    expect(moment().upTo).toBe(all - 1);
    store.step(1);
    expect([moment().upTo, moment().replay]).toEqual([all, null]);
    store.step(1);
    expect(moment().replay).toBeNull();
    store.seek(0);
    store.step(-1);
    expect(moment().upTo).toBe(1);
  });

  test("plays at its speed to the end, and then shows what happens now", () => {
    const { store, pass, moment, run } = storeOf(ended(), { isRunning: false });
    store.play(64);
    const { at: begun } = moment().replay!;
    expect(begun).toBe(at(run, 0));
    pass(10_000);
    expect(moment().replay?.at).toBe(begun + 640_000);
    store.play(null);
    pass(10_000);
    expect(moment().replay).toMatchObject({ at: begun + 640_000, isPlaying: false, speed: 64 });
    store.play(64);
    pass(60_000);
    expect(moment().replay).toBeNull();
  });

  test("what comes meanwhile is heard and not shown", () => {
    const { store, moment, run, pass } = storeOf();
    store.seek(at(run, 20));
    const { now, upTo } = moment();
    store.receive(paused(run.facts.length, run.now));
    pass(1_000);
    expect([moment().now, moment().upTo, moment().state.paused]).toEqual([now, upTo, false]);
    store.seek(null);
    expect(moment().state.paused).toBe(true);
  });

  test("does not sit through a night in which nobody drove the run", () => {
    const run = story();
    const evening = run.now;
    run.later(8 * 3_600_000).resume();
    const { store, pass, moment } = storeOf(run);
    store.seek(evening);
    expect(moment().upTo).toBe(run.facts.length - 1);
    store.play(1);
    pass(200);
    expect(moment().upTo).toBe(run.facts.length);
  });

  test("a resumed run whose clock goes back keeps its order", () => {
    const run = story();
    run.later(-3_600_000).resume();
    const { store, moment } = storeOf(run);
    expect(moment().upTo).toBe(run.facts.length);
    store.step(-1);
    store.step(-1);
    expect(moment().upTo).toBe(run.facts.length - 2);
    store.seek(at(run, 0) + 1);
    expect(moment().upTo).toBeLessThan(10);
  });
});
