import { fileCatalog } from "../../src/app/file-catalog.ts";
import { planCatalog } from "../../src/core/analyze/catalog.ts";
import type { CodeParams } from "../../src/core/catalog.ts";
import { formatCatalog } from "../../src/formats/catalog.ts";

/** Plans, their formats and the files around them. */
export const planCatalogs = { ...planCatalog, ...formatCatalog, ...fileCatalog } as const;

type All = typeof planCatalogs;

const subject = "`api`";
const [task, need, first, second, path, folder] = [
  "page",
  "api",
  "page",
  "api",
  "src/api/users.ts",
  "parallel/TS-0042",
];
const ids = ["api", "page"];
const suggestion = "api";
const range = { value: 999, low: 1, high: 256 };
const at = { file: "plan.yaml", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } };
const value = {
  label: "timeout",
  expected: "a duration such as 45m, 90s or 1h30m",
  found: "the number 45",
  fix: null,
};
const problem = "is an absolute path";
const tooLarge = "is too large: at least 1048577 bytes (limit: 1048576)";
const ports = { from: 3000, to: 3004, count: 10 };

/** Typical values of each code, one set for each way to word it. */
export const planSamples: { readonly [Code in keyof All]: readonly CodeParams<All, Code>[] } = {
  "no-tasks": [{}],
  "bad-id": [{ id: "user api", problem: "contains a space", suggestion: "user-api" }],
  "duplicate-id": [{ id: "api" }, { id: "2", noun: "batch" }],
  "id-differs-only-in-case": [{ id: "api", first: "Api" }],
  "unknown-need": [
    { task, need: "apii", suggestion, ids },
    { task: "3", need: "9", noun: "batch", suggestion: null, ids: ["1", "2"] },
  ],
  "needs-itself": [{ task }, { task, isEach: true }],
  "duplicate-need": [{ task, need }],
  cycle: [{ path: ["a", "b", "a"] }],
  "bad-wave": [{ task, wave: 1.5 }],
  "needs-later-wave": [
    { task, need, wave: 1, needWave: 1 },
    { task, need, wave: 1, needWave: 2 },
  ],
  "summary-not-needed": [{ task, need }],
  "bad-pattern": [
    { subject: "`api` owns", path: "/etc", problem, fix: "write a path from the root: `src/`" },
  ],
  "ownership-overlap": [
    { first, second, path, folder: null, ordering: { task, needs: need }, unshared: null },
    { first, second, path: "src", folder: "src", ordering: null, unshared: null },
    { first, second, path, folder: null, ordering: null, unshared: second },
  ],
  "overlap-unclear": [
    { kind: "tasks", first, second, reason: "only if `src` is a folder", folder: "src" },
    { kind: "boundary", task, boundary: "src/**", reason: "only if `src` is a folder" },
    { kind: "letters", one: { task, path: "Makefile" }, other: { task: need, path: "makefile" } },
    { kind: "too-many-tasks", most: 4000, tasks: 5000 },
    { kind: "too-slow", pairs: 12_000, glob: "**/*a*" },
  ],
  "owns-in-boundary": [{ task, path, boundary: "src/**" }],
  "created-twice": [
    { first, second, path },
    { task, glob: "src/*.ts", other: { task: need, path }, more: 2, isNamed: true },
  ],
  "overlaps-not-listed": [{ most: 200 }],
  "no-owns": [{ tasks: [task] }, { tasks: ids }],
  "read-only-owns": [{ task }],
  "reports-not-read-only": [{ task }],
  "reports-owned": [{ task, path: "reports/", reporter: "review", report: "reports/*.md" }],
  "empty-prompt": [{ task }],
  "bad-command": [
    { subject, problem: "empty" },
    { subject, problem: "nul" },
  ],
  "bad-agent": [{ subject, kind: "agent", value: "--yes", problem: "looks like an option" }],
  "unknown-agent": [
    { agent: "cluade", suggestion: "claude", known: [] },
    { agent: "reviewer", suggestion: null, known: ["claude", "codex", "gemini"] },
  ],
  "bad-tool": [{ subject, value: "-x", problem: "looks like an option" }],
  "bad-number": [{ subject, name: "retries", ...range, isInteger: true }],
  "race-on-command": [{ task }],
  "slots-out-of-range": [{ subject, ...range }],
  "bad-ports": [
    { kind: "reversed", ports: { from: 3004, to: 3000, count: 10 } },
    { kind: "too-few", ports },
    { kind: "shortage", ports, slots: 4 },
  ],
  "bad-group-name": [{ group: "a b", problem: "contains a space" }],
  "unknown-group": [
    { group: "db", suggestion: null, groups: [] },
    { group: "db", suggestion: "database", groups: ids },
  ],
  "duplicate-limit": [{ group: "db" }],
  "limit-out-of-range": [{ group: "db", ...range }],
  "unused-limit": [{ group: "db" }],
  "bad-env-name": [{ subject, name: "A-B" }],
  "bad-env-value": [{ subject, name: "A" }],
  "env-refused": [{ subject, name: "PATH", reason: "decides which programs run" }],
  "env-redirects": [
    {
      subject,
      name: "ANTHROPIC_BASE_URL",
      reason: "can send an agent's requests and your key to another server",
    },
  ],
  "copy-escapes": [{ subject, value: "/etc/passwd", problem }],
  "setup-reuse": [
    { kind: "unused-input", path: "schema/**" },
    { kind: "tracked", path: "src" },
    { kind: "not-ignored", path: "made" },
    { kind: "invalid", path: "/tmp/x", subject, problem },
  ],
  "dir-escapes": [{ subject, key: "dir", value: "/tmp", problem }],
  "duplicate-gate-name": [{ gate: "npm test" }],
  "bad-each": [
    { kind: "no-variable", task },
    { kind: "name", name: "a b" },
    { kind: "no-source", name: "file" },
    { kind: "pattern", pattern: "/src/*.js", problem, fix: null },
    { kind: "not-utf8", path },
    { kind: "repeated-value", value: "eu" },
  ],
  "each-empty": [
    { name: "region", source: { kind: "values", values: [] } },
    { name: "package", source: { kind: "command", run: { value: { kind: "shell", line: "ls" }, at } } },
    {
      name: "file",
      source: { kind: "files", patterns: [{ value: "src/*.js", at }], exclude: [] },
      files: { kind: "unknown" },
    },
  ],
  "each-repository": [{ name: "file" }],
  "each-command": [{ line: "ls packages", problem: "ended with exit code 3", output: "" }],
  "each-not-run": [{ name: "file", line: "ls packages" }],
  "each-same-id": [{ values: ["a/x.ts", "b/x.ts"], id: "port-x", names: ["file"] }],
  "each-shell": [{ name: "file", value: "a b" }],
  "each-unused": [{ task, name: "file" }],
  "each-unknown-part": [{ task, written: "{file.ext}", parts: ["name", "stem"] }],
  "too-many-tasks": [
    { limit: 2000 },
    { limit: 2000, each: { task, most: 10_000, total: 10_001, from: "file in `src/**`" } },
  ],
  "plan-empty": [{ noun: "plan", start: "plait: 1" }],
  "unknown-format": [{ advice: "add the first line: `plait: 1`" }],
  "two-formats": [{ titles: ["plait plan", "dispatch manifest"], names: ["native", "adm"] }],
  "not-a-file": [
    { plan: null },
    { plan: "x/plan.yaml" },
    { subject: "the plan path", problem: "is a folder", noun: "plan" },
  ],
  "too-deep": [
    { maxDepth: null, noun: "plan" },
    { maxDepth: 32, noun: "plan" },
  ],
  "two-plans": [{ noun: "plan" }],
  "front-matter": (["misplaced", "missing", "open"] as const).map((one) => ({
    problem: one,
    noun: "manifest",
  })),
  "yaml-syntax": [{ kind: "column" }, { kind: "unquoted", text: "{a,b}" }, { kind: "second-colon" }],
  "yaml-tab": [{}],
  "yaml-tag": [{ noun: "plan", text: "!x" }],
  "yaml-alias": (["unknown", "unquoted", "too-large"] as const).map((kind) => ({ kind, text: "*.ts" })),
  "json-syntax": [
    { kind: "comment", noun: "plan" },
    { kind: "quotes", text: "plait", noun: "plan" },
  ],
  "unsupported-version": [{ noun: "plan", version: "2", supported: "version 1", line: "write `plait: 1`" }],
  "manifest-missing": [{ problem: null }, { problem: "cannot be read: permission denied (EACCES)" }],
  "duplicate-key": [{ key: "retries" }],
  "unknown-key": [
    { kind: "key", key: "promt", place: "task", advice: null, suggestion: "prompt", known: null },
    { kind: "key", key: "depends", place: "task", advice: { use: "needs" }, suggestion: null, known: null },
    { kind: "key", key: "color", place: "plan", advice: null, suggestion: null, known: ["plait", "tasks"] },
    { kind: "merge-key", noun: "plan" },
    { kind: "reserved", key: "__proto__" },
    { kind: "renamed", key: "hears", name: "summaries", line: "summaries: [api]" },
  ],
  "missing-key": [
    { key: "id", place: "task", expected: "a string" },
    { key: "id", place: "task", line: "id: page" },
  ],
  "wrong-type": [value],
  "bad-value": [value, { ...value, found: null, fix: { kind: "write", text: "45m" } }],
  "task-work": [
    { given: [], keys: ["prompt", "command"] },
    { given: ["prompt", "command"], keys: [] },
  ],
  "unused-key": [{ key: "agent", reason: "the task runs a command" }],
  "managed-key": [{ key: "cwd", instead: "set `cwd` at the top of the plan" }],
  "coerced-value": [{ key: "max_retries", source: "2.9", number: 2 }],
  "folder-missing": [{ cwd: "../x", folder: "/work/x" }],
  "path-base": [{ path: "guide.md", now: "docs/guide.md", before: "plans/guide.md" }],
  "cwd-elsewhere": [{ outside: "/other", base: "/work" }],
  "report-twice": [{ tasks: ids, path: "reports/a.md" }],
  "report-outside": [{ task, path: "/tmp/a.md", isInside: false }],
  "agents-elsewhere": [{ agent: "reviewer", folder: "web/.claude" }],
  "no-dispatch": [{}],
  "open-fence": [{ fence: "```" }],
  "markdown-too-long": [{}],
  "batch-custom": [
    { kind: "order", batch: "2", above: "3" },
    { kind: "empty", batch: "2" },
    { kind: "many", batch: "2", agents: 9, most: 4 },
  ],
  "owns-outside": [{ path: "/etc/hosts" }],
  "wave-order": [
    { kind: "repeated", wave: 2 },
    { kind: "gap", wave: 3, before: 1 },
    { kind: "empty", wave: 2 },
    { kind: "empty-validated", wave: 2, checked: 1 },
    { kind: "nothing-to-validate", wave: 1 },
  ],
  "task-id-form": [{ task }],
  "spec-missing": [
    { kind: "none", task },
    { kind: "named", path: "tasks/a.md", suggestion: null },
    { kind: "unreadable", path: "tasks/a.md", problem: "is not UTF-8 text" },
  ],
  "spec-unused": [{ path: "tasks/a.md", isListed: false }],
  "spec-mismatch": [
    { task, key: "id", file: "page-2" },
    { task, key: "wave", file: 1, manifest: 2 },
    { task, key: "agent", file: "web:tester", manifest: "web:developer" },
    { task, key: "covers", file: ["R1"], manifest: ["R2"] },
  ],
  "prompt-missing": [{ task, files: ["prompts/task-001.txt"], problem: "does not exist", folder }],
  "scope-missing": [{ missing: "scope" }, { missing: "boundary" }],
  "scope-entry": [{ word: "CREATE", text: "all files", isPart: false }],
  "contract-missing": [{ task, path: "contracts/types.ts", problem: "does not exist" }],
  "file-unread": [{ path: "context.md", problem: "is not UTF-8 text" }],
  "dependency-spec": [{ name: "-e .", problem: "looks like an option" }],
  "dependency-unpinned": [
    { name: "zod@^3.0.0" },
    { name: "dates@github:acme/dates", reason: "its address names no commit" },
  ],
  "program-missing": [{ program: "uv", install: "install uv: pip install uv" }],
  "package-manager": [{ kind: "no-package-json" }, { kind: "several", used: "npm", others: ["yarn"] }],
  "no-gates": ["prompts", "native", "adm"].map((format) => ({ format, path: "plan.md" })),
  "file-missing": [
    { subject: "the plan", problem: "does not exist", suggestion: null, from: "the current folder" },
  ],
  "file-unreadable": [{ subject: "the plan", problem: "cannot be read: permission denied (EACCES)" }],
  "not-text": [{ subject: "the plan", problem: "is not UTF-8 text (see byte 3)" }],
  "plan-too-large": [{ subject: "the plan", problem: tooLarge }],
  "config-too-large": [{ subject: "the configuration", problem: tooLarge }],
  "tech-spec-too-large": [{ subject: "the tech spec", problem: tooLarge }],
  "prompt-too-large": [{ subject: "the prompt", problem: tooLarge }],
  "file-outside": [
    { file: "../notes.md", target: null },
    { file: "notes.md", target: "/tmp/notes.md" },
  ],
  "file-empty": [{ file: "prompts/page.md" }],
  "config-agent": [{ agent: "mine", problem: "does not name a program to run", advice: null }],
  "config-only-yours": [{ key: "allow-env", problem: "is only allowed in your own file" }],
  "bad-include": [{ pattern: "a[", problem: "has an unclosed [" }],
  "more-findings": [{ counts: new Map([["unknown-need", 12]]) }],
};
