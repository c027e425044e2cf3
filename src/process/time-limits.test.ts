import { describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../test/support/manual-clock.ts";
import { type Expired, type TimeLimits, type Watch, watchLimits } from "./time-limits.ts";

type Trial = { readonly clock: ManualClock; readonly watch: Watch; readonly expired: Expired[] };

function trial(limits: TimeLimits): Trial {
  const clock = createManualClock();
  const expired: Expired[] = [];
  return { clock, expired, watch: watchLimits(limits, clock, (which) => void expired.push(which)) };
}

/** Lets time pass in small steps, each with a turn of the event loop: the judgement waits for one. */
async function pass({ clock }: Trial, ms: number, stepMs = 1_000): Promise<void> {
  for (let done = 0; done < ms; done += stepMs) {
    clock.advance(Math.min(stepMs, ms - done));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const limits = { startMs: 60_000, idleMs: 300_000, totalMs: 3_600_000 };

describe("the start clock", () => {
  it("runs out when no first line comes in time", async () => {
    const it = trial(limits);
    await pass(it, 59_000);
    expect(it.expired).toEqual([]);
    await pass(it, 1_000);
    expect(it.expired).toEqual(["start"]);
    await pass(it, 7_200_000, 60_000);
    expect(it.expired).toEqual(["start"]); // once, and nothing after
  });

  it("is over with the first line", async () => {
    const it = trial(limits);
    await pass(it, 59_000);
    it.watch.heard();
    await pass(it, 200_000);
    expect(it.expired).toEqual([]);
  });
});

describe("the idle clock", () => {
  it("begins anew with each line, and runs out when none comes", async () => {
    const it = trial(limits);
    for (let i = 0; i < 4; i += 1) {
      it.watch.heard();
      await pass(it, 299_000);
    }
    expect(it.expired).toEqual([]);
    await pass(it, 1_000);
    expect(it.expired).toEqual(["idle"]);
  });
});

describe("the total clock", () => {
  it("runs out whatever is heard", async () => {
    const it = trial(limits);
    for (let i = 0; i < 35; i += 1) {
      it.watch.heard();
      await pass(it, 100_000, 10_000);
    }
    expect(it.expired).toEqual([]);
    it.watch.heard();
    await pass(it, 100_000, 10_000);
    expect(it.expired).toEqual(["total"]);
  });
});

describe("a machine that was suspended", () => {
  it("charges its sleep to no clock", async () => {
    for (const heard of [false, true]) {
      const it = trial(limits);
      if (heard) it.watch.heard();
      await pass(it, 30_000);
      it.clock.sleep(8 * 3_600_000);
      await pass(it, 29_000);
      expect(it.expired).toEqual([]);
      await pass(it, 400_000, 10_000);
      expect(it.expired).toEqual([heard ? "idle" : "start"]);
    }
  });

  it("charges what passed awake: a total of an hour is an hour awake, with sleeps in between", async () => {
    const it = trial({ totalMs: 3_600_000 });
    for (let i = 0; i < 35; i += 1) {
      await pass(it, 100_000, 10_000);
      it.clock.sleep(600_000);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(it.expired).toEqual([]);
    await pass(it, 99_000, 1_000);
    expect(it.expired).toEqual([]);
    await pass(it, 1_000);
    expect(it.expired).toEqual(["total"]);
  });

  it("is not taken for one that is slow: a look that comes half a minute late at most is charged", async () => {
    const it = trial({ startMs: 60_000 });
    await pass(it, 50_000);
    it.clock.sleep(39_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(it.expired).toEqual(["start"]);
  });
});

it("a line that waited in the pipe while we were busy counts before the clock does", async () => {
  const it = trial({ idleMs: 5_000 });
  it.watch.heard();
  it.clock.sleep(20_000);
  it.watch.heard(); // read in the same turn of the event loop
  await new Promise((resolve) => setImmediate(resolve));
  expect(it.expired).toEqual([]);
  await pass(it, 5_000);
  expect(it.expired).toEqual(["idle"]);
});

it("limits that are not given never run out, and an ended watch leaves no timer", async () => {
  const it = trial({});
  await pass(it, 86_400_000, 600_000);
  expect(it.expired).toEqual([]);
  it.watch.end();
  expect(it.clock.pending()).toBe(0);
});

it("a watch that ended while it was judging says nothing", async () => {
  const it = trial({ totalMs: 1_000 });
  it.clock.advance(1_000);
  it.watch.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(it.expired).toEqual([]);
});
