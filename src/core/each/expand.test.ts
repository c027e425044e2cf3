import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzeSample, at, draftOf, type TaskSample } from "../../../test/support/drafts.ts";
import type { EachSource, EachVariable, PlanDraft } from "../draft.ts";
import { expandEach, type ValuesOf } from "./expand.ts";

type Sample = TaskSample & { readonly each?: Readonly<Record<string, readonly string[] | null>> };

const sources = {
  values: { kind: "values", values: [] },
  files: { kind: "files", patterns: [], exclude: [] },
} as const satisfies Record<string, EachSource>;

type Options = { readonly source?: keyof typeof sources; readonly maxTasks?: number };

/** Values are those of the sample; `source` is where they are said to come from. */
function expand(tasks: readonly Sample[], { source = "values", maxTasks = 1_000 }: Options = {}) {
  const values = new Map<EachVariable, readonly string[] | null>();
  const drafts = draftOf(tasks).tasks.map((draft, index) => {
    const { each } = tasks[index] as Sample;
    if (each === undefined) return draft;
    const variables = Object.entries(each).map(([name, list]): EachVariable => {
      const variable = { name: { value: name, at: at(1) }, source: sources[source] };
      values.set(variable, list);
      return variable;
    });
    return { ...draft, each: variables };
  });
  const valuesOf: ValuesOf = (variable) => values.get(variable) ?? null;
  return expandEach({ ...draftOf([]), tasks: drafts }, { valuesOf, maxTasks });
}

const ids = ({ tasks }: PlanDraft) => tasks.map(({ id }) => id.value);
const needs = ({ tasks }: PlanDraft) =>
  Object.fromEntries(tasks.map((task) => [task.id.value, task.needs.map(({ value }) => value)]));

describe("tasks", () => {
  test("are made in the place of the one that stands for them, in the order of the values", () => {
    const { draft, notes } = expand([{ id: "a" }, { id: "port", each: { x: ["2", "1"] } }, { id: "z" }]);
    expect(ids(draft)).toEqual(["a", "port-2", "port-1", "z"]);
    expect(draft.tasks.some((task) => "each" in task)).toBe(false);
    expect(notes).toMatchObject([{ id: "port", tasks: ["port-2", "port-1"], known: true }]);
  });

  test("have the values in every text", () => {
    const { draft } = expand([
      {
        id: "do-{x}",
        each: { x: ["a b"] },
        title: "T {x}",
        prompt: "P {x}",
        owns: ["src/{x}/**"],
        boundary: ["lib/{x}"],
        artifacts: ["out/{x}"],
        env: { X: "{x}", "{x}": "1" },
        group: "{x}",
        agent: { use: "claude", model: "{x}" },
        gates: [{ run: { kind: "shell", line: "test {x}" } }, { run: { kind: "argv", argv: ["t", "{x}"] } }],
      },
    ]);
    const [task] = draft.tasks;
    expect(task).toMatchObject({
      id: { value: expect.stringMatching(/^do-a-b-/) },
      title: "T a b",
      work: { prompt: { value: { text: "P a b" } } },
      owns: [{ text: { value: "src/a b/**" } }],
      boundary: [{ value: "lib/a b" }],
      artifacts: [{ value: "out/a b" }],
      gates: { gates: [{ run: { line: "test 'a b'" } }, { run: { argv: ["t", "a b"] } }] },
      settings: {
        agent: { value: { use: "claude", model: "a b" } },
        group: { value: "a b" },
        env: [{ value: { value: "a b" } }, { name: { value: "{x}" } }],
      },
    });
  });

  test("are made for each combination of several variables", () => {
    const { draft } = expand([{ id: "t", each: { x: ["1", "2"], y: ["a", "b"] } }]);
    expect(ids(draft)).toEqual(["t-1-a", "t-1-b", "t-2-a", "t-2-b"]);
  });

  test("that are not known yet are one, as it is written", () => {
    const { draft, notes } = expand([
      { id: "t-{x}", prompt: "do {x}", each: { x: null } },
      { id: "u", needs: ["t-{x}"], each: { x: null } },
    ]);
    expect(needs(draft)).toEqual({ "t-x": [], "u-x": ["t-x"] });
    expect(draft.tasks[0]).toMatchObject({ work: { prompt: { value: { text: "do {x}" } } } });
    expect(notes.map(({ known }) => known)).toEqual([false, false]);
  });
});

