import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { initFolder } from "../../src/app/spec/init-folder.ts";
import { moveAll, namesAt } from "../../src/app/spec/moves.ts";
import { checkPrompts, openPrompts } from "../../src/app/spec/open-folder.ts";
import { regeneratePrompts, writePrompts } from "../../src/app/spec/write-prompts.ts";
import { defaultCaps } from "../../src/config/settings.ts";
import type { PromptFolder } from "../../src/spec/prompt-folder.ts";
import { specFiles, usualFolder } from "../../src/spec/spec-files.ts";
import { folderWith, plait } from "../cli/plait.ts";
import { richContents } from "./rich-contents.ts";

const FOLDER = usualFolder(richContents);
const NOW = "2026-02-01T08:00:00.000Z";
const files = specFiles(richContents);

/** A repository of its own with the folder in it: what git would find, without git. */
function place(changed: { readonly [path: string]: string } = {}) {
  const own = Object.fromEntries(files.map(({ path, text }) => [`${FOLDER}/${path}`, text]));
  const root = folderWith({ ".git/HEAD": "ref: refs/heads/main\n", ...own, ...changed });
  const at = join(root, FOLDER);
  return { root, at, prompts: join(at, "prompts") };
}

async function open(root: string, named = FOLDER) {
  const opened = await openPrompts(named, { cwd: root, caps: defaultCaps });
  expect(opened.diagnostics).toEqual([]);
  return { opened, folder: opened.folder as PromptFolder };
}

async function generate(root: string, named = FOLDER) {
  const { opened, folder } = await open(root, named);
  return writePrompts(folder, opened, NOW);
}

/** Every file with its text, by the path from the folder. */
function filesBelow(folder: string): { readonly [path: string]: string } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = entries.map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

const addRequirement = (at: string) => {
  const task = join(at, "tasks/task-003-orders-all.md");
  writeFileSync(task, readFileSync(task, "utf8").replace("## Checklist", "- and one more\n\n## Checklist"));
};

