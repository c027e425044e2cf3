import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { readAsPlan, show } from "../../../test/formats/read-as-plan.ts";
import { cpuMs } from "../../../test/support/cpu.ts";
import { defaultLayers } from "../../config/settings.ts";
import { analyze } from "../../core/analyze/analyze.ts";
import type { PlanDraft } from "../../core/draft.ts";
import { textHash } from "../../core/ids.ts";

const FENCE = "```";
const block = (json: unknown) =>
  `# Plan\n\n${FENCE}json dispatch\n${JSON.stringify(json, null, 2)}\n${FENCE}\n`;
const agent = (subagent_type = "main", more: object = {}) => ({ subagent_type, prompt: "Do it.", ...more });
const batch = (id: unknown, ...agents: unknown[]) => ({ id, agents });
const read = (...batches: unknown[]) => readAsPlan("plan.md", block({ batches }));

async function draftOf(...batches: unknown[]): Promise<PlanDraft> {
  const { draft, diagnostics } = await read(...batches);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(show)).toEqual([]);
  const hash = textHash("0".repeat(64));
  const text = () => ({ hash, bytes: 1, file: null });
  const analysis = analyze(draft as PlanDraft, { layers: defaultLayers(), text, sourceHash: hash });
  expect(analysis.diagnostics.filter(({ severity }) => severity === "error").map(show)).toEqual([]);
  return draft as PlanDraft;
}

const needsOf = ({ tasks }: PlanDraft) =>
  Object.fromEntries(tasks.map(({ id, needs }) => [id.value, needs.map(({ value }) => value)]));
const codesOf = async (...batches: unknown[]) =>
  (await read(...batches)).diagnostics.map(({ code, severity }) => `${severity} ${code}`);

describe("the order of batches", () => {
  test("agents of a batch follow one another, and a batch follows the one above", async () =>
    expect(needsOf(await draftOf(batch(1, agent("a"), agent("b")), batch(2, agent("c"))))).toEqual({
      "b1-1-a": [],
      "b1-2-b": ["b1-1-a"],
      "b2-1-c": ["b1-2-b"],
    }));

  test("parallel agents start together, and all of them are waited for", async () =>
    expect(
      needsOf(await draftOf({ ...batch(1, agent("a"), agent("b")), parallel: true }, batch(2, agent("c")))),
    ).toEqual({ "b1-1-a": [], "b1-2-b": [], "b2-1-c": ["b1-1-a", "b1-2-b"] }));

  test("depends_on replaces the order of the list for that batch, also forwards", async () =>
    expect(
      needsOf(
        await draftOf(
          { ...batch(1, agent("a")), depends_on: [] },
          { ...batch(2, agent("b")), depends_on: [3] },
          { ...batch(3, agent("c")), depends_on: ["1", 1] },
          { ...batch(4, agent("d")), depends_on: [] },
        ),
      ),
    ).toEqual({ "b1-1-a": [], "b2-1-b": ["b3-1-c"], "b3-1-c": ["b1-1-a"], "b4-1-d": [] }));

  test("who waits for a batch without agents waits for what stands before that", async () =>
    expect(
      needsOf(
        await draftOf(
          batch(1, agent("a")),
          batch(2),
          { ...batch(3), verify_files: ["x"] },
          batch(4, agent("b")),
        ),
      ),
    ).toEqual({ "b1-1-a": [], "b4-1-b": ["b1-1-a"] }));

  test("files to verify are a check after the batch, which the next one waits for", async () => {
    const draft = await draftOf(
      { ...batch(1, agent("a"), agent("b")), parallel: true, verify_files: ["x.ts"] },
      batch(2, agent("c")),
    );
    expect(needsOf(draft)).toEqual({
      "b1-1-a": [],
      "b1-2-b": [],
      "b1-verify": ["b1-1-a", "b1-2-b"],
      "b2-1-c": ["b1-verify"],
    });
    expect(draft.tasks[2]).toMatchObject({
      title: "Verify the files of batch 1",
      settings: { access: "read-only", retries: 0 },
      work: { kind: "command", at: { start: { line: 20, col: 9 } } },
    });
  });
});