describe("ids", () => {
  const values = fc.uniqueArray(
    fc.string({
      minLength: 1,
      maxLength: 90,
      unit: fc.constantFrom("a", "A", "b", "/", "-", ".", " ", "ö", "\n"),
    }),
    { minLength: 1, maxLength: 12 },
  );

  test("are good, unique, and those of the same values in any company", () => {
    const isolated = (value: string) => ids(expand([{ id: "t", each: { x: [value] } }]).draft)[0] as string;
    fc.assert(
      fc.property(values, (list) => {
        const { draft, diagnostics } = expand([{ id: "t", prompt: "do {x}", each: { x: list } }]);
        expect(diagnostics).toEqual([]);
        expect(analyzeSample({ ...draftOf([]), tasks: draft.tasks }).diagnostics).toEqual([]);
        const alone = list.map(isolated);
        const lower = alone.map((id) => id.toLowerCase());
        // Only where two differ in nothing but case do they change each other's.
        ids(draft).forEach((id, i) => {
          if (lower.filter((other) => other === lower[i]).length === 1) expect(id).toBe(alone[i]);
        });
      }),
      { numRuns: 300 },
    );
  });

  test("that differ in case only are told apart", () => {
    const made = ids(expand([{ id: "t", each: { x: ["Readme", "readme"] } }]).draft);
    expect(new Set(made.map((id) => id.toLowerCase())).size).toBe(2);
  });

  test("that are the same for two values are told once, with both", () => {
    const { diagnostics } = expand([
      { id: "t-{x.stem}", prompt: "{x}", each: { x: ["a/i.js", "b/i.js", "c/i.js"] } },
    ]);
    expect(diagnostics).toMatchObject([
      { code: "each-same-id", message: "`a/i.js` and `b/i.js` give the same task id `t-i`" },
    ]);
  });
});

describe("needs", () => {
  const two = { x: ["1", "2"] };

  test("on a task that stands for many mean all of them", () => {
    const { draft } = expand([
      { id: "t", each: two },
      { id: "z", needs: ["t"] },
      { id: "y", needs: ["t-{x}"] },
    ]);
    expect(needs(draft)).toMatchObject({ z: ["t-1", "t-2"], y: ["t-1", "t-2"] });
  });

  test("with a variable mean the one of the same value, however long it is", () => {
    const x = ["1", `${"long/".repeat(20)}a.js`];
    const { draft } = expand([
      { id: "t", each: { x } },
      { id: "u", needs: ["t-{x}"], each: { x } },
      { id: "v", needs: ["t", "u-{x}"], each: { x } },
    ]);
    const [t1, t2, u1, u2, v1, v2] = ids(draft) as [string, string, string, string, string, string];
    expect(needs(draft)).toEqual({
      [t1]: [],
      [t2]: [],
      [u1]: [t1],
      [u2]: [t2],
      [v1]: [t1, t2, u1],
      [v2]: [t1, t2, u2],
    });
  });

  test("on itself are told once", () => {
    const { diagnostics } = expand([{ id: "t", prompt: "{x}", needs: ["t"], each: two }]);
    expect(diagnostics).toMatchObject([{ code: "needs-itself" }]);
  });

  test("on one that was not made are told by the analysis", () => {
    const { draft } = expand([
      { id: "t", each: { x: ["1"] } },
      { id: "u", needs: ["t-{x}"], each: two },
    ]);
    expect(analyzeSample({ ...draftOf([]), tasks: draft.tasks }).diagnostics).toMatchObject([
      { code: "unknown-need", hint: expect.stringContaining("t-1") },
    ]);
  });
});

describe("what is wrong", () => {
  test("too many are counted, and not made", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `f${i}`);
    const { draft, diagnostics } = expand([{ id: "t", each: { x: many } }, { id: "z" }], { maxTasks: 2_000 });
    expect(ids(draft)).toEqual(["t-x", "z"]);
    expect(diagnostics).toMatchObject([
      {
        code: "too-many-tasks",
        message: expect.stringMatching(/^`t` expands to 10,000 tasks .*; the limit is 2000$/),
        hint: expect.stringContaining("--max-tasks 10001"),
      },
      { code: "each-unused" },
    ]);
  });

  test("an id that stands for many cannot be the id of another task too", () => {
    const twice = expand([
      { id: "t", prompt: "{x}", each: { x: ["1"] } },
      { id: "t", prompt: "{x}", each: { x: ["2"] } },
    ]);
    expect(twice.diagnostics).toMatchObject([{ code: "duplicate-id", at: at(20) }]);
    const plain = expand([{ id: "t" }, { id: "t", prompt: "{x}", each: { x: ["2"] } }]);
    expect(plain.diagnostics).toMatchObject([{ code: "duplicate-id" }]);
  });

  test("a variable that no text uses, and a part that no value has, are worth a warning", () => {
    const { diagnostics } = expand([{ id: "t", prompt: "do {x.base}", each: { x: ["1"], y: ["2"] } }]);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["each-unknown-part", "warning"],
      ["each-unused", "warning"],
      ["each-unused", "warning"],
    ]);
  });

  test("a value that needs quotes does not go into a shell line with quotes", () => {
    const lines = ['test "{x}"', "test {x} # it's {x}"];
    const gates = lines.map((line) => ({ run: { kind: "shell" as const, line } }));
    const safe = expand([{ id: "t", gates, each: { x: ["src/a.js"] } }]);
    expect(safe.diagnostics).toEqual([]);
    const odd = expand([{ id: "t", gates, each: { x: ["a b"] } }]);
    expect(new Set(odd.diagnostics.map(({ code }) => code))).toEqual(new Set(["each-shell"]));
  });
});

test("wildcards in the name of a file are plain characters of a claim; in a value of the plan they are wildcards", () => {
  const owns = (value: string, source: keyof typeof sources) =>
    expand([{ id: "t", owns: ["{x}"], each: { x: [value] } }], { source }).draft.tasks[0]?.owns[0]?.text
      .value;
  expect(owns("pages/[id].tsx", "files")).toBe("pages/[[]id].tsx");
  expect(owns("pages/*", "values")).toBe("pages/*");
});
