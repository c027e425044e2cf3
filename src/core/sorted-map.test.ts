import fc from "fast-check";
import { expect, test } from "vitest";
import { entries, first, firstAbove, get, has, remove, type SortedMap, set } from "./sorted-map.ts";

const size = (map: SortedMap<number, unknown>): number => map?.size ?? 0;

type Step = { readonly op: "set" | "remove"; readonly key: number };

const steps = fc.array(
  fc.record({ op: fc.constantFrom("set", "set", "remove"), key: fc.integer({ min: 0, max: 60 }) }),
  {
    maxLength: 300,
  },
) as fc.Arbitrary<Step[]>;

test("it holds what a plain map holds, in order, and old versions stay as they were", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: -1, max: 61 }), (list, probe) => {
      let map: SortedMap<number, number> = null;
      const model = new Map<number, number>();
      const versions: [SortedMap<number, number>, [number, number][]][] = [];
      list.forEach(({ op, key }, n) => {
        map = op === "set" ? set(map, key, n) : remove(map, key);
        if (op === "set") model.set(key, n);
        else model.delete(key);
        if (n % 50 === 0) versions.push([map, [...model].sort(([a], [b]) => a - b)]);
      });
      const expected = [...model].sort(([a], [b]) => a - b);
      expect([...entries(map)]).toEqual(expected);
      expect(size(map)).toBe(model.size);
      expect(first(map)?.key).toBe(expected[0]?.[0]);
      expect(firstAbove(map, probe)?.key).toBe(expected.find(([key]) => key > probe)?.[0]);
      expect(get(map, probe)).toBe(model.get(probe));
      expect(has(map, probe)).toBe(model.has(probe));
      for (const [version, then] of versions) expect([...entries(version)]).toEqual(then);
    }),
  );
});

test("it stays shallow whatever the order of the keys", () => {
  const depth = (map: SortedMap<number, true>): number =>
    map === null ? 0 : 1 + Math.max(depth(map.left), depth(map.right));
  let rising: SortedMap<number, true> = null;
  for (let key = 0; key < 4096; key += 1) rising = set(rising, key, true);
  expect(depth(rising)).toBeLessThanOrEqual(24);
  for (let key = 0; key < 4000; key += 1) rising = remove(rising, key);
  expect(size(rising)).toBe(96);
  expect(depth(rising)).toBeLessThanOrEqual(12);
});

test("removing what is not there gives the same map", () => {
  const map = set(set(null, 1, "a"), 2, "b");
  expect(remove(map, 3)).toBe(map);
});
