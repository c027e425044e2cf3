import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { whole } from "../formats/cpo-folder.ts";
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

describe("plait validate of an artefact folder", () => {
  let found: ReturnType<typeof counted>;
  beforeAll(() => {
    found = counted(["validate", "p"], "with");
  });

  it("parses contracts with the grammars of the built program, and refuses what does not parse", () => {
    expect(found.stderr).toContain(
      "p/contracts/types.py:2:5: error[contract-syntax]: this cannot be read as Python: `x int`",
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
      "p/manifest.json:1:1: warning[folder-incomplete]: the folder has no `architecture.md`, no `task-graph.md`",
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
      "generate it from the task file: plait spec prompts p ",
    );
    expect(found.stderr).not.toContain("<folder>");
  });

  it("is found where it is the only one below parallel/; of several one must be named", () => {
    const alone = folderWith({ ...nested("one") });
    expect(plait(["plan"], { cwd: alone }).stderr).toContain(
      "plan: parallel/one, the only artifact folder\n",
    );
    const several = folderWith({ ...nested("one"), ...nested("two") });
    expect(plait(["validate"], { cwd: several })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "error: 2 artifact folders exist: parallel/one, parallel/two\n  help: choose one: plait validate parallel/one\n",
      ),
    });
    expect(plait(["validate"], { cwd: join(cwd, "no") }).stderr).toContain("error: no plan is named");
  });

  it("refuses a folder without a manifest", () => {
    const { code, stderr } = plait(["validate", "no"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("this folder is not a plan; looked for a manifest.json in it");
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
