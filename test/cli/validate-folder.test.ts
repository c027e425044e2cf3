import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { whole } from "../formats/cpo-folder.ts";
import { asked } from "./asked.ts";
import { folderWith, plait, type Run, root } from "./plait.ts";

const files = Object.fromEntries(
  Object.entries({ ...whole, "contracts/types.py": "class A:\n    x int\n" }).map(([path, text]) => [
    `p/${path}`,
    text as string,
  ]),
);
const cwd = folderWith({
  ...files,
  "plan.yaml": "plait: 1\ntasks:\n  - id: a\n    prompt: Do it.\n",
  "no/x": "",
});

const nested = (name: string) =>
  Object.fromEntries(
    Object.entries(whole).map(([path, text]) => [`parallel/${name}/${path}`, text as string]),
  );

/** With the files of the program that the command loads, by what Node counts of them. */
function counted(args: readonly string[], name: string): Run & { readonly loaded: readonly string[] } {
  const folder = join(cwd, name);
  mkdirSync(folder);
  const run = plait(args, { cwd, env: { NODE_V8_COVERAGE: folder } });
  const reports = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const loaded = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  return { ...run, loaded };
}

it("plait run does not start with prompts that are older than their task files, and names the command", () => {
  const at = folderWith({});
  cpSync(join(root, "examples/inventory"), at, { recursive: true });
  const folder = "parallel/TS-0042-inventory";
  expect(plait(["spec", "prompts", folder], { cwd: at }).code).toBe(0);
  const task = join(at, folder, "tasks/task-001-stock.md");
  const edited = readFileSync(task, "utf8").replace(
    "## Requirements\n",
    "## Requirements\n\n- Never round down.\n",
  );
  writeFileSync(task, edited);
  const refused = plait(["run", folder, "--agent", "demo"], { cwd: at });
  expect(refused.stderr).toContain("prompts/task-001.txt:37:1: error[prompt-stale]");
  expect(refused.stderr).toMatch(new RegExp(`plait spec prompts\\s+${folder}`));
  expect(refused.code).toBe(2);
});