describe("what a fan-out found", () => {
  const fan = { ...batch(2, agent("review"), agent("main"), agent("review")), type: "fan-out" };

  test("is heard by every agent of the batches that need it, who then need its agents", async () => {
    const draft = await draftOf(
      batch(1, agent("w")),
      { ...fan, verify_files: ["report.md"] },
      batch(3, agent("a"), agent("b")),
      batch(4, agent("c")),
    );
    const heard = draft.tasks.map(({ id, summaries }) => [
      id.value,
      summaries && [summaries.title, ...summaries.from.map(({ task, name }) => `${task.value}: ${name}`)],
    ]);
    const said = [
      "Fan-out Summary (Batch 2)",
      "b2-1-review: review 1",
      "b2-2-main: main",
      "b2-3-review: review 2",
    ];
    expect(Object.fromEntries(heard)).toMatchObject({ "b3-1-a": said, "b3-2-b": said });
    expect(heard.filter(([, one]) => one).length).toBe(2);
    const reviews = ["b2-1-review", "b2-2-main", "b2-3-review"];
    expect(needsOf(draft)).toMatchObject({
      "b3-1-a": ["b2-verify", ...reviews],
      "b3-2-b": ["b3-1-a", ...reviews],
      "b4-1-c": ["b3-2-b"],
    });
  });

  test("of two of them is told together", async () => {
    const draft = await draftOf(
      { ...batch(1, agent("review")), type: "fan-out" },
      { ...batch(2, agent("review")), type: "fan-out", depends_on: [] },
      { ...batch(3, agent("a")), depends_on: [1, 2] },
    );
    expect(draft.tasks[2]?.summaries).toMatchObject({
      title: "Fan-out Summary (Batch 1, 2)",
      from: [{ name: "review 1" }, { name: "review 2" }],
    });
  });
});

describe("tasks", () => {
  const only = async (...agents: unknown[]) => (await draftOf(batch(1, ...agents))).tasks;

  test("main and nothing ask for no sub-agent, a name asks for that", async () => {
    const tasks = await only(agent("main"), agent(""), agent("plugin:code-writer"));
    expect(tasks.map(({ id, settings }) => [id.value, settings.agent?.value])).toEqual([
      ["b1-1-main", undefined],
      ["b1-2-main", undefined],
      ["b1-3-plugin-code-writer", { name: "plugin:code-writer" }],
    ]);
  });

  test("ids are safe, at most 64 long and told apart, whatever batches are called", async () => {
    const long = "x".repeat(90);
    const draft = await draftOf(
      batch("Phase one/ä", agent("a")),
      batch("phase-One", agent("a")),
      batch(true, agent("a")),
      batch("1.5", agent("a")),
      batch("../..", agent("a")),
      batch(long, agent("a"), agent("b")),
    );
    expect(draft.tasks.map(({ id }) => id.value)).toEqual([
      "bPhase-one-1-a",
      "bphase-One-1-a-2",
      "btrue-1-a",
      "b1-5-1-a",
      "bx-1-a",
      `b${"x".repeat(63)}`,
      `b${"x".repeat(61)}-2`,
    ]);
  });

  test("titles come from the description, with the agent where there are several", async () => {
    const draft = await draftOf(
      { ...batch(1, agent("a")), description: " Add\nthe  parser " },
      { ...batch(2, agent("a"), agent("a"), agent("b")), description: "Review" },
      batch(3, agent("a")),
      { ...batch(4, agent("a")), description: "y".repeat(300) },
    );
    expect(draft.tasks.map(({ title }) => title)).toEqual([
      "Add the parser",
      "Review: a 1",
      "Review: a 2",
      "Review: b",
      "Batch 3: a",
      `${"y".repeat(199)}…`,
    ]);
  });

  test("an agent changes something, unless its own entry allows that it does not", async () => {
    const { defaults, tasks } = await draftOf(batch(1, agent(), agent("main", { allow_empty: true })));
    expect(defaults.allowEmpty).toBeNull();
    expect(tasks.map(({ settings }) => settings.allowEmpty)).toEqual([null, true]);
  });

  test("a manifest is called by its plan_id, else as its file", async () => {
    const named = async (json: object) => (await readAsPlan("docs/limits.md", block(json))).draft?.name;
    const batches = [batch(1, agent())];
    expect([
      await named({ plan_id: "a/b", batches }),
      await named({ plan_id: 7, batches }),
      await named({ plan_id: "", batches }),
      await named({ batches }),
    ]).toEqual(["a/b", "7", "limits", "limits"]);
  });

  test("owned files are claims on the tree; what lies elsewhere is warned of and left out", async () => {
    const owns_files = [
      "/work/src/a.ts",
      "src/b.ts",
      "./src/c.ts",
      "/work/pages/[id].tsx",
      "/work",
      "/etc/passwd",
      "~/notes.md",
      "../x",
      "~other/x",
      "/work-2/x",
    ];
    const { draft, diagnostics } = await read(batch(1, agent("main", { owns_files })));
    const claims = draft?.tasks[0]?.owns.map(({ mode, text }) => `${mode} ${text.value}`);
    expect(claims).toEqual(["any src/a.ts", "any src/b.ts", "any src/c.ts", "any pages/[[]id].tsx", "any ."]);
    expect(diagnostics.map(({ code, message }) => `${code} ${message.split(" ")[0]}`)).toEqual([
      "owns-outside `/etc/passwd`",
      "owns-outside `~/notes.md`",
      "owns-outside `../x`",
      "owns-outside `~other/x`",
      "owns-outside `/work-2/x`",
    ]);
  });
});

