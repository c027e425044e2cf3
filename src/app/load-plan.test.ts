import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { defaultCaps, defaultLayers } from "../config/settings.ts";
import { type LoadOptions, loadPlan } from "./load-plan.ts";
import { sha256 } from "./read-text.ts";

const outer = realpathSync(mkdtempSync(join(tmpdir(), "plait-load-plan-")));
afterAll(() => rmSync(outer, { recursive: true }));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(outer, "case-"));
});

function files(content: Record<string, string | Uint8Array>): void {
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** Loads a plan below `root`; the current folder is another one, unless the test says so. */
async function load(name: string, options: Partial<LoadOptions> = {}) {
  const cwd = join(outer, "elsewhere");
  mkdirSync(cwd, { recursive: true });
  return loadPlan(join(root, name), { caps: defaultCaps, layers: defaultLayers(), cwd, ...options });
}

async function errors(name: string, options: Partial<LoadOptions> = {}) {
  const { diagnostics } = await load(name, options);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, hint, at }) => [code, `${at?.start.line}:${at?.start.col}`, message, hint]);
}

const plan = (...lines: string[]) => ["plait: 1", ...lines, ""].join("\n");
const withPrompt = (file: string) => plan("tasks:", "  - id: a", `    prompt-file: ${file}`);

describe("loading a plan", () => {
  test("gives the plan, its texts by hash and its source for code frames", async () => {
    const text = plan(
      "context: [about.md]",
      "tasks:",
      "  - id: a",
      "    prompt-file: prompts/a.md",
      "  - id: b",
      "    prompt: Inline.",
    );
    files({ "plan.yaml": text, "about.md": "About.\n", "prompts/a.md": "\uFEFFDo a.\n" });
    const { plan: loaded, diagnostics, sources, texts } = await load("plan.yaml");
    expect(diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
    const path = join(root, "plan.yaml");
    const absolute = realpathSync(path);
    expect(loaded?.source).toEqual({ format: "native", path, hash: sha256(text), absolute });
    expect(loaded?.context).toEqual([{ hash: sha256("About.\n"), bytes: 7, file: "about.md" }]);
    expect(loaded?.tasks.map(({ work }) => work.kind === "agent" && work.prompt)).toEqual([
      { hash: sha256("Do a.\n"), bytes: 6, file: "prompts/a.md" },
      { hash: sha256("Inline."), bytes: 7, file: null },
    ]);
    expect(sources).toEqual(new Map([[join(root, "plan.yaml"), text]]));
    expect(texts).toEqual(new Map(["About.\n", "Do a.\n", "Inline."].map((one) => [sha256(one), one])));
  });

  test("names files as they were typed", async () => {
    files({ "plan.yaml": plan("taks: []") });
    const { diagnostics, sources } = await loadPlan("plan.yaml", {
      caps: defaultCaps,
      layers: defaultLayers(),
      cwd: root,
    });
    expect(diagnostics.map(({ at }) => at?.file)).toEqual(["plan.yaml"]);
    expect([...sources.keys()]).toEqual(["plan.yaml"]);
  });

  test("tells mistakes of writing, of files and of meaning in one go, in the order of the file", async () => {
    files({
      "plan.yaml": plan(
        "tasks:",
        "  - id: a",
        "    prompt-file: missing.md",
        "    needs: [nowhere]",
        "    retrys: 3",
        "  - id: a",
        "    prompt: x",
        "    timeout: 45",
      ),
    });
    const { plan: loaded, diagnostics } = await load("plan.yaml");
    expect(loaded).toBeNull();
    const found = diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, at }) => [code, at?.start.line]);
    expect(found).toEqual([
      ["file-missing", 4],
      ["unknown-need", 5],
      ["unknown-key", 6],
      ["duplicate-id", 7],
      ["wrong-type", 9],
    ]);
  });

  test("a byte order mark and Windows line ends change nothing", async () => {
    const text = plan("tasks:", "  - id: a", "    prompt: x");
    files({ "plan.yaml": text, "windows.yaml": `\uFEFF${text.replaceAll("\n", "\r\n")}` });
    const [unix, windows] = [await load("plan.yaml"), await load("windows.yaml")];
    expect(windows.plan?.tasks).toEqual(unix.plan?.tasks);
    expect(windows.plan).not.toBeNull();
  });

  test("a missing file is reported at every place that names it", async () => {
    files({ "plan.yaml": plan("context: [x.md]", "tasks:", "  - id: a", "    prompt-file: x.md") });
    expect((await errors("plan.yaml")).map(([code, at]) => [code, at])).toEqual([
      ["file-missing", "2:11"],
      ["file-missing", "5:18"],
    ]);
  });

  test("a format can be asked for, which a caller must know", async () => {
    files({ "plan.yaml": "tasks: []\n" });
    expect((await errors("plan.yaml", { format: "native" })).map(([code]) => code)).toContain("missing-key");
    await expect(load("plan.yaml", { format: "other" })).rejects.toThrow("unknown plan format other");
  });

  test("a folder is told apart from a plan", async () => {
    files({ "plan.yaml": plan() });
    expect(await errors(".")).toEqual([
      [
        "not-a-file",
        "1:1",
        "this folder is not a plan: it has no manifest.json",
        `pass the plan in it: \`${root}/plan.yaml\``,
      ],
    ]);
  });

  test("an empty name is no plan, and not the current folder", async () => {
    const { plan: loaded, diagnostics } = await loadPlan("", { caps: defaultCaps, layers: defaultLayers() });
    expect(loaded).toBeNull();
    expect(diagnostics).toMatchObject([
      { code: "file-missing", message: "the plan has no name", hint: "did you mean `plan.yaml`?" },
    ]);
  });

  test("a link in a circle is told as one", async () => {
    symlinkSync("b.yaml", join(root, "a.yaml"));
    symlinkSync("a.yaml", join(root, "b.yaml"));
    expect((await errors("a.yaml")).map(([code, , message]) => [code, message])).toEqual([
      ["file-unreadable", "the plan cannot be read: its symbolic links form a loop"],
    ]);
  });

  test("thousands of mistakes are told by the first of each kind, and counted", async () => {
    const task = (i: number) =>
      `  - { id: t${i}, prompt: x, needs: [a b, c d], group: g${i}, env: { PATH: x } }`;
    files({ "plan.yaml": plan("tasks:", ...Array.from({ length: 1000 }, (_, i) => task(i))) });
    const { diagnostics } = await load("plan.yaml");
    expect(diagnostics).toHaveLength(501);
    expect(diagnostics.at(-1)).toMatchObject({
      code: "more-findings",
      severity: "note",
      message: expect.stringMatching(
        /^not all findings are shown; hidden: 1\d{3} of `unknown-need`, \d+ of `env-refused`, \d+ of `unknown-group`$/,
      ),
    });
  });

  test("one wrong value hides no other mistake", async () => {
    files({
      "plan.yaml": [
        'plait: "1"',
        "limits: { db: 1.5 }",
        "tasks:",
        "  - nothing",
        "  - id: 1",
        "    prompt: x",
        "    group: db",
        "  - id: a",
        "    prompt: !x",
        "    prompt-file: b",
        "    env: { PATH: /x }",
        "    needs: [zzz, nothing, '1']",
        "    owns: [/etc]",
        "    agent: --x",
        "",
      ].join("\n"),
    });
    expect((await errors("plan.yaml")).map(([code, at]) => `${code} ${at}`)).toEqual([
      "bad-value 1:8",
      "limit-out-of-range 2:15",
      "wrong-type 4:5",
      "wrong-type 5:9",
      "yaml-tag 9:13",
      "task-work 10:5",
      "env-refused 11:12",
      "unknown-need 12:13",
      "bad-pattern 13:12",
      "bad-agent 14:12",
    ]);
  });
});

