import { execFileSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadPlan } from "../../src/app/load-plan.ts";
import { defaultCaps, defaultLayers } from "../../src/config/settings.ts";
import { cpuMs } from "../support/cpu.ts";

/** Each kind of bad input: a clear error, in under a second, and nothing written. */

const folder = mkdtempSync(join(tmpdir(), "plait-bad-input-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plan = (tasks: string) => `plait: 1\ntasks:\n${tasks}\n`;
const withId = (id: string) => plan(`  - { id: ${JSON.stringify(id)}, prompt: x }`);

const texts: Readonly<Record<string, readonly [text: string | Uint8Array, ...codes: string[]]>> = {
  "an empty file": ["", "plan-empty"],
  "comments only": ["# nothing\n", "plan-empty"],
  "a binary": [Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), "not-text"],
  "UTF-16": [Buffer.from("\uFEFFplait: 1\n", "utf16le"), "not-text"],
  "Latin-1": [Buffer.from("plait: 1\nname: caf\xe9\n", "latin1"), "not-text"],
  "5,000 nested lists": [plan(`  ${"[".repeat(5_000)}${"]".repeat(5_000)}`), "too-deep"],
  "5,000 nested maps": [
    plan(
      Array.from({ length: 5_000 }, (_, i) => `${" ".repeat(i + 2)}a:`)
        .join("\n")
        .slice(0, 900_000),
    ),
    "too-deep",
  ],
  "5,000 lists in one line": [plan(`  ${"- ".repeat(5_000)}x`), "too-deep"],
  "magic keys": [plan("  - { id: a, prompt: x, __proto__: { access: read-only } }"), "unknown-key"],
  "an inherited key": [plan("  - { id: a, prompt: x, constructor: y }"), "unknown-key"],
  "an id that climbs": [withId("../x"), "bad-id"],
  "an id that is a flag": [withId("--force"), "bad-id"],
  "an id with a line break": [withId("a\n"), "bad-id"],
  "an id of 300 characters": [withId("a".repeat(300)), "bad-id"],
  "an empty id": [withId(""), "bad-id"],
  "an id of another type": [plan("  - { id: 7, prompt: x }"), "wrong-type"],
  "two tasks with one id": [plan("  - { id: a, prompt: x }\n  - { id: a, prompt: y }"), "duplicate-id"],
  "two keys of one name": [plan("  - { id: a, prompt: x, prompt: y }"), "duplicate-key"],
  "two plans in one file": [`${withId("a")}---\n${withId("b")}`, "two-plans"],
  "a number in the environment": [plan("  - { id: a, prompt: x, env: { PORT: 3000 } }"), "wrong-type"],
  "a list as prompt": [plan("  - { id: a, prompt: [x] }"), "wrong-type"],
  "a bomb of aliases": [
    plan(
      `  - ${["&a0 x", ...Array.from({ length: 30 }, (_, i) => `&a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`)].join("\n  - ")}`,
    ),
    "yaml-alias",
  ],
  "too many tasks": [
    plan(Array.from({ length: 2_001 }, (_, i) => `  - { id: t${i}, prompt: x }`).join("\n")),
    "too-many-tasks",
  ],
  "a megabyte of tiny tasks": [`plait: 1\ntasks: [${"1,".repeat(500_000)}1]\n`, "too-many-tasks"],
  "a megabyte of tiny lines": [`plait: 1\ntasks:\n${"- 1\n".repeat(250_000)}`, "too-many-tasks"],
  "a prompt of 300 KiB": [plan(`  - { id: a, prompt: ${"x".repeat(300 * 1024)} }`), "prompt-too-large"],
  "a cycle": [plan("  - { id: a, prompt: x, needs: [b] }\n  - { id: b, prompt: x, needs: [a] }"), "cycle"],
  "a megabyte of blank lines": ["\n".repeat(1_000_000), "plan-empty"],
  "a megabyte of blanks": [`plait: 1\n${" ".repeat(1_000_000)}`, "missing-key"],
  "a page that is no plan": ["<!doctype html>\n<title>plait: 1</title>\n", "unknown-format"],
};

const special: Readonly<Record<string, readonly [path: string, code: string]>> = {
  "a missing file": ["nothing.yaml", "file-missing"],
  "a folder": ["folder", "not-a-file"],
  "50 MB of YAML": ["large.yaml", "plan-too-large"],
  "a pipe": ["pipe", "not-a-file"],
  "a device that never ends": ["/dev/zero", "not-a-file"],
};

beforeAll(() => {
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "large.yaml"), "plait: 1\n");
  const large = openSync(join(folder, "large.yaml"), "r+");
  ftruncateSync(large, 50_000_000);
  closeSync(large);
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe")]);
});

async function load(path: string): Promise<string[]> {
  const before = snapshot();
  const start = cpuMs();
  const { plan: loaded, diagnostics } = await loadPlan(path, {
    caps: defaultCaps,
    layers: defaultLayers(),
    cwd: folder,
  });
  expect(cpuMs() - start).toBeLessThan(1_000);
  expect(snapshot()).toEqual(before);
  expect(loaded).toBeNull();
  expect(diagnostics.filter(({ at }) => at?.file !== path)).toEqual([]);
  return [...new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code))];
}

function snapshot(): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
    .sort();
}

describe("bad input", () => {
  test.each(Object.entries(texts))("%s", async (_, [text, ...codes]) => {
    writeFileSync(join(folder, "plan.yaml"), text);
    expect(await load("plan.yaml")).toEqual(codes);
  });

  test.each(Object.entries(special))("%s", async (_, [path, code]) =>
    expect(await load(path)).toEqual([code]),
  );

  test("no object of the program has changed", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { access?: unknown }).access).toBeUndefined();
  });
});