describe("what is wrong with batches", () => {
  test.each<[string, string[], unknown[]]>([
    ["two with one id", ["error duplicate-id"], [batch(1, agent()), batch("1", agent())]],
    ["no id", ["error missing-key"], [{ agents: [agent()] }]],
    ["null as id", ["error wrong-type"], [batch(null, agent())]],
    ["a list as id", ["error wrong-type"], [batch([1], agent())]],
    ["an empty id", ["error bad-value"], [batch("", agent())]],
    ["ids that fall", ["warning batch-custom"], [batch(2, agent()), batch(1, agent())]],
    ["an unknown need", ["error unknown-need"], [{ ...batch(1, agent()), depends_on: [7] }]],
    ["a need of itself", ["error needs-itself"], [{ ...batch(1, agent()), depends_on: [1] }]],
    [
      "a circle with the order of the list",
      ["error cycle"],
      [{ ...batch(1, agent()), depends_on: [2] }, batch(2, agent())],
    ],
    ["no agents", ["warning batch-custom"], [batch(1), batch(2, agent())]],
    ["no list of agents", ["error missing-key"], [{ id: 1 }]],
    [
      "five agents at once",
      ["warning batch-custom"],
      [{ ...batch(1, ...Array(5).fill(agent())), parallel: true }],
    ],
    ["five agents in a row", [], [batch(1, ...Array(5).fill(agent()))]],
    ["another type", ["error bad-value"], [{ ...batch(1, agent()), type: "fanout" }]],
    ["a text for parallel", ["error wrong-type"], [{ ...batch(1, agent()), parallel: "true" }]],
    ["no subagent_type", ["error missing-key"], [batch(1, { prompt: "x" })]],
    ["a bad subagent_type", ["error bad-value"], [batch(1, agent("a b"))]],
    ["two colons", ["error bad-value"], [batch(1, agent("a:b:c"))]],
    ["no prompt", ["error missing-key"], [batch(1, { subagent_type: "a" })]],
    ["an empty prompt", ["error empty-prompt"], [batch(1, { subagent_type: "a", prompt: " " })]],
    [
      "a misspelt prompt",
      ["error missing-key", "warning unknown-key"],
      [batch(1, { subagent_type: "a", promt: "x" })],
    ],
    ["an unknown key", ["warning unknown-key"], [{ ...batch(1, agent()), descripton: "x" }]],
    ["keys of other tools", ["warning unused-key"], [batch(1, agent("a", { commit_repos: ["/x"] }))]],
    ["an agent that is a text", ["error wrong-type"], [batch(1, "a")]],
  ])("%s", async (_, codes, batches) => expect(await codesOf(...batches)).toEqual(codes));

  test("more agents than allowed", async () => {
    const text = block({ batches: [batch(1, agent(), agent()), batch(2, agent())] });
    const { draft, diagnostics } = await readAsPlan("plan.md", text, { ...caps, maxTasks: 2 });
    expect([draft, diagnostics.map(({ code }) => code)]).toEqual([null, ["too-many-tasks"]]);
  });
});