describe("prompt and context files", () => {
  test.each([
    [
      "missing",
      "promts/a.md",
      "file-missing",
      "the file `promts/a.md` does not exist",
      "check the path; it is relative to the plan's folder",
    ],
    [
      "misspelt",
      "prompts/b.md",
      "file-missing",
      "the file `prompts/b.md` does not exist",
      "did you mean `bb.md`?",
    ],
    ["a folder", "prompts", "not-a-file", "the file `prompts` is a folder", "use the path of a prompt file"],
    [
      "binary",
      "prompts/binary",
      "not-text",
      "the file `prompts/binary` is binary, not text (byte 1 is 0)",
      "save the file as `UTF-8`",
    ],
    [
      "empty",
      "prompts/empty.md",
      "file-empty",
      "the file `prompts/empty.md` is empty",
      "write the prompt in `prompts/empty.md`",
    ],
    [
      "too large",
      "prompts/large.md",
      "prompt-too-large",
      "the file `prompts/large.md` is too large: at least 101 bytes (limit: 100)",
      "raise the limit: --max-prompt-bytes",
    ],
  ])("one that is %s is an error where the plan names it", async (_, file, code, message, hint) => {
    files({
      "plan.yaml": withPrompt(file),
      "prompts/bb.md": "x",
      "prompts/binary": Uint8Array.from([97, 0]),
      "prompts/empty.md": " \n",
      "prompts/large.md": "x".repeat(101),
    });
    const caps = { ...defaultCaps, maxPromptBytes: 100 };
    expect(await errors("plan.yaml", { caps })).toEqual([[code, "4:18", message, hint]]);
  });

  test("a text in the plan has the same limit", async () => {
    files({ "plan.yaml": plan("tasks:", "  - id: a", `    prompt: ${"é".repeat(51)}`) });
    const caps = { ...defaultCaps, maxPromptBytes: 100 };
    expect(await errors("plan.yaml", { caps })).toEqual([
      [
        "prompt-too-large",
        "4:13",
        "the prompt is too large: 102 bytes (limit: 100)",
        "raise the limit: --max-prompt-bytes",
      ],
    ]);
  });

  test("must lie in the folder of the plan or below the current one", async () => {
    files({ "plans/plan.yaml": withPrompt("../shared/a.md"), "shared/a.md": "x" });
    expect(await errors("plans/plan.yaml")).toEqual([
      [
        "file-outside",
        "4:18",
        "the file `../shared/a.md` is outside the plan's folder and the current folder",
        "copy the file into the plan's folder",
      ],
    ]);
    expect(await errors("plans/plan.yaml", { cwd: root })).toEqual([]);
  });

  test.each(["/etc/hostname", "../../../../../../../../etc/hostname", "~/secret"])(
    "%s is not sent to an agent",
    async (file) => {
      files({ "plan.yaml": withPrompt(file) });
      expect((await errors("plan.yaml")).map(([code]) => code)).toEqual([
        file.startsWith("~") ? "file-missing" : "file-outside",
      ]);
    },
  );

  test("a link counts as what it points to", async () => {
    files({ "plans/plan.yaml": withPrompt("link.md"), "outside.md": "x", "plans/inside.md": "x" });
    symlinkSync(join(root, "outside.md"), join(root, "plans/link.md"));
    expect(await errors("plans/plan.yaml")).toEqual([
      [
        "file-outside",
        "4:18",
        `the file \`link.md\` is a link to \`${join(root, "outside.md")}\`, outside the plan's folder`,
        "copy the file into the plan's folder",
      ],
    ]);
    rmSync(join(root, "plans/link.md"));
    symlinkSync("inside.md", join(root, "plans/link.md"));
    expect(await errors("plans/plan.yaml")).toEqual([]);
  });

  test("a name that no file can have is told as such", async () => {
    files({ "plan.yaml": withPrompt('"a\\0b"') });
    expect((await errors("plan.yaml")).map(([code, , message]) => [code, message])).toEqual([
      ["file-missing", "the file `a\\u0000b` cannot exist: its name has a NUL character"],
    ]);
  });

  test("a folder whose name begins like the allowed one is outside", async () => {
    files({ "plans/plan.yaml": withPrompt("../plans-of-others/a.md"), "plans-of-others/a.md": "x" });
    expect((await errors("plans/plan.yaml")).map(([code]) => code)).toEqual(["file-outside"]);
  });
});

