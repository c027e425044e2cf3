// The architecture of this repository holds, and each rule is shown to fire on a planted violation, at its file and
// line and alone: a rule that was never seen to fail proves nothing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkLayers, describeViolation } from "./layers.ts";
import { type LayerTable, parseTable } from "./table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const table = parseTable(readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8"));

/** Checks a tree of planted files; gives `rule file:line` for each violation. */
function check(files: Record<string, string>, layers: LayerTable = table): string[] {
  const planted = mkdtempSync(join(tmpdir(), "plait-arch-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(planted, path)), { recursive: true });
      writeFileSync(join(planted, path), text);
    }
    return checkLayers(planted, layers).map(({ rule, file, line }) => `${rule} ${file}:${line}`);
  } finally {
    rmSync(planted, { recursive: true });
  }
}

const lines = (count: number): string => "// line\n".repeat(count);

describe("this repository", () => {
  it("breaks no rule of its architecture", () => {
    expect(checkLayers(root, table).map(describeViolation)).toEqual([]);
  });
});

describe("a planted violation is found where it is", () => {
  const cases: [what: string, path: string, text: string, expected: string][] = [
    ["a file in no folder", "src/loose.ts", "export {};\n", "folder :1"],
    ["a folder without a row", "src/helpers/a.ts", "export {};\n", "folder :1"],
    ["an import up the layers", "src/core/a.ts", '\nimport { b } from "../git/b.ts";\n', "layer :2"],
    ["a type from up the layers", "src/core/a.ts", 'import type { B } from "../git/b.ts";\n', "layer :1"],
    ["an inline type from up the layers", "src/core/a.ts", 'type B = import("../git/b.ts").B;\n', "layer :1"],
    ["a re-export from up the layers", "src/util/a.ts", '\n\nexport * from "../core/b.ts";\n', "layer :3"],
    ["a lazy import up the layers", "src/git/a.ts", 'await import("../engines/b.ts");\n', "layer :1"],
    ["code of core outside select", "src/cli/a.ts", 'import { b } from "../core/plan.ts";\n', "layer :1"],
    [
      "a module that only begins like select",
      "src/web/a.ts",
      'import { b } from "../core/selected.ts";\n',
      "layer :1",
    ],
    ["an import of what is no source", "src/cli/a.ts", 'import p from "../../package.json";\n', "outside :1"],
    ["an import of the folder src itself", "src/cli/a.ts", 'import p from "../index.ts";\n', "outside :1"],
    ["an import of a program", "src/cli/a.ts", 'import { b } from "../programs/b.ts";\n', "programs :1"],
    ["a computed import", "src/cli/a.ts", "\nawait import(`../git/${1}.ts`);\n", "computed-import :2"],
    ["a package in the wrong folder", "src/cli/a.ts", 'import { parse } from "yaml";\n', "package :1"],
    ["a package that is not listed", "src/git/a.ts", 'import x from "@scope/execa/lib";\n', "package :1"],
    ["a package in the core", "src/core/a.ts", 'import { z } from "zod";\n', "package :1"],
    ["a builtin in the core", "src/core/a.ts", 'import { join } from "node:path";\n', "pure-import :1"],
    ["a builtin in an agent", "src/agents/x/a.ts", 'import { readFileSync } from "fs";\n', "pure-import :1"],
    [
      "the clock in the core",
      "src/core/a.ts",
      "const x = 1;\nexport const y = x + Date.now();\n",
      "pure-global :2",
    ],
    ["a date type in the core", "src/core/a.ts", "export type T = { at: Date };\n", "pure-global :1"],
    ["randomness in the core", "src/core/a.ts", "\nexport const y = Math.random();\n", "pure-global :2"],
    [
      "Math taken apart in the core",
      "src/core/a.ts",
      "const { random } = Math;\nrandom();\n",
      "pure-global :1",
    ],
    ["a timer in the core", "src/core/a.ts", "setTimeout(() => {}, 1);\n", "pure-global :1"],
    ["the global object in the core", "src/core/a.ts", "globalThis.Date;\n", "pure-global :1"],
    ["the process in the core", "src/core/a.ts", "export const y = process.pid;\n", "pure-global :1"],
    [
      "starting a process",
      "src/git/a.ts",
      'import { spawn } from "node:child_process";\n',
      "child-process :1",
    ],
    ["starting a process, lazily", "src/cli/a.ts", '\nawait import("child_process");\n', "child-process :2"],
    [
      "starting a process, by the back door",
      "src/git/a.ts",
      'process.getBuiltinModule("child_process");\n',
      "child-process :1",
    ],
    ["git as a command", "src/gates/a.ts", '\nspawn("git", ["log"]);\n', "git :2"],
    ["git in a shell line", "src/gates/a.ts", "tools.execSync(`git log ${1}`);\n", "git :1"],
    ["git as an argv", "src/process/a.ts", 'const argv = ["git", "log"];\n', "git :1"],
    ["git as a program's name", "src/programs/a.ts", 'const x = { command: "git" };\n', "git :1"],
    ["the environment", "src/cli/a.ts", "\n\nexport const home = process.env.HOME;\n", "env :3"],
    ["the environment in brackets", "src/cli/a.ts", 'process["env"];\n', "env :1"],
    ["the environment of the global object", "src/git/a.ts", "globalThis.process.env;\n", "env :1"],
    ["the environment taken apart", "src/git/a.ts", "const { env, pid } = process;\n", "env :1"],
    ["the environment as an import", "src/git/a.ts", 'import { env } from "node:process";\n', "env :1"],
    ["the process under another name", "src/git/a.ts", 'import p from "node:process";\n', "env :1"],
    ["the process passed on", "src/git/a.ts", "start(process);\n", "env :1"],
    ["printing", "src/git/a.ts", "\nconsole.log(1);\n", "terminal :2"],
    ["printing by import", "src/app/a.ts", 'import { log } from "node:console";\n', "terminal :1"],
    ["a standard stream", "src/app/a.ts", 'process.stdout.write("x");\n', "terminal :1"],
    ["the exit code", "src/app/a.ts", "process.exitCode = 1;\n", "terminal :1"],
    ["leaving", "src/config/a.ts", "process.exit(1);\n", "terminal :1"],
    ["a long function", "src/git/a.ts", `\nfunction f() {\n${lines(59)}}\n`, "function-length :2"],
    ["a long method", "src/git/a.ts", `class A {\n  m() {\n${lines(59)}}\n}\n`, "function-length :2"],
    ["five parameters", "src/git/a.ts", "\nconst f = (a, b, c, d, e) => {};\n", "parameters :2"],
    [
      "five parameters of a port",
      "src/core/a.ts",
      "type P = { f(a, b, c, d, ...e): void };\n",
      "parameters :1",
    ],
  ];

  it.each(cases)("%s", (_what, path, text, expected) => {
    const [rule, line] = expected.split(" ");
    expect(check({ [path]: text })).toEqual([`${rule} ${path}${line}`]);
  });

  it("no source file at all", () => {
    expect(check({})).toEqual(["nothing-seen src:1"]);
    expect(check({ "src/core/a.test.ts": "export {};\n" })).toEqual(["nothing-seen src:1"]);
  });

  it("two folders that import each other", () => {
    const circular = new Map([
      ["git", new Map([["gates", "all" as const]])],
      ["gates", new Map([["git", "all" as const]])],
    ]);
    const files = {
      "src/gates/a.ts": 'import { b } from "../git/b.ts";\n',
      "src/git/b.ts": '\nimport type { A } from "../gates/a.ts";\n',
    };
    expect(check(files, circular)).toEqual(["cycle src/git/b.ts:2"]);
  });

  it("a file over 400 lines, also a test or a script", () => {
    const small = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`src/git/${i}.ts`, lines(1)]));
    for (const path of ["src/git/a.ts", "src/git/a.test.ts", "test/e2e/a.test.ts", "scripts/a.mjs"]) {
      expect(check({ ...small, [path]: lines(400) })).toEqual([]);
      expect(check({ ...small, [path]: lines(401) })).toEqual([`file-length ${path}:401`]);
    }
  });

  it("too many files of middling length, tests left out", () => {
    const files = { "src/git/a.ts": lines(1), "src/git/b.ts": lines(121), "src/git/c.ts": lines(130) };
    expect(check(files)).toEqual(["median-length src/git/b.ts:1"]);
    expect(check({ "src/git/a.ts": lines(120), "src/git/a.test.ts": lines(399) })).toEqual([]);
  });

  it("a long tail of files", () => {
    const small = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`src/git/${i}.ts`, lines(1)]));
    expect(check({ ...small, "src/git/a.ts": lines(301) })).toEqual(["p95-length src/git/a.ts:1"]);
    expect(check({ ...small, "src/git/a.ts": lines(300) })).toEqual([]);
  });
});

