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
    expect(find([...tasks, { id: "c", owns: ["m.py::B"] }])).toMatchObject([
      { code: "ownership-overlap", message: "`a` and `c` both own `m.py::B.x` and may run in parallel" },
      { code: "ownership-overlap", message: "`b` and `c` both own `m.py::B.y` and may run in parallel" },
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
      "if `src` is a folder, end it with a slash: `src/`",
    );
    expect(hintOf({ id: "a", owns: ["*"], wave: 1 }, { id: "b", owns: ["x.ts"], wave: 1 })).toBe(
      "move `b` to a later `wave`, or narrow `owns`",
    );
    expect(
      hintOf({ id: "a", owns: ["modify x.ts"], wave: 1 }, { id: "b", owns: ["create x.ts"], wave: 1 }),
    ).toBe("move `a` to a later `wave`, or narrow `owns`");
    expect(hintOf({ id: "a", owns: ["create t/*"] }, { id: "b", owns: ["create t/x.ts"] })).toBe(
      "narrow `owns` of one task",
    );
    const shared = { id: "a", owns: ["shared x.ts"] };
    expect(hintOf(shared, { id: "b", owns: ["x.ts"] })).toBe(
      "add `a` to the `needs` of `b`, or mark the path `shared` in `b` too",
    );
    expect(hintOf({ id: "b", owns: ["x.ts"] }, shared)).toBe(
      "add `b` to the `needs` of `a`, or mark the path `shared` in `b` too",
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
    expect(brief(find(tasks))).toEqual(["note no-owns 20:1"]);
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

  test("may create what the glob of another covers, and are warned once a glob", () => {
    const tasks = [
      { id: "a", owns: ["create t/**"] },
      { id: "b", needs: ["a"], owns: ["create t/x.ts", "create t/y/"] },
      { id: "c", needs: ["b"], owns: ["create t/z.ts"] },
    ];
    expect(find(tasks)).toMatchObject([
      {
        code: "created-twice",
        severity: "warning",
        message: "`a` creates `t/**`, which covers `t/x.ts` created by `b` (and 1 more)",
      },
    ]);
    expect(brief(find(tasks, true))).toEqual(["error created-twice 12:1"]);
    expect(
      find([
        { id: "a", owns: ["create X.ts"] },
        { id: "b", needs: ["a"], owns: ["create x.ts"] },
      ]),
    ).toMatchObject([
      { code: "overlap-unclear", hint: "spell both paths the same way, and let `b` use `modify`" },
    ]);
  });
});

describe("what cannot be decided", () => {
  const tasks = [
    { id: "a", owns: ["!x"] },
    { id: "b", owns: ["y"] },
  ];

  test("is a warning, and an error when asked for", () => {
    expect(brief(find(tasks))).toEqual(["warning overlap-unclear 22:1"]);
    expect(brief(find(tasks, true))).toEqual(["error overlap-unclear 22:1"]);
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
    ).toMatchObject([{ code: "overlap-unclear", hint: "if `src` is a folder, end it with a slash: `src/`" }]);
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
      "warning overlap-unclear 13:1",
    ]);
    expect(brief(find([{ id: "a", owns: ["a.py::A"], boundary: ["a.py"] }]))).toEqual([
      "error owns-in-boundary 13:1",
    ]);
  });

  test("a boundary that several claims meet is told once", () => {
    const tasks = [{ id: "a", owns: ["src/@(x)", "src/*.ts", "src/b"], boundary: ["src/"] }];
    expect(brief(find(tasks))).toEqual(["error owns-in-boundary 13:1"]);
  });

  test("claims without end are given up with a word about it", () => {
    const hard = (end: string) => `**/${"*a".repeat(400)}*${end}`;
    const many = Array.from({ length: 60 }, (_, i) => ({ id: `t${i}`, owns: [hard(`${i + 10}[xy]`)] }));
    const [found] = find(many);
    expect(found).toMatchObject({
      code: "overlap-unclear",
      severity: "warning",
      at: { start: { line: 1 } },
      message: expect.stringMatching(
        /^1,\d{3} pairs of globs in `owns` were not compared: the comparison took too long$/,
      ),
      hint: expect.stringMatching(/^list folders or files instead of globs like `\*\*\/\*a\*a/),
    });
  });

  test("syntax that is not taken apart meets itself all the same", () => {
    const both = ["a", "b"].map((id) => ({ id, owns: ["src/@(x|y).ts"] }));
    expect(find(both)).toMatchObject([
      { code: "ownership-overlap", message: "`a` and `b` both own `src/@(x|y).ts` and may run in parallel" },
    ]);
  });
});

describe("letters that some file systems do not tell apart", () => {
  test.each([
    ["Makefile", "makefile", "`Makefile` and `makefile` are the same path if case is ignored"],
    ["Docs/", "docs/a.md", "`Docs/` and `docs/a.md` are the same path if case is ignored"],
    ["src/A/**", "SRC/a", "`src/A/` and `SRC/a` are the same path if case is ignored"],
    [
      "caf\u00e9.md",
      "cafe\u0301.md",
      "`caf\u00e9.md` and `cafe\u0301.md` are the same path if accents are normalized",
    ],
  ])("%s and %s may be one", (one, other, why) => {
    const tasks = [
      { id: "a", owns: [one] },
      { id: "b", owns: [other] },
    ];
    expect(find(tasks)).toMatchObject([
      {
        code: "overlap-unclear",
        severity: "warning",
        message: `\`a\` and \`b\` may overlap (${why})`,
        hint: "spell both paths the same way, or add `a` to the `needs` of `b`",
      },
    ]);
    expect(find([tasks[0] as TaskSample, { id: "b", owns: [other], needs: ["a"] }])).toEqual([]);
  });

  test("are no matter between a path and what is beside it", () => {
    expect(
      find([
        { id: "a", owns: ["Make"] },
        { id: "b", owns: ["makefile", "mak/e"] },
      ]),
    ).toEqual([]);
  });
});

test("a plan in which nobody claims anything gets no note", () => {
  expect(find([{ id: "a" }, { id: "b" }])).toEqual([]);
});