describe("the block in Markdown", () => {
  const json = '{ "batches": [ { "id": 1, "agents": [ { "subagent_type": "a", "prompt": 7 } ] } ] }';
  const at = (line: number, before = 0) => `wrong-type ${line}:${before + json.indexOf("7") + 1}`;
  const placeIn = async (text: string) => {
    const { diagnostics } = await readAsPlan("plan.md", text);
    return diagnostics.map(({ code, at }) => `${code} ${at?.start.line}:${at?.start.col}`);
  };
  const lines = (...all: string[]) => all.join("\n");

  test.each<[string, string, string[]]>([
    [
      "Windows line ends and blanks behind the fence",
      `# x\r\n\`\`\`json dispatch  \t\r\n${json}\r\n\`\`\` \r\n`,
      [at(3)],
    ],
    ["tildes", `~~~~json dispatch\n${json}\n~~~~\n`, [at(2)]],
    ["a list", lines("1. one", "", "   - ```json dispatch", `     ${json}`, "     ```"), [at(4, 5)]],
    ["a list with tabs", lines("- x", "\t```json dispatch", `\t${json}`, "\t```"), [at(3, 1)]],
    ["a quotation", lines("> ```json dispatch", `> ${json}`, "> ```"), [at(2, 2)]],
    [
      "several lines in a list",
      lines("- ```json dispatch", "  {", '    "batches":', "      7", "  }", "  ```"),
      ["wrong-type 4:7"],
    ],
    ["a text in front matter", lines("---", "title: x", "---", "```json dispatch", json, "```"), [at(5)]],
    [
      "characters of two units",
      lines("```json dispatch", `{ "😀": 1, "batches": 7 }`, "```"),
      ["unknown-key 2:3", "wrong-type 2:23"],
    ],
    [
      "a block inside another",
      lines("````markdown", "```json dispatch", json, "```", "````"),
      ["no-dispatch 1:1"],
    ],
    ["a block in a comment", lines("<!--", "```json dispatch", json, "```", "-->"), ["no-dispatch 1:1"]],
    ["indented code", lines("    ```json dispatch", `    ${json}`, "    ```"), ["no-dispatch 1:1"]],
    ["nothing in it", lines("```json dispatch", "```"), ["plan-empty 1:1"]],
    ["an open fence", lines("# x", "```json dispatch", json), ["open-fence 2:1"]],
    [
      "a fence that is closed by the end of a list",
      lines("- ```json dispatch", `  ${json}`, "", "text"),
      ["open-fence 1:3"],
    ],
    [
      "two blocks",
      lines("```json dispatch", json, "```", "", "~~~json dispatch", json, "~~~"),
      ["two-plans 5:1"],
    ],
    [
      "a comma too many",
      lines("- ```json dispatch", '  { "batches": [],', "  }", "  ```"),
      ["json-syntax 2:18"],
    ],
    ["a comment", lines("```json dispatch", "{ // x", "}", "```"), ["json-syntax 2:3"]],
    ["a cut", lines("```json dispatch", '{ "batches": [', "```"), ["json-syntax 2:15"]],
    ["no map", lines("```json dispatch", "[]", "```"), ["wrong-type 2:1"]],
    [
      "a key twice",
      lines("```json dispatch", '{ "batches": 7,', '"batches": 7 }', "```"),
      ["duplicate-key 3:1", "wrong-type 2:14"],
    ],
  ])("%s", async (_, text, said) => expect(await placeIn(text)).toEqual(said));

  test("both of two blocks are named", async () => {
    const { diagnostics } = await readAsPlan("plan.md", `${block({})}\n${block({})}`);
    expect(diagnostics.map(show)).toEqual([
      "9:1-9:17 error two-plans: second dispatch block in one file\n  hint move one dispatch block to another file\n  see 3:1 the first dispatch block",
    ]);
  });

  test.each([
    ["quotations", ">".repeat(300_000)],
    ["items in items", Array.from({ length: 1_000 }, (_, i) => `${" ".repeat(2 * i)}- a`).join("\n")],
    ["items", "- a\n\n".repeat(100_000)],
    ["headings", "# a\n".repeat(200_000)],
    ["blocks", "```json dispatch\n{}\n```\n".repeat(30_000)],
    ["brackets", "[".repeat(200_000)],
  ])("a megabyte of %s is refused or read in good time", async (_, text) => {
    const start = cpuMs();
    const { diagnostics } = await readAsPlan("plan.md", `${text}\n\n${block({})}`);
    expect(cpuMs() - start).toBeLessThan(3_000);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      text.startsWith("[") ? "missing-key" : "markdown-too-long",
    ]);
  });
});

describe("the check of files", () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-adm-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("fails for what is missing or empty and names it; names with signs of the shell are names", async () => {
    const [home, tree] = [join(folder, "home"), join(folder, "tree")];
    for (const one of [home, join(tree, "src")]) mkdirSync(one, { recursive: true });
    const files = [
      "/work/src/a b.ts",
      "it's $(touch pwned).ts",
      "~/notes.md",
      "-n",
      join(folder, "outside.txt"),
    ];
    const there = [
      ...["src/a b.ts", "it's $(touch pwned).ts", "-n"].map((name) => join(tree, name)),
      join(home, "notes.md"),
      join(folder, "outside.txt"),
    ];
    const run = async (verify_files: string[]) => {
      const { tasks } = await draftOf({ ...batch(1, agent()), verify_files });
      const work = tasks.at(-1)?.work;
      const line = work?.kind === "command" && work.run.kind === "shell" ? work.run.line : "";
      try {
        return execFileSync("sh", ["-c", line], { cwd: tree, env: { HOME: home }, stdio: "pipe" }).toString();
      } catch (error) {
        return String((error as { stderr: Buffer }).stderr);
      }
    };
    for (const file of there) writeFileSync(file, "x");
    expect(await run(files)).toBe("");
    writeFileSync(join(tree, "src/a b.ts"), "");
    expect(await run([...files, "~/gone", "~"])).toBe(
      `src/a b.ts is missing or empty\n${home}/gone is missing or empty\n`,
    );
  });
});