describe("what is allowed passes", () => {
  const cases: [what: string, path: string, text: string][] = [
    [
      "words in comments and strings",
      "src/core/a.ts",
      '// Date.now()\nexport const a = "process.env"; /* console */\n',
    ],
    [
      "words in templates",
      "src/core/a.ts",
      "export const a = `Date.now() \\` setTimeout ${1} process.env`;\n",
    ],
    ["words in patterns", "src/core/a.ts", "export const a = /[\"'`]Date.now()/;\n"],
    [
      "names of properties",
      "src/core/a.ts",
      "type A = { process: 1; Date(): 1 };\nexport const f = (a: A) => a.process;\n",
    ],
    ["the rest of Math", "src/core/a.ts", "export const a = Math.max(1, 2);\n"],
    ["a neighbour in the same folder", "src/core/a.ts", 'import { b } from "./ownership/b.ts";\n'],
    ["types of core in cli", "src/cli/a.ts", 'import type { Plan } from "../core/plan.ts";\n'],
    ["core/select in cli", "src/cli/a.ts", 'import { counts } from "../core/select.ts";\n'],
    ["the folder core/select in web", "src/web/a.ts", 'import { counts } from "../core/select/counts.ts";\n'],
    [
      "the parser in formats",
      "src/formats/a.ts",
      'import { parse } from "yaml";\nimport { z } from "zod/mini";\n',
    ],
    [
      "processes in process",
      "src/process/a.ts",
      'import { spawn } from "node:child_process";\nprocess.kill(1, 0);\n',
    ],
    ["git in git", "src/git/a.ts", 'run("git", ["log"]);\n'],
    [
      "git as a word",
      "src/gates/a.ts",
      'const name = "git";\nconst key = x["git"];\nsay("git is missing");\n',
    ],
    ["git at the start of a text", "src/gates/a.ts", 'line.startsWith("git ");\n'],
    ["the environment in config", "src/config/a.ts", "export const home = process.env.HOME;\n"],
    ["the terminal in cli", "src/cli/a.ts", "console.log(1);\nprocess.exitCode = 1;\n"],
    ["all of it in programs", "src/programs/a.ts", "console.log(process.env);\nprocess.exit(1);\n"],
    [
      "a variable of one's own called process",
      "src/git/a.ts",
      "export const f = (process: P) => wait(process);\n",
    ],
    ["a function of sixty lines", "src/git/a.ts", `function f() {\n${lines(58)}}\n`],
    ["four parameters and this", "src/git/a.ts", "function f(this: X, a, b, c, d) {}\n"],
  ];

  it.each(cases)("%s", (_what, path, text) => {
    expect(check({ [path]: text })).toEqual([]);
  });

  it("a test beside its source imports what it likes", () => {
    const test =
      'import { execFileSync } from "node:child_process";\nexecFileSync("git");\nconsole.log(Date.now());\n';
    expect(check({ "src/core/a.ts": "export {};\n", "src/core/a.test.ts": test })).toEqual([]);
  });
});

describe("a table that cannot be trusted is refused", () => {
  const within = (rows: string): string =>
    `<!-- layers -->\n\n| folder | may import |\n|---|---|\n${rows}\n<!-- /layers -->\n`;

  it.each([
    ["no table", "| core | nothing |", /no table/],
    ["an empty table", within(""), /no row/],
    ["a row that cannot be read", within("| core, util | nothing |"), /no row of the table/],
    ["an entry that cannot be read", within("| core | all of them |"), /Cannot read/],
    ["a folder twice", within("| core | nothing |\n| core | nothing |"), /two rows/],
    ["a folder that has no row", within("| git | core |"), /has no row/],
  ])("%s", (_what, markdown, message) => {
    expect(() => parseTable(markdown)).toThrow(message);
  });
});
