import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Files, manifest, readFolder, taskOf } from "../../../test/formats/cpo-folder.ts";

const IDS = [["task-001-users", "task-002-items"], ["task-003-orders"]];
const withPackages = (dependencies: object, files: Files = {}): Files => ({
  "manifest.json": manifest(IDS, { dependencies }),
  "../../package.json": "{}",
  ...files,
});
const lineOf = async (files: Files, id = "dependencies") => {
  const { draft } = await readFolder(files);
  const { work } = taskOf(draft, id);
  const line = work.kind === "command" && work.run.kind === "shell" ? work.run.line : "";
  return line.replace(/^command -v (\w+) .*?; \}; /, "$1? ").replace(/ && \{ git check-ignore .*$/, "");
};
const all = { remove: ["a"], upgrade: ["b@1.0.0"], add: ["c@2.0.0", "@d/e@3.0.0"], add_dev: ["f@4.0.0"] };
const ENV = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

describe("the dependencies of a manifest", () => {
  test("of Python are installed by uv, before everything else", async () => {
    const python = {
      add: ["c==2.0.0", "d[x,y]==3.0.0"],
      remove: ["a"],
      upgrade: ["b==1.0.0"],
      add_dev: ["e==4.0.0"],
    };
    const files = withPackages({ python });
    expect(await lineOf(files)).toBe(
      "uv? uv remove a && uv add --upgrade b==1.0.0 && uv add c==2.0.0 'd[x,y]==3.0.0' && uv add --dev e==4.0.0",
    );
    const { draft, said } = await readFolder(files);
    expect(said).toEqual([]);
    const task = taskOf(draft, "dependencies");
    expect([task.wave, task.settings.access, task.settings.allowEmpty]).toEqual([null, "write", true]);
    expect(task.consent).toEqual(["lockfiles"]); // its change of uv.lock is what the manifest asks for
    const needs = (id: string) => taskOf(draft, id).needs.map(({ value }) => value);
    expect([needs("task-001-users"), needs("task-002-items"), needs("task-003-orders")]).toEqual([
      ["dependencies"],
      ["dependencies"],
      ["task-001-users"], // and its wave comes after the first
    ]);
  });

  test.each<[string, Files, string]>([
    [
      "no lock file",
      {},
      "npm? npm uninstall a && npm install b@1.0.0 && npm install c@2.0.0 @d/e@3.0.0 && npm install --save-dev f@4.0.0",
    ],
    [
      "npm",
      { "../../package-lock.json": "" },
      "npm? npm uninstall a && npm install b@1.0.0 && npm install c@2.0.0 @d/e@3.0.0 && npm install --save-dev f@4.0.0",
    ],
    [
      "pnpm",
      { "../../pnpm-lock.yaml": "" },
      "pnpm? pnpm remove a && pnpm update b@1.0.0 && pnpm add c@2.0.0 @d/e@3.0.0 && pnpm add --save-dev f@4.0.0",
    ],
    [
      "yarn",
      { "../../yarn.lock": "" },
      "yarn? yarn remove a && yarn upgrade b@1.0.0 && yarn add c@2.0.0 @d/e@3.0.0 && yarn add --dev f@4.0.0",
    ],
    [
      "newer yarn",
      { "../../yarn.lock": "", "../../.yarnrc.yml": "" },
      "yarn? yarn remove a && yarn up b@1.0.0 && yarn add c@2.0.0 @d/e@3.0.0 && yarn add --dev f@4.0.0",
    ],
    [
      "bun",
      { "../../bun.lockb": "" },
      "bun? bun remove a && bun add b@1.0.0 && bun add c@2.0.0 @d/e@3.0.0 && bun add --dev f@4.0.0",
    ],
    [
      "packageManager before lock files",
      { "../../package.json": '{ "packageManager": "pnpm@9.1.0" }', "../../yarn.lock": "" },
      "pnpm? pnpm remove a && pnpm update b@1.0.0 && pnpm add c@2.0.0 @d/e@3.0.0 && pnpm add --save-dev f@4.0.0",
    ],
    [
      "a newer yarn by packageManager",
      { "../../package.json": '{ "packageManager": "yarn@4.0.0" }' },
      "yarn? yarn remove a && yarn up b@1.0.0 && yarn add c@2.0.0 @d/e@3.0.0 && yarn add --dev f@4.0.0",
    ],
  ])("of Node: %s", async (_, root, line) => {
    expect(await lineOf(withPackages({ node: all }, root))).toBe(line);
    expect((await readFolder(withPackages({ node: all }, root))).said).toEqual([]);
  });

  test.each([
    ["would be committed", "", false, false],
    ["is ignored", "node_modules/\n", false, true],
    ["is tracked", "", true, true],
  ])("of Node: node_modules that %s", async (_, ignore, isTracked, stays) => {
    const { draft } = await readFolder(withPackages({ node: { add: ["a@1.0.0"] } }));
    const { work } = taskOf(draft, "dependencies");
    const line = work.kind === "command" && work.run.kind === "shell" ? work.run.line : "";
    const folder = mkdtempSync(join(tmpdir(), "plait-modules-"));
    try {
      const sh = (command: string, cwd = folder) => execFileSync("sh", ["-c", command], { cwd, env: ENV });
      sh("git init -q .");
      writeFileSync(join(folder, ".gitignore"), ignore);
      mkdirSync(join(folder, "node_modules"));
      writeFileSync(join(folder, "node_modules/a.js"), "");
      if (isTracked) sh("git add -A");
      sh(`npm() { echo "$@"; }; ${line}`);
      expect(existsSync(join(folder, "node_modules"))).toBe(stays);
      expect(() => sh(`npm() { return 3; }; ${line}`)).toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("of both are installed one after the other", async () => {
    const files = withPackages({ python: { add: ["a==1.0"] }, node: { add: ["b@1.0.0"] } });
    const { draft } = await readFolder(files);
    expect(draft?.tasks.map(({ id, needs }) => [id.value, ...needs.map(({ value }) => value)])).toEqual([
      ["dependencies-python"],
      ["dependencies-node", "dependencies-python"],
      ["task-001-users", "dependencies-node"],
      ["task-002-items", "dependencies-node"],
      ["task-003-orders", "task-001-users"],
    ]);
  });

  test("that are empty are none", async () => {
    const { draft } = await readFolder(withPackages({ python: { add: [], remove: [] } }));
    expect(draft?.tasks).toHaveLength(3);
  });

  test("a missing program is named", async () => {
    const { draft } = await readFolder(withPackages({ python: { add: ["a==1.0"] } }));
    expect(taskOf(draft, "dependencies").work).toMatchObject({
      run: {
        line: expect.stringContaining("this plan needs uv, which is not on the PATH"),
      },
    });
  });

  test.each([
    ["--index-url=http://x", "looks like an option"],
    ["a; rm -rf /", 'contains ";"'],
    ["$(x)", 'contains "$"'],
    ["a'b", 'contains "\'"'],
    ["=1", "does not begin with a name"],
  ])("%s is refused", async (spec, problem) => {
    const { said } = await readFolder(withPackages({ python: { add: [spec] } }));
    expect(said).toEqual([
      `manifest.json:30:9 error dependency-spec: the dependency \`${spec}\` ${problem} -> use a name and a version: \`pydantic==2.5.3\` or \`zod@3.22.4\``,
    ]);
  });

  test.each([
    ["python", "pydantic>=2.0"],
    ["python", "pydantic"],
    ["node", "zod@^3.0.0"],
    ["node", "@types/node"],
  ])("of %s, %s is not pinned", async (ecosystem, spec) => {
    const { said } = await readFolder(withPackages({ [ecosystem]: { add: [spec] } }));
    expect(said).toEqual([
      `manifest.json:30:9 warning dependency-unpinned: the dependency \`${spec}\` is not pinned to a version -> pin all dependencies: plait spec align <folder>`,
    ]);
  });

  test("lock files of several programs, and none to install into", async () => {
    const locks = { "../../yarn.lock": "", "../../pnpm-lock.yaml": "" };
    expect((await readFolder(withPackages({ node: { add: ["a@1.0.0"] } }, locks))).said).toEqual([
      'manifest.json:28:5 warning package-manager: several lockfiles: using pnpm, not `yarn.lock` -> choose one in package.json: `"packageManager": "pnpm@…"`',
    ]);
    const none = withPackages({ node: { add: ["a@1.0.0"] } }, { "../../package.json": null });
    expect((await readFolder(none)).said).toEqual([
      "manifest.json:28:5 warning package-manager: the plan installs Node packages, but the root has no package.json -> create one: `npm init`",
    ]);
  });
});
