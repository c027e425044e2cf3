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
      ["too-many-tasks", 9, 5, "the plan has more than 3 tasks", "raise the limit: --max-tasks"],
    ]));

  test("the depth is limited, and the message names the flag", () =>
    expect(said(`plait: 1\ntasks: ${"[".repeat(9)}\n`)).toEqual([
      [
        "too-deep",
        2,
        15,
        "maps and lists are nested more than 8 levels deep",
        "raise the limit: --max-depth",
      ],
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

  test("what is taken out goes alone, and the places of the rest are those of the file", () => {
    const { draft } = read(
      "plait: 1\ntasks:\n  - 7\n  - id: a\n    prompt: x\n    owns: [1, /etc, {}, 2, b]\n    env: { A: 1, B: b }\n    agent: { use: codex, modle: x }\n",
    );
    expect(draft?.tasks).toMatchObject([
      {
        id: { value: "a", at: { start: { line: 4, col: 9 } } },
        owns: [
          { text: { value: "/etc", at: { start: { line: 6, col: 15 } } } },
          { text: { value: "b", at: { start: { line: 6, col: 28 } } } },
        ],
        settings: { env: [{ name: { value: "B" } }], agent: { value: { use: "codex" } } },
      },
    ]);
  });

  test.each([
    ["an id that is a number is taken as text", "tasks: [{ id: 1, prompt: x }]", undefined],
    ["a task that is a text", "tasks: [{ id: a, prompt: x }, b]", { tasks: ["b"], groups: [] }],
    ["a task that is nothing", "tasks: [{ id: a, prompt: x }, ]\n", undefined],
    ["a task without an id", "tasks: [{ prompt: x }, { id: a, prompt: x }]", { tasks: "any", groups: [] }],
    ["a limit", "limits: { api: x, db: 1 }\ntasks: [{ id: a, prompt: x }]", { tasks: [], groups: ["api"] }],
    ["all limits", "limits: 3\ntasks: [{ id: a, prompt: x }]", { tasks: [], groups: "any" }],
    ["all tasks", "tasks: x", { tasks: "any", groups: [] }],
    ["no tasks", "name: x", { tasks: "any", groups: [] }],
  ])("%s: what is lost is known, so that nothing that refers to it looks wrong", (_, text, lost) => {
    const { draft } = read(`plait: 1\n${text}\n`);
    expect(draft).not.toBeNull();
    expect(draft?.lost).toEqual(lost);
  });

  test("of one kind of problem two hundred are told, and how many more there are", () => {
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}: 1`).join("\n");
    const { diagnostics, unlisted } = read(`plait: 1\n${keys}\ntasks: 3\n`);
    expect(diagnostics).toHaveLength(201);
    expect(unlisted).toEqual(new Map([["unknown-key", 100]]));
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

  test("a number out of range has the code that explains it", () => {
    const task = "id: a, prompt: ' ', wave: 1.5, retries: -1, gates: [{ run: x, slots: 999 }], env: { A: 2 }";
    const text = `plait: 1\nconcurrency: 0\nlimits: { a: 0, b: 1.5, c: x }\ntasks: [{ ${task} }]\n`;
    expect(said(text).map(([code, , , message]) => [code, message])).toEqual([
      ["slots-out-of-range", "concurrency must be an integer from 1 to 256, not 0"],
      ["limit-out-of-range", "limits.a must be an integer from 1 to 256, not 0"],
      ["limit-out-of-range", "limits.b must be an integer from 1 to 256, not 1.5"],
      ["wrong-type", "limits.c must be an integer from 1 to 256, not the string `x`"],
      ["empty-prompt", "prompt must be a non-empty string, not ` `"],
      ["bad-wave", "wave must be an integer from 0 to 100000, not 1.5"],
      ["bad-number", "retries must be an integer from 0 to 20, not -1"],
      ["slots-out-of-range", "slots must be an integer from 1 to 256, not 999"],
      ["wrong-type", "env.A must be a string, not the number 2"],
    ]);
    expect(said("plait: 1\ntasks: []\n")).toEqual([
      ["no-tasks", 2, 8, "the plan has no tasks", "add a task: `- id: hello`"],
    ]);
  });

  test.each([
    ["description: Do it.", ["unknown-key"]],
    ["instructions: x", ["unknown-key"]],
    ["agent: { use: claude, prompt: x }", ["unknown-key"]],
    ["work: { prompt: x }", ["unknown-key"]],
    ["owner: bob", ["task-work", "unknown-key"]],
    ["retries: 1", ["task-work"]],
  ])("a task with no work but `%s` is told about: %j", (line, codes) => {
    expect(said(`plait: 1\ntasks:\n  - id: a\n    ${line}\n`).map(([code]) => code)).toEqual(codes);
  });

  test.each([
    ["tasks:\n  - &x { id: a, prompt: p }\n  - { <<: *x, id: b }\n", ["unknown-key"]],
    ["tasks:\n  - { <<: *x }\n", ["unknown-key"]],
    ["tasks: [*a]\n", ["yaml-alias"]],
    ["tasks:\n  - { id: a, prompt: p, timeout: *t, retries: !x }\n", ["yaml-alias", "yaml-tag"]],
  ])("%j: one mistake is one finding", (text, codes) => {
    expect(said(`plait: 1\n${text}`).map(([code]) => code)).toEqual(codes);
  });

  test("a tag hides neither a key that is used twice nor a wrong type", () => {
    const text =
      "plait: 1\ntasks:\n  - id: a\n    prompt: !important do it\n    retries: x\n    retries: 2\n";
    expect(said(text)).toEqual([
      ["yaml-tag", 4, 13, "YAML tags are not supported in a plan", 'quote the string: `"!important do it"`'],
      ["wrong-type", 5, 14, "retries must be an integer from 0 to 20, not the string `x`", null],
      ["duplicate-key", 6, 5, "the key `retries` is used twice", "delete one `retries`"],
    ]);
  });

  test.each([
    ["[src/{a,b}.ts, x]", "src/{a,b}.ts"],
    ["[x, {a,b}/c.ts]", "{a,b}/c.ts"],
    ["[src/{a,b}/{c,d}.ts]", "src/{a,b}/{c,d}.ts"],
    ["[app/[slug]/page.tsx, y]", "app/[slug]/page.tsx"],
    ["[*.{ts,js}]", "*.{ts,js}"],
    ["[*.ts]", "*.ts"],
    ["[*]", "*"],
    ["*.ts and more", "*.ts and more"],
    ["[!x/**]", "!x/**"],
  ])("`owns: %s` lacks quotes, and the rest is looked at all the same", (owns, text) => {
    const { draft, diagnostics } = read(
      `plait: 1\ntasks:\n  - id: a\n    prompt: x\n    owns: ${owns}\n    needs: [b]\n    retries: 99\n`,
    );
    const found = diagnostics.map(({ code, at, hint }) => [code, at?.start.line, hint]);
    expect(found).toEqual([
      [expect.stringMatching(/^yaml-/), 5, expect.stringContaining(`: \`${JSON.stringify(text)}\``)],
      ["bad-number", 7, null],
    ]);
    const claims = draft?.tasks[0]?.owns.map((claim) => claim.text.value);
    expect(claims).toContain(text);
    expect(draft?.tasks[0]?.needs).toMatchObject([{ value: "b" }]);
  });

  test("lines that end with CR alone are told as what they are", () => {
    expect(said("plait: 1\rtasks:\r  - id: a\r    prompt: x\r")).toEqual([
      [
        "yaml-syntax",
        1,
        1,
        "lines end with CR only, which YAML does not support",
        "save the file with line ends `LF` or `CRLF`",
      ],
    ]);
  });

  test.each(["---\n", "...\n", "---\n# the end\n", "---\n---\n"])(
    "%j at the end starts no second plan",
    (end) => {
      const { draft, diagnostics } = read(`plait: 1\ntasks:\n${task("a")}${end}`);
      expect(diagnostics).toEqual([]);
      expect(draft).not.toBeNull();
    },
  );

  test("front matter below something else is told as what it is", () => {
    const text = `# Plan\n\n---\nplait: 1\ntasks:\n${task("a")}---\nSome words.\n`;
    expect(read(text, "plan.md").diagnostics).toMatchObject([
      {
        code: "front-matter",
        message: "front matter must be at the top of the file",
        at: { start: { line: 3, col: 1 } },
        hint: "delete everything above this `---`",
      },
    ]);
  });

  test("a range that is turned round is told what it should be", () => {
    const text = `plait: 1\ntasks:\n${task("a")}    estimate: { cost: [5, 1] }\n    allow-empty: "true"\n`;
    expect(said(text).map(([, , , message, hint]) => [message, hint])).toEqual([
      ["estimate.cost must be a range with the lower number first", "use `[1, 5]`"],
      ["allow-empty must be true or false, not the string `true`", "remove the quotes: `true`"],
    ]);
  });

  test("a plan of another version is not looked at further", () =>
    expect(said("plait: 3\nwhatever: 1\n")).toEqual([
      ["unsupported-version", 1, 8, "unsupported plan version `3`; plait reads version 1", "set `plait: 1`"],
    ]));
});
