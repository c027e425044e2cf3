import { describe, expect, test } from "vitest";
import { analyzeSample, at, brief, draftOf } from "../../../test/support/drafts.ts";

const findings = (...parameters: Parameters<typeof draftOf>) =>
  analyzeSample(draftOf(...parameters)).diagnostics;

describe("needs", () => {
  test("without a name that is near, the hint says what there is", () => {
    const [found] = findings([
      { id: "a", needs: ["zzz"] },
      { id: "b" },
      { id: "c" },
      { id: "d" },
      { id: "e" },
    ]);
    expect(found?.hint).toBe("use one of `a`, `b`, `c`, `d` and 1 more tasks");
  });

  test("a need on an id that is bad or taken twice is not unknown", () => {
    const tasks = [{ id: "bad id" }, { id: "a" }, { id: "a" }, { id: "b", needs: ["bad id", "a"] }];
    expect(brief(findings(tasks))).toEqual(["error bad-id 10:1", "error duplicate-id 30:1"]);
  });

  test("a repeated task that needs its own id needs itself", () => {
    expect(brief(findings([{ id: "a" }, { id: "a", needs: ["a"] }]))).toEqual([
      "error duplicate-id 20:1",
      "error needs-itself 21:1",
    ]);
  });

  test("an unknown need is not taken for missing order", () => {
    const tasks = [
      { id: "a", owns: ["x"] },
      { id: "b", needs: ["aa"], owns: ["x"] },
      { id: "c", needs: ["b"], owns: ["x"] },
    ];
    expect(brief(findings(tasks))).toEqual(["error unknown-need 21:1"]);
  });

  test("tasks in or behind a circle are not compared either", () => {
    const tasks = [
      { id: "a", needs: ["b"], owns: ["x"] },
      { id: "b", needs: ["a"], owns: ["x"] },
      { id: "c", needs: ["b"], owns: ["x"] },
      { id: "d", owns: ["x"] },
    ];
    expect(brief(findings(tasks))).toEqual(["error cycle 10:1"]);
  });
});

describe("circles", () => {
  test("that have nothing in common are told apart; a task that only leads into one is not in it", () => {
    const tasks = [
      { id: "in", needs: ["a"] },
      { id: "a", needs: ["b"] },
      { id: "b", needs: ["a"] },
      { id: "c", needs: ["d", "b"] },
      { id: "d", needs: ["c"] },
    ];
    expect(findings(tasks).map(({ message }) => message)).toEqual([
      "circular dependency detected: `a -> b -> a`",
      "circular dependency detected: `c -> d -> c`",
    ]);
  });

  test("as long as the plan are found, and drawn so that they can be read", () => {
    const tasks = Array.from({ length: 2000 }, (_, i) => ({ id: `t${i}`, needs: [`t${(i + 1) % 2000}`] }));
    const [found, ...others] = findings(tasks);
    expect(others).toEqual([]);
    expect(found?.message).toMatch(/`t0 -> t1 -> .* -> … -> t1998 -> t1999 -> t0 \(2000 tasks\)`$/);
    expect(found?.related).toHaveLength(50);
  });

  test("through waves name the wave", () => {
    const tasks = [
      { id: "a", wave: 1, needs: ["b"] },
      { id: "b", needs: ["c"] },
      { id: "c", wave: 2 },
    ];
    const [found] = findings(tasks);
    expect(found?.message).toBe("circular dependency detected: `a -> b -> c -> a`");
    expect(found?.related.at(-1)).toEqual({ at: at(34), message: "`c` in wave 2 needs `a` in wave 1" });
  });
});

describe("waves", () => {
  test("a need inside a wave contradicts it, and is no circle as well", () => {
    const tasks = [
      { id: "a", wave: 1 },
      { id: "b", wave: 1, needs: ["a"] },
      { id: "c", wave: 0, needs: ["a"] },
    ];
    expect(findings(tasks)).toMatchObject([
      { code: "needs-later-wave", message: "`b` needs `a`, but both are in wave 1" },
      { code: "needs-later-wave", message: "`c` in wave 0 needs `a` in wave 1" },
    ]);
  });

  test("tasks of different waves never run together", () => {
    const tasks = [
      { id: "a", wave: 1, owns: ["x"] },
      { id: "b", wave: 2, owns: ["x"] },
      { id: "c", wave: 5, owns: ["x"] },
    ];
    expect(findings(tasks)).toEqual([]);
  });

  test("a bad wave leaves the order open, which is not reported again", () => {
    const tasks = [
      { id: "a", wave: -1, owns: ["x"] },
      { id: "b", wave: 2, owns: ["x"] },
    ];
    expect(brief(findings(tasks))).toEqual(["error bad-wave 14:1"]);
  });
});