describe("a plan that is a folder is known by the texts that are read of it", () => {
  const folder = {
    "manifest.json": JSON.stringify({
      tech_spec_id: "TS-1",
      waves: [{ number: 1, tasks: [{ id: "task-001-a", agent: "p:a" }] }],
    }),
    "tasks/task-001-a.md": "---\nid: task-001-a\nwave: 1\n---\n# A\n\n## Scope\nCREATE: a\nBOUNDARY: b\n",
    "prompts/task-001-a.txt": "Do a.\n",
  };
  const below = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`plan/${name}`, text]));
  const hashOf = async (path: string, cwd = root) => {
    const { plan: read } = await loadPlan(path, { caps: defaultCaps, layers: defaultLayers(), cwd });
    expect(read).not.toBeNull();
    return read?.source.hash;
  };

  test("what a run leaves there does not make it another", async () => {
    files(below(folder));
    const before = await hashOf("plan");
    files(below({ "report.json": "{}", "logs/a.log": "x", "prompts/of-nobody.txt": "x" }));
    expect(await hashOf("plan")).toBe(before);
  });

  test.each(Object.keys(folder))("another %s does", async (name) => {
    files(below(folder));
    const before = await hashOf("plan");
    const text = folder[name as keyof typeof folder];
    files(below({ [name]: name.endsWith(".json") ? ` ${text}` : `${text}more\n` }));
    expect(await hashOf("plan")).not.toBe(before);
  });

  test("it is the same from any folder, and so is a file with others around it", async () => {
    files({ ...below(folder), "sub/x": "" });
    const ways = (path: string) =>
      [[path], [`./${path}`], [join(root, path)], [`../${path}`, join(root, "sub")]] as [string, string?][];
    const folders = await Promise.all(ways("plan").map(([path, cwd]) => hashOf(path, cwd)));
    expect(new Set([...folders, await hashOf(".", join(root, "plan"))]).size).toBe(1);
    const hashes = await Promise.all(ways("plan/manifest.json").map(([path, cwd]) => hashOf(path, cwd)));
    expect(new Set(hashes).size).toBe(1);
  });
});
