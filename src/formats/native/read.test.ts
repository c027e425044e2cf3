import { describe, expect, test } from "vitest";
import { readNative } from "./read.ts";

const caps = { maxPlanBytes: 1e6, maxDepth: 8, maxTasks: 3, maxPromptBytes: 1e6 };
const read = (text: string, path = "plan.yaml") => readNative({ path, text }, caps);
const said = (text: string) =>
  read(text).diagnostics.map(({ code, message, at, hint }) => [
    code,
    at?.start.line,
    at?.start.col,
    message,
    hint,
  ]);

const task = (id: string) => `  - id: ${id}\n    prompt: x\n`;

describe("reading a native plan", () => {
  test("the number of tasks is limited, and the message names the flag", () =>
    expect(said(`plait: 1\ntasks:\n${["a", "b", "c", "d"].map(task).join("")}`)).toEqual([
      ["too-many-tasks", 9, 5, "the plan has 4 tasks, the limit is 3", "--max-tasks raises the limit"],
    ]));

  test("the depth is limited, and the message names the flag", () =>
    expect(said(`plait: 1\ntasks: ${"[".repeat(9)}\n`)).toEqual([
      ["too-deep", 2, 15, "maps and lists are nested more than 8 deep", "--max-depth raises the limit"],
    ]));

  test("Windows line ends change no place and no value", () => {
    const text = "plait: 1\ntasks:\n  - id: a\n    prompt: |\n      one\n      two\n    retries: 99\n";
    const windows = read(text.replaceAll("\n", "\r\n"));
    expect(windows.draft?.tasks[0]?.work).toMatchObject({ prompt: { value: { text: "one\ntwo\n" } } });
    expect(windows.diagnostics).toEqual(read(text).diagnostics);
    expect(windows.diagnostics[0]?.at?.start).toEqual({ line: 7, col: 14 });
  });

  test("places in front matter are those of the whole file", () => {
    const text = `---\nplait: 1\ntasks:\n${task("a")}    retries: 99\n---\n\ntext: [not yaml\n`;
    expect(read(text, "plan.md").diagnostics.map(({ at }) => at?.start)).toEqual([{ line: 6, col: 14 }]);
  });

  test("broken YAML in front matter is reported at its place in the file", () => {
    const { diagnostics } = read("---\nplait: 1\nname: 'x\n---\nit's text\n", "plan.md");
    expect(diagnostics.map(({ code, at }) => [code, at?.start])).toEqual([
      ["yaml-syntax", { line: 3, col: 7 }],
    ]);
  });

  test("a wrong setting leaves a draft without it, so that the rest can be analysed", () => {
    const { draft, diagnostics } = read(
      `plait: 1\nland: never\nbudget: much\ntasks:\n${task("a")}    needs: [b]\n    retries: 99\n`,
    );
    expect(diagnostics).toHaveLength(2);
    expect(draft).toMatchObject({
      land: "never",
      budgetUsd: null,
      tasks: [
        {
          id: { value: "a" },
          needs: [{ value: "b", at: { start: { line: 7, col: 13 } } }],
          settings: { retries: null },
        },
      ],
    });
  });

  test.each([
    ["an id", "tasks: [{ id: 1, prompt: x }]"],
    ["a task", "tasks: [{ id: a, prompt: x }, x]"],
    ["a limit", "limits: { api: x }\ntasks: [{ id: a, prompt: x }]"],
    ["the tasks", "tasks: x"],
  ])("without %s there is no draft, since what refers to it would look wrong", (_, text) => {
    const { draft, diagnostics } = read(`plait: 1\n${text}\n`);
    expect(draft).toBeNull();
    expect(diagnostics).toHaveLength(1);
  });

  test("two hundred problems are shown, and that there are more", () => {
    const { diagnostics } = read(
      `plait: 1\n${Array.from({ length: 300 }, (_, i) => `k${i}: 1`).join("\n")}\n`,
    );
    expect(diagnostics).toHaveLength(201);
    expect(diagnostics.at(-1)).toMatchObject({ code: "more-problems", severity: "note" });
  });

  test.each(["", "# x\n", "---\n---\n# Notes\n"])("%j has nothing in it", (text) =>
    expect(read(text, "plan.md").diagnostics.map(({ code }) => code)).toEqual(["plan-empty"]),
  );

  test.each(["x", "- a", "1"])("%j is no map", (text) =>
    expect(said(text).map(([code, , , message]) => [code, message])).toEqual([
      ["wrong-type", expect.stringMatching(/^the plan must be a map, not /)],
    ]),
  );

  test("a misspelt key hides no other mistake", () =>
    expect(
      said(`plait: 1\ntasks:\n${task("a")}    promt: y\n  - id: b\n    prompt: [x]\n    promt: y\n`).map(
        ([code]) => code,
      ),
    ).toEqual(["unknown-key", "wrong-type", "unknown-key"]));

  test("a plan of another version is not looked at further", () =>
    expect(said("plait: 3\nwhatever: 1\n")).toEqual([
      ["unsupported-version", 1, 8, "this plan is of version 3; plait reads version 1", "write plait: 1"],
    ]));
});
