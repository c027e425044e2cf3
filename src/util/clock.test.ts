import { expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { ownTimers, systemClock } from "./clock.ts";

it("a manual clock fires timers at their moments, in order, also those set on the way", () => {
  const clock = createManualClock(1_000);
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name}@${clock.monotonic()}/${clock.now()}`);
  clock.setTimer(20, note("b"));
  clock.setTimer(10, () => {
    note("a")();
    clock.setTimer(5, note("a2"));
  });
  clock.setTimer(30, note("never")).cancel();
  clock.advance(25);
  expect(seen).toEqual(["a@10/1010", "a2@15/1015", "b@20/1020"]);
  expect([clock.monotonic(), clock.pending()]).toEqual([25, 0]);
});

it("a manual clock that sleeps fires late", () => {
  const clock = createManualClock();
  const seen: number[] = [];
  clock.setTimer(10, () => void seen.push(clock.monotonic()));
  clock.sleep(5_000);
  expect(seen).toEqual([5_000]);
});

it("an owner cancels all of its timers, and those of nobody else", () => {
  const clock = createManualClock();
  const seen: string[] = [];
  const timers = ownTimers(clock);
  timers.after(1, () => void seen.push("first"));
  timers.after(5, () => void seen.push("mine"));
  clock.setTimer(5, () => void seen.push("theirs"));
  clock.advance(2);
  timers.cancelAll();
  clock.advance(10);
  expect(seen).toEqual(["first", "theirs"]);
});

it("the system's clock takes a timer longer than setTimeout does, and one in the past", async () => {
  let tooEarly = false;
  const far = systemClock.setTimer(2 ** 40, () => {
    tooEarly = true;
  });
  await new Promise<void>((resolve) => {
    systemClock.setTimer(-5, () => systemClock.setTimer(5, resolve));
  });
  far.cancel();
  expect(tooEarly).toBe(false);
});
