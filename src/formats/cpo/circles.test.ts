import { expect, test } from "vitest";
import { circularNeeds } from "./circles.ts";

const at = (line: number) => ({ file: "tasks/x.md", start: { line, col: 8 }, end: { line, col: 9 } });
const tasks = (needs: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(needs).map(([id, list], n) => ({
    id: { value: id, at: at(10 * n) },
    needs: list.map((value, m) => ({ value, at: at(10 * n + m + 1) })),
  }));

test("tasks that wait for one another are a circle, told once and at one of its needs", () => {
  const found = circularNeeds(tasks({ a: ["z", "b"], b: ["c"], c: ["a"], z: [], y: ["a", "none"] }));
  expect(found.map(({ code, message, at: place }) => [code, message, place?.start.line])).toEqual([
    ["cycle", "circular dependency detected: `a -> b -> c -> a`", 2],
  ]);
});

test("a long circle is drawn by its ends; none is none", () => {
  const ring = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`t${i}`, [`t${(i + 1) % 40}`]]));
  expect(circularNeeds(tasks(ring))[0]?.message).toMatch(/`t0 -> t1 -> .* -> … -> .* -> t0 \(40 tasks\)`$/);
  expect(circularNeeds(tasks({ a: [], b: ["a"], c: ["a", "b"] }))).toEqual([]);
});
