import { expect, test } from "vitest";
import { LONGEST_WARMUP_MS, openCacheWarmup } from "./cache-warmup.ts";

function openAt() {
  let now = 0;
  const timers = new Set<{ at: number; fire: () => void }>();
  const warmup = openCacheWarmup({
    monotonic: () => now,
    setTimer: (delayMs, fire) => {
      const timer = { at: now + delayMs, fire };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of [...timers]) if (timer.at <= now) timer.fire();
  };
  return { warmup, pass, timers };
}

test("attempts of a prefix wait until the first has an answer, others do not", async () => {
  const { warmup, timers } = openAt();
  const first = warmup.enter("a");
  expect(first.wait).toBeNull();
  const second = warmup.enter("a");
  expect(second.wait).not.toBeNull();
  expect(warmup.enter("b").wait).toBeNull();
  second.answered(); // not the first
  expect(warmup.enter("a").wait).not.toBeNull();
  first.answered();
  await second.wait;
  expect(warmup.enter("a").wait).toBeNull();
  expect(timers.size).toBe(1); // of b
});

test("nothing waits longer than the limit, and a forgotten prefix is written again", async () => {
  const { warmup, pass } = openAt();
  warmup.enter("a");
  const second = warmup.enter("a");
  pass(LONGEST_WARMUP_MS);
  await second.wait;
  expect(warmup.enter("a").wait).toBeNull();
  pass(5 * 60_000 + 1);
  expect(warmup.enter("a").wait).toBeNull(); // the first again
  expect(warmup.enter("a").wait).not.toBeNull();
});