describe("generating prompts", () => {
  test("what is there already as it would be written stays, with its time", async () => {
    const { root, at } = place();
    const before = filesBelow(at);
    expect(await generate(root)).toMatchObject({ ok: true, isNew: false, backup: null });
    expect(filesBelow(at)).toEqual(before);
  });

  test("those before are kept beside, and what is no prompt stays where it was", async () => {
    const { root, at, prompts } = place({
      [`${FOLDER}/prompts/notes.md`]: "mine",
      [`${FOLDER}/prompts/task-009.txt`]: "of a task that is gone",
      [`${FOLDER}/prompts/old/x.txt`]: "mine too",
    });
    const before = readFileSync(join(prompts, "task-003.txt"), "utf8");
    addRequirement(at);
    const backup = "prompts.backup-20260201T080000Z";
    expect(await generate(root)).toMatchObject({ ok: true, isNew: true, backup });
    expect(Object.keys(filesBelow(prompts)).sort()).toEqual([
      "agent-prompts.md",
      "notes.md",
      "old/x.txt",
      ...["task-001.txt", "task-002.txt", "task-003.txt", "task-004.txt"],
    ]);
    expect(readdirSync(join(at, backup)).sort()).toEqual([
      "agent-prompts.md",
      ...["task-001.txt", "task-002.txt", "task-003.txt", "task-004.txt", "task-009.txt"],
    ]);
    expect(readFileSync(join(at, backup, "task-003.txt"), "utf8")).toBe(before);
    expect(readFileSync(join(prompts, "task-003.txt"), "utf8")).toContain("- and one more\n");
    expect(readFileSync(join(prompts, "agent-prompts.md"), "utf8")).toContain(`Generated: ${NOW}`);
    addRequirement(at);
    expect(await generate(root)).toMatchObject({ backup: `${backup}-2` });
    expect(readdirSync(at).filter((name) => name.startsWith("."))).toEqual([".gitignore"]);
  });

  test("where there were none, nothing is kept", async () => {
    const { root, at, prompts } = place();
    const before = filesBelow(prompts);
    rmSync(prompts, { recursive: true });
    expect(await generate(root)).toMatchObject({ ok: true, isNew: true, backup: null });
    expect({ ...filesBelow(prompts), "agent-prompts.md": "" }).toEqual({ ...before, "agent-prompts.md": "" });
    expect(readdirSync(at).some((name) => name.includes("backup"))).toBe(false);
  });

  test("a link in their place is not followed, neither to generate nor to mend", async () => {
    const { root, prompts } = place();
    rmSync(prompts, { recursive: true });
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), prompts);
    const refused = {
      ok: false,
      refusal: { kind: "request", message: expect.stringContaining(`${prompts} is a link`) },
    };
    expect(await generate(root)).toMatchObject(refused);
    const { opened, folder } = await open(root);
    const checked = await checkPrompts(folder, opened);
    expect(await regeneratePrompts(folder, opened, { checked, now: NOW })).toMatchObject(refused);
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  });

  test("a place that cannot be looked at is told, with the reason that the system gives", async () => {
    const root = folderWith({ "a-file": "" });
    expect(await namesAt(join(root, "a-file/prompts"))).toMatchObject({
      ok: false,
      refusal: { kind: "environment", message: expect.stringContaining("(ENOTDIR)") },
    });
  });

  test("a folder that is named by a link to it is told of under its own name", async () => {
    const { root, at } = place();
    symlinkSync(at, join(root, "link"));
    expect(await generate(root, "link")).toMatchObject({ ok: true, isNew: false });
  });

  test("outside of any repository, a new folder already has what would be generated", async () => {
    const root = folderWith({ x: "" });
    const about = { techSpec: "TS-0007", name: "other", technology: "go" } as const;
    const place = { folder: join(root, "parallel/mine"), cwd: root, caps: defaultCaps };
    expect(await initFolder({ ...about, ...place })).toMatchObject({ ok: true });
    expect(await generate(root, "parallel/mine")).toMatchObject({ ok: true, isNew: false });
  });

  test("of two at the same moment, one may have to stop, says why, and leaves nothing behind", async () => {
    const { root, at } = place();
    addRequirement(at);
    const both = await Promise.all([generate(root), generate(root)]);
    expect(both.some(({ ok }) => ok)).toBe(true);
    for (const one of both) if (!one.ok) expect(one.refusal.message).toContain("another program");
    expect(readdirSync(at).filter((name) => name.startsWith("."))).toEqual([".gitignore"]);
  });

  test("moves that cannot all be made are all taken back", async () => {
    const root = folderWith({ "a/x": "a", "b/y": "b", taken: "t" });
    const at = (name: string) => join(root, name);
    const before = filesBelow(root);
    const good = [
      { from: at("a"), to: at("c") },
      { from: at("b"), to: at("a") },
    ];
    await expect(moveAll([...good, { from: at("c/none"), to: at("d") }])).rejects.toThrow("ENOENT");
    expect(filesBelow(root)).toEqual(before);
    await expect(moveAll([...good, { from: at("c/x"), to: at("taken") }])).rejects.toThrow("already exists");
    expect(filesBelow(root)).toEqual(before);
  });
});

