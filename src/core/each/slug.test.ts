import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { parseTaskId } from "../ids.ts";
import { slug } from "./variables.ts";

test.each([
  ["eu", "eu"],
  ["src/legacy/user-card.js", "src--legacy--user-card.js"],
  ["src/-rf.js", "src---rf.js"],
])("%j is %s, which reads back", (value, expected) => {
  expect(slug(value)).toBe(expected);
});

test.each([
  ["a b.js", /^a-b\.js-[0-9a-z]{7}$/],
  ["übung.js", /^ubung\.js-[0-9a-z]{7}$/],
  [".github/x", /^github--x-[0-9a-z]{7}$/],
  ["yarn.lock", /^yarn-lock-[0-9a-z]{7}$/],
  ["日本", /^[0-9a-z]{7}$/],
  ["a--b", /^a--b-[0-9a-z]{7}$/],
  ["-", /^[0-9a-z]{7}$/],
])("%j loses something, and a hash makes up for it", (value, expected) => {
  expect(slug(value)).toMatch(expected);
});

test("where there is little room the end stays, and the hash", () => {
  expect(slug("src/components/checkout/form.tsx", 20)).toMatch(/^ut--form\.tsx-[0-9a-z]{7}$/);
});

const values = fc.oneof(
  fc.string({ minLength: 1, unit: anyCharacter }),
  fc.string({
    minLength: 1,
    maxLength: 6,
    unit: fc.constantFrom("a", "A", "-", ".", "_", "/", " ", "é", "\n"),
  }),
);

test("whatever the value is, it becomes a good id, alone and behind a prefix", () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 12, max: 60 }), (value, room) => {
      for (const text of [slug(value, 64), slug(value, room)]) {
        expect([value, parseTaskId(text).ok]).toEqual([value, true]);
      }
      expect(slug(value, room).length).toBeLessThanOrEqual(room);
    }),
    { numRuns: 1_000 },
  );
});

test("two values never share one", () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      fc.pre(a !== b);
      expect(slug(a)).not.toBe(slug(b));
    }),
    { numRuns: 5_000 },
  );
});