describe("prompts whose sources were edited after they were generated", () => {
  const folder = "parallel/TS-0042-inventory";
  const task = "tasks/task-001-stock.md";
  const append = (text: string) => `${text}\nAmounts are integers.\n`;
  const dropLastLine = (text: string) => text.trimEnd().replace(/\n[^\n]*$/, "\n");
  const edits: readonly (readonly [string, string, (text: string) => string])[] = [
    ["a longer context", "context.md", append],
    ["a shorter context", "context.md", dropLastLine],
    ["another title", task, (text) => text.replace(/^# .*$/m, "# Another title")],
    ["a checklist with an entry less", task, dropLastLine],
    ["another agent", "manifest.json", (text) => text.replace(/"agent": "[^"]*"/, '"agent": "other"')],
  ];

  it.each(edits)(
    "with %s stop validate, plan and run alike, until they are generated again",
    async (_, path, change) => {
      const at = folderWith({});
      cpSync(join(root, "examples/inventory"), at, { recursive: true });
      const ask = (...args: string[]) => asked(args, { cwd: at });
      expect((await ask("spec", "prompts", folder)).code).toBe(0);
      const file = join(at, folder, path);
      const before = readFileSync(file, "utf8");
      writeFileSync(file, change(before));
      expect(readFileSync(file, "utf8")).not.toBe(before);
      for (const args of [
        ["validate"],
        ["run", "--agent", "demo", "--dry-run"],
        ["run", "--agent", "demo"],
      ]) {
        const { code, stderr } = await ask(...args, folder);
        expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining("error[prompt-stale]")]);
        expect(stderr).toMatch(new RegExp(`plait spec prompts\\s+${folder}`));
      }
      expect((await ask("spec", "prompts", folder)).code).toBe(0);
      expect((await ask("validate", folder)).stderr).not.toContain("prompt-stale");
    },
  );
});

describe("prompts that plait has not generated, and sources that were edited since", () => {
  const folder = "parallel/TS-0042-inventory";
  const task = "tasks/task-001-stock.md";
  const edits: readonly (readonly [string, string, (text: string) => string, RegExp, number])[] = [
    [
      "a longer context",
      "context.md",
      (text) => `${text}\nAmounts are integers.\n`,
      /warning\[prompt-stale\]: the section `=== CONTEXT ===` does not contain context\.md[\s\S]*context\.md:8:1/,
      0,
    ],
    [
      "another title",
      task,
      (text) => text.replace(/^# .*$/m, "# Another title"),
      /error\[prompt-stale\]: [\s\S]*Another title[\s\S]*task-001-stock\.md:13:1/,
      2,
    ],
    [
      "a file more to create",
      task,
      (text) => text.replace("CREATE: ", "CREATE: src/extra.js, "),
      /error\[prompt-stale\]: [\s\S]*leaves out `src\/extra\.js`[\s\S]*task-001-stock\.md:16:9/,
      2,
    ],
  ];

  it.each(edits)("with %s are reported by validate, plan and run", async (_, path, change, said, code) => {
    const at = folderWith({});
    cpSync(join(root, "examples/inventory"), at, { recursive: true });
    const ask = (...args: string[]) => asked(args, { cwd: at });
    const commands = [["validate"], ["plan"], ["run", "--agent", "demo", "--dry-run"]];
    for (const args of commands) expect((await ask(...args, folder)).stderr).not.toContain("prompt-stale");
    const file = join(at, folder, path);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, change(before));
    expect(readFileSync(file, "utf8")).not.toBe(before);
    for (const args of commands) {
      const told = await ask(...args, folder);
      expect([args, told.code, told.stderr]).toEqual([args, code, expect.stringMatching(said)]);
      expect(told.stderr).toMatch(new RegExp(`plait spec prompts\\s+${folder}`));
    }
  });
});

describe("plait validate of an artefact folder", () => {
  let found: ReturnType<typeof counted>;
  beforeAll(() => {
    found = counted(["validate", "p"], "with");
  });

  it("parses contracts with the grammars of the built program, and refuses what does not parse", () => {
    expect(found.stderr).toContain(
      "p/contracts/types.py:2:5: error[contract-syntax]: invalid Python: `x int`",
    );
    expect([found.code, found.stdout]).toEqual([2, ""]);
  });

  it("is parsed by the library in the same way", async () => {
    const file = join(root, "dist/lib/spec/contracts/check.js");
    const { checkContracts } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const [one] = await checkContracts([
      { path: "types.go", file: "types.go", text: "package x\ntype A struct {\n" },
    ]);
    expect([one.code, one.at.start]).toEqual(["contract-syntax", { line: 2, col: 15 }]);
  });

  it("tells what the folder lacks, as a warning", () => {
    expect(found.stderr).toContain(
      "p/manifest.json:1:1: warning[folder-incomplete]: missing in the artifact folder: `architecture.md` and `task-graph.md`",
    );
  });

  it("is what cpo validate tells too, with its own exit code; a plan of it is shown all the same", () => {
    const old = plait(["cpo", "validate", "p"], { cwd });
    expect([old.code, old.stdout]).toEqual([
      1,
      expect.stringMatching(/error\[contract-syntax\](?:.|\n)*p: not valid\n$/),
    ]);
    expect(plait(["plan", "p"], { cwd }).code).toBe(0);
  });

  it("refuses a task file that no prompt can be made of, and names the folder in what to type", () => {
    expect(found.stderr).toContain("p/tasks/task-001-users.md:2:1: error[task-section-missing]");
    expect(found.stderr.replaceAll(/\s+/g, " ")).toContain(
      "generate the prompt from its task file: plait spec prompts p ",
    );
    expect(found.stderr).not.toContain("<folder>");
  });

  it("is found where it is the only one below parallel/; of several one must be named", () => {
    const alone = folderWith({ ...nested("one") });
    expect(plait(["plan"], { cwd: alone }).stderr).toContain("plan: parallel/one\n");
    const several = folderWith({ ...nested("one"), ...nested("two") });
    expect(plait(["validate"], { cwd: several })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "error: more than one plan: parallel/one, parallel/two\n  help: pass one: plait validate parallel/one\n",
      ),
    });
    expect(plait(["validate"], { cwd: join(cwd, "no") }).stderr).toContain(
      "error: no plan found in this folder",
    );
  });

  it("refuses a folder without a manifest", () => {
    const { code, stderr } = plait(["validate", "no"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("this folder is not a plan: it has no manifest.json");
  });

  it("loads the parser for contracts, and for nothing else", () => {
    const isParser = (url: string) =>
      /\/(?:types-file|read-source|judge-symbols|integrate)-[\w-]{8}\.js$/.test(url);
    const chunks = found.loaded.filter(isParser).map((url) => url.replace(/^.*\/|-[\w-]{8}\.js$/g, ""));
    expect(chunks.sort()).toEqual(["read-source", "types-file"]);
    const without = counted(["validate", "plan.yaml"], "without").loaded;
    expect(without.filter((url) => url.includes("/chunks/")).length).toBeGreaterThan(0);
    expect(without.filter(isParser)).toEqual([]);
  });
});
