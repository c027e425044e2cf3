import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest } from "./suggest.ts";

test.each([
  ["bild", ["test", "build", "lint"], "build"],
  ["biuld", ["test", "build"], "build"],
  ["API", ["apo", "api"], "api"],
  ["user-modle", ["user-model", "user-mode"], "user-model"],
  ["auth", ["auto", "auth-server", "auth-api"], "auth-api"],
  ["databse", ["database", "databases"], "database"],
])("%s among %j is taken for %s", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test.each([
  ["build", ["deploy", "lint"]],
  ["a", ["b", "ab"]],
  ["ts", ["js"]],
  ["build", []],
  ["build", ["build"]],
])("%s has nothing near in %j", (word, candidates) => {
  expect(nearest(word, candidates)).toBeNull();
});

test("a swap of neighbours is one mistake, not two", () => {
  expect(nearest("tset", ["test"])).toBe("test");
  expect(nearest("tsxt", ["teat"])).toBeNull();
});

test("among equally near names the first in the list wins", () => {
  expect(nearest("task-3", ["task-1", "task-2"])).toBe("task-1");
  expect(nearest("task-3", ["task-2", "task-1"])).toBe("task-2");
});

test("an answer is always one of the candidates and never the word itself", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "A", "-"), maxLength: 8 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (word, candidates) => {
      const answer = nearest(word, candidates);
      expect(answer === null || (candidates.includes(answer) && answer !== word)).toBe(true);
    }),
  );
});
