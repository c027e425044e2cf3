import { describe, expect, test } from "vitest";
import { analyzeSample, brief, draftOf, type TaskSample } from "../../../test/support/drafts.ts";

const find = (tasks: readonly TaskSample[], strict = false) =>
  analyzeSample(draftOf(tasks), { strict }).diagnostics;

describe("tasks that may run together", () => {
  test("are told once a pair, by the most certain of their claims", () => {
    const tasks = [
      { id: "a", owns: ["src/@(x)", "src/a.ts", "lib/"] },
      { id: "b", owns: ["src/a.ts", "lib/b"] },
    ];
    expect(brief(find(tasks))).toEqual(["error ownership-overlap 22:1"]);
  });

  test("may claim different symbols of one file", () => {
    const tasks = [
      { id: "a", owns: ["m.py::A", "m.py::B.x"] },
      { id: "b", owns: ["m.py::B.y", "m.py::C"] },
    ];
    expect(find(tasks)).toEqual([]);
    expect(brief(find([...tasks, { id: "c", owns: ["m.py::B"] }]))).toEqual([
      "error ownership-overlap 32:1",
      "error ownership-overlap 32:1",
    ]);
  });

  test("do not collide with a read-only task", () => {
    const tasks: TaskSample[] = [
      { id: "a", owns: ["x"] },
      { id: "b", owns: ["x"], access: "read-only" },
    ];
    expect(brief(find(tasks))).toEqual(["warning read-only-owns 22:1"]);
  });

  test("collide also when they are commands", () => {
    const tasks = [
      { id: "a", owns: ["x"], command: "make" },
      { id: "b", owns: ["x"] },
    ];
    expect(brief(find(tasks))).toEqual(["error ownership-overlap 22:1"]);
  });

  test("are told how to avoid it", () => {
    const hintOf = (...tasks: TaskSample[]) => find(tasks)[0]?.hint;
    expect(hintOf({ id: "a", owns: ["*"] }, { id: "b", owns: ["src"] })).toBe(
      "if `src` is a folder, write `src/`",
    );
    expect(hintOf({ id: "a", owns: ["*"], wave: 1 }, { id: "b", owns: ["x.ts"], wave: 1 })).toBe(
      "move `b` to a later wave, or narrow one of the claims",
    );
  });
});

describe("tasks that are ordered", () => {
  test("may claim the same path, however long the way between them", () => {
    const tasks = [
      { id: "a", owns: ["x"] },
      { id: "b", needs: ["a"] },
      { id: "c", needs: ["b"], owns: ["x"] },
    ];
    expect(brief(find(tasks))).toEqual(["note unclaimed 20:1"]);
  });

  test("must not both create it; unordered ones are told only that", () => {
    const [a, b] = [
      { id: "a", owns: ["create {x,y}.ts"] },
      { id: "b", owns: ["create y.ts", "create z.ts"] },
    ];
    expect(find([a, b])).toMatchObject([
      { code: "created-twice", message: "`a` and `b` both create `y.ts`" },
    ]);
    expect(find([a, { ...b, needs: ["a"] }])).toMatchObject([{ code: "created-twice" }]);
    expect(find([a, { id: "b", needs: ["a"], owns: ["modify y.ts"] }])).toEqual([]);
    expect(
      find([
        { id: "a", owns: ["create t/*"] },
        { id: "b", needs: ["a"], owns: ["create t/*"] },
      ]),
    ).toEqual([]);
  });
});

describe("what cannot be decided", () => {
  const tasks = [
    { id: "a", owns: ["!x"] },
    { id: "b", owns: ["y"] },
  ];

  test("is a warning, and an error when asked for", () => {
    expect(brief(find(tasks))).toEqual(["warning ownership-unsure 22:1"]);
    expect(brief(find(tasks, true))).toEqual(["error ownership-unsure 22:1"]);
    expect(analyzeSample(draftOf(tasks), { strict: true }).plan).toBeNull();
  });

  test("a glob for all tests and a source file are no matter, a folder's name is", () => {
    expect(
      find([
        { id: "a", owns: ["**/*.test.ts"] },
        { id: "b", owns: ["src/a.ts", "Makefile"] },
      ]),
    ).toEqual([]);
    expect(
      find([
        { id: "a", owns: ["**/*.test.ts"] },
        { id: "b", owns: ["src"] },
      ]),
    ).toMatchObject([{ code: "ownership-unsure", hint: "write `src/` if it is a folder" }]);
    expect(
      find([
        { id: "a", owns: ["**/*.test.ts"] },
        { id: "b", owns: ["src/"] },
      ]),
    ).toMatchObject([{ code: "ownership-overlap" }]);
  });

  test("own claims and boundary are treated alike", () => {
    expect(find([{ id: "a", owns: ["src/a.ts"], boundary: ["**/*.test.ts"] }])).toEqual([]);
    expect(brief(find([{ id: "a", owns: ["src"], boundary: ["**/*.test.ts"] }]))).toEqual([
      "warning ownership-unsure 13:1",
    ]);
    expect(brief(find([{ id: "a", owns: ["a.py::A"], boundary: ["a.py"] }]))).toEqual([
      "error own-boundary-clash 13:1",
    ]);
  });

  test("a boundary that several claims meet is told once", () => {
    const tasks = [{ id: "a", owns: ["src/@(x)", "src/*.ts", "src/b"], boundary: ["src/"] }];
    expect(brief(find(tasks))).toEqual(["error own-boundary-clash 13:1"]);
  });

  test("claims without end are given up with a word about it", () => {
    const hard = (end: string) => `**/${"*a".repeat(200)}*${end}`;
    const many = Array.from({ length: 60 }, (_, i) => ({ id: `t${i}`, owns: [hard(`${i}x?`)] }));
    expect(brief(find(many)).at(0)).toBe("warning ownership-unsure 1:1");
  });
});

test("a plan in which nobody claims anything gets no note", () => {
  expect(find([{ id: "a" }, { id: "b" }])).toEqual([]);
});
