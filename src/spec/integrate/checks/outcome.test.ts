import { expect, test } from "vitest";
import type { CheckKind } from "../report.ts";
import { formatMissingPackage } from "./missing.ts";
import { outcomeOf } from "./outcome.ts";
import { uninstalledPackage } from "./uninstalled.ts";

const outcome = (
  kind: CheckKind,
  run: string,
  end: { code?: number | null; output?: string; isLate?: boolean },
) => {
  const { code = 0, output = "", isLate = false } = end;
  const found = outcomeOf({ name: "x", kind, run }, { code, signal: "SIGKILL", isLate, output }, 90_000);
  return `${found.status}: ${found.summary}`;
};

test("a check is what its exit code says, with what it counted", () => {
  const late = outcome("tests", "x", { code: null, isLate: true });
  expect(late).toBe("red: timed out after 90 s");
  expect(outcome("build", "x", { code: null })).toBe("red: ended by SIGKILL");
  expect(outcome("build", "x", {})).toBe("green: exit code 0");
  expect(outcome("tests", "pytest", { output: "3 passed, 1 skipped in 0.1s" })).toBe(
    "green: 3 passed, 1 skipped",
  );
  expect(outcome("tests", "pytest", { code: 1, output: "1 failed, 3 passed in 0.1s" })).toBe(
    "red: 1 failed, 3 passed",
  );
  const uncovered = "3 passed in 0.1s\nFAIL Required test coverage of 90% not reached";
  expect(outcome("tests", "pytest", { code: 1, output: uncovered })).toBe(
    "red: exit code 1: FAIL Required test coverage of 90% not reached",
  );
  expect(outcome("types", "mypy .", { code: 1, output: "Found 1 error in 1 file" })).toBe("red: 1 error");
  expect(outcome("lint", "ruff", { output: "All checks passed!" })).toBe("green: no problems");
  expect(outcome("tests", "pytest", { code: 5, output: "no tests ran in 0.01s" })).toBe(
    "not-run: no tests found",
  );
});

test("gofmt is red when it lists files of the project", () => {
  expect(outcome("lint", "gofmt -l .", { output: "vendor/x/a.go\n" })).toBe("green: all files are formatted");
  expect(outcome("lint", "cd api && gofmt -l .", { output: "a.go\nb.go\nc.go\nd.go\n" })).toBe(
    "red: not formatted: a.go, b.go, c.go and 1 more",
  );
});

/** As these say that a program is not there, with the exit code that they end with. */
const missing: readonly [run: string, code: number, output: string, words: string][] = [
  [
    "npm run lint",
    127,
    "> lint\n> eslint .\n\nsh: 1: eslint: not found\n",
    "eslint was not found; add to plait.config.yaml",
  ],
  ["pnpm run lint", 1, "sh: 1: eslint: not found\n ELIFECYCLE  Command failed.\n", "setup: pnpm install"],
  ["bun run lint", 127, "/usr/bin/bash: line 1: eslint: command not found\n", "eslint was not found"],
  [
    "npx --no-install tsc --noEmit",
    1,
    'npm error npx canceled due to missing packages and no YES option: ["tsc@2.0.4"]\n',
    "tsc was not found; add to plait.config.yaml: prepare: { setup: npm ci }",
  ],
  [
    "pnpm exec tsc",
    254,
    ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "tsc" not found\n',
    "tsc was not found",
  ],
  ["yarn -s run tsc", 1, 'error Command "tsc" not found.\n', "setup: yarn install"],
  ["yarn run tsc", 1, 'Usage Error: Couldn\'t find a script named "tsc".\n', "tsc was not found"],
  ["bun run tsc", 1, 'error: Script not found "tsc"\n', "setup: bun install"],
  [
    "uv run pytest",
    2,
    "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory\n",
    "pytest was not found; install it",
  ],
  ["poetry run mypy .", 1, "Command not found: mypy\n", "setup: poetry install"],
  [
    "cd api && go vet ./...",
    127,
    "sh: 1: go: not found\n",
    "go was not found; install it, or configure another command under integrate: checks:",
  ],
  ["python -m pytest", 1, "/usr/bin/python3: No module named pytest\n", "pytest was not found"],
  [
    "python manage.py check",
    1,
    "ImportError: Couldn't import Django. Are you sure it's installed and\n",
    "Django was not found",
  ],
];

test.each(missing)("%s without its program was not run", (run, code, output, words) => {
  expect(outcome("lint", run, { code, output })).toContain(`not-run: `);
  expect(outcome("lint", run, { code, output })).toContain(words);
});

test("what a program could not fetch before it began says nothing about the commit", () => {
  const go =
    'go: a.example/b@v1.0.0: Get "https://proxy.example/b.zip": dial tcp: lookup proxy.example: no such host\n';
  expect(outcome("build", "go build ./...", { code: 1, output: go })).toMatch(/^not-run: download failed/);
  const uv = "error: Failed to fetch: `https://pypi.example/simple/fastapi/`\n  Caused by: dns error\n";
  expect(outcome("tests", "uv run pytest", { code: 2, output: uv })).toMatch(
    /^not-run: download failed: .*fastapi/,
  );
  expect(outcome("tests", "pytest", { code: 1, output: uv })).toMatch(/^red/);
});

test("what a program says about other programs, and a path of the project that is missing, are red", () => {
  expect(outcome("tests", "npm test", { code: 1, output: "sh: 1: git: not found\n1 failing\n" })).toMatch(
    /^red/,
  );
  expect(outcome("build", "npm run build", { code: 127, output: "sh: 1: ./make.sh: not found\n" })).toBe(
    "red: exit code 127: sh: 1: ./make.sh: not found",
  );
  expect(
    outcome("tests", "pytest", { code: 1, output: "E   ModuleNotFoundError: No module named 'app'" }),
  ).toMatch(/^red/);
});

/** The project asks for zod, hono, @types/node and @acme/kit, for fastapi and pyyaml; none of it is there. */
const asked = {
  node: new Set(["zod", "hono", "@types/node", "@acme/kit"]),
  python: new Set(["fastapi", "pyyaml", "django-filter"]),
};

test.each([
  ["E   ModuleNotFoundError: No module named 'fastapi'", "fastapi"],
  ["ModuleNotFoundError: No module named 'yaml.loader'", "pyyaml"],
  ["ModuleNotFoundError: No module named 'django_filter'", "django-filter"],
  ['a.py:1: error: Cannot find implementation or library stub for module named "fastapi.testing"', "fastapi"],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /x/a.js", "hono"],
  ["src/a.ts(1,1): error TS2307: Cannot find module '@acme/kit/x' or its corresponding", "@acme/kit"],
  ["error TS2688: Cannot find type definition file for 'node'.", "@types/node"],
  ['Error: Failed to resolve import "zod" from "src/a.ts".', "zod"],
  ["ModuleNotFoundError: No module named 'app'", null],
  ["Cannot find module './zod.js' imported from a.js", null],
  ["Cannot find package 'left-pad'", null],
])("a package that is asked for and not installed: %s", (output, name) => {
  expect(uninstalledPackage(output, asked)).toBe(name);
});

test("how packages come there is said in the words of the project", () => {
  expect(formatMissingPackage("zod", "cd web && pnpm test")).toContain("prepare: { setup: pnpm install");
  expect(formatMissingPackage("fastapi", "pytest")).toContain("start plait in an environment that has it");
});