describe("checking prompts", () => {
  test("a prompt that says something else than its task file is out of date; only that one is mended, and the overview", async () => {
    const { root, at, prompts } = place({ [`${FOLDER}/prompts/task-003.txt.backup`]: "older" });
    addRequirement(at);
    const kept = filesBelow(prompts);
    const { opened, folder } = await open(root);
    const checked = await checkPrompts(folder, opened);
    expect(checked.map(({ task, isValid }) => [task, isValid])).toEqual([
      ["task-001", true],
      ["task-002", true],
      ["task-003", false],
      ["task-004", true],
    ]);
    expect(checked[2]?.diagnostics).toMatchObject([
      {
        code: "prompt-stale",
        at: { file: `${FOLDER}/prompts/task-003.txt` },
        related: [{ at: { file: `${FOLDER}/tasks/task-003-orders-all.md`, start: { line: 21 } } }],
      },
    ]);
    const backup = "prompts/task-003.txt.backup-2";
    expect(await regeneratePrompts(folder, opened, { checked, now: NOW })).toEqual({
      ok: true,
      mended: [{ path: "prompts/task-003.txt", backup }],
      overview: { path: "prompts/agent-prompts.md", backup: "prompts/agent-prompts.md.backup" },
    });
    const reopened = await open(root);
    const again = await checkPrompts(reopened.folder, reopened.opened);
    expect(again.every(({ isValid }) => isValid)).toBe(true);
    const text = readFileSync(join(prompts, "task-003.txt"), "utf8");
    expect(filesBelow(prompts)).toEqual({
      ...kept,
      "task-003.txt": text,
      "task-003.txt.backup-2": kept["task-003.txt"],
      "agent-prompts.md": expect.stringContaining(
        `| \`prompts/task-003.txt\` | ${Buffer.byteLength(text)} |`,
      ),
      "agent-prompts.md.backup": kept["agent-prompts.md"],
    });
    expect(await generate(root)).toMatchObject({ ok: true, isNew: false });
  });

  test("what somebody added to a prompt is theirs; a context that has changed since is an error in a generated prompt, a warning in others", async () => {
    const { root, at, prompts } = place();
    const prompt = join(prompts, "task-001.txt");
    writeFileSync(prompt, readFileSync(prompt, "utf8").replace("- --limit", "- mine\n- --limit"));
    writeFileSync(join(at, "context.md"), "# Another\n");
    const other = join(prompts, "task-002.txt");
    const older = readFileSync(other, "utf8").replace(/^TASK-task-/, "TASK-"); // as prompts of other tools begin
    writeFileSync(other, `${older}\nAnd be kind.\n`);
    const generated = await open(root);
    const [, stale] = await checkPrompts(generated.folder, generated.opened);
    expect(stale).toMatchObject({
      isValid: false,
      diagnostics: [{ code: "prompt-stale", severity: "error" }],
    });
    rmSync(join(prompts, "agent-prompts.md")); // which records their sources
    const { opened, folder } = await open(root);
    const [first, second] = await checkPrompts(folder, opened);
    expect(second).toMatchObject({
      isValid: true,
      diagnostics: [{ code: "prompt-stale", severity: "warning" }],
    });
    expect(first).toMatchObject({ isValid: false });
  });
});

describe("plait spec prompts", () => {
  const { root, at, prompts } = place();
  const run = (...args: string[]) => plait(["spec", "prompts", FOLDER, ...args], { cwd: root });

  test("exits with 0 where all are valid, 1 where one is not, 2 where there are none", () => {
    expect(run("--check", "--verbose")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("task-004.txt: ok\n"),
    });
    const prompt = join(prompts, "task-002.txt");
    writeFileSync(prompt, readFileSync(prompt, "utf8").replace("touch .claude-task-complete", ""));
    const { code, stdout, stderr } = run("--check");
    expect([code, stdout]).toEqual([
      1,
      `${FOLDER}/prompts: 3 of 4 prompts valid\nnext  plait spec prompts ${FOLDER} --check --fix\n`,
    ]);
    expect(stderr).toContain(`${FOLDER}/prompts/task-002.txt:`);
    expect(stderr).toContain("error[prompt-completion]");
    const fixed = run("--check", "--fix", "--json");
    expect([fixed.code, fixed.stderr]).toEqual([0, ""]);
    expect(JSON.parse(fixed.stdout)).toMatchObject({
      ok: true,
      fixed: [{ file: `${FOLDER}/prompts/task-002.txt`, backup: `${FOLDER}/prompts/task-002.txt.backup` }],
      findings: [{ code: "prompt-completion", severity: "warning", hint: null }],
    });
    rmSync(prompts, { recursive: true });
    expect(run("--check", "--fix").code).toBe(2);
    expect(run("--fix").code).toBe(2);
  });

  test("a folder that prompts cannot be made from is told with places, and nothing is written", () => {
    rmSync(join(at, "context.md"));
    const before = filesBelow(root);
    const { code, stdout, stderr } = run();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("error[context-missing]");
    expect(filesBelow(root)).toEqual(before);
  });
});
