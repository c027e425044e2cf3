import { expect, test } from "vitest";
import { atMost } from "./at-most.ts";

test("no more works are under way than may be, each gets its turn, and one that fails gives its place back", async () => {
  const gate = atMost(2);
  let [running, most] = [0, 0];
  const work = (n: number) =>
    gate(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      if (n === 1) throw new Error("no");
      return n;
    }).catch(() => -1);
  expect(await Promise.all([0, 1, 2, 3, 4, 5].map(work))).toEqual([0, -1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});
