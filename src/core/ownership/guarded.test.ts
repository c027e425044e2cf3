import { expect, test } from "vitest";
import { type Guard, guardedChange, guardedPath, isNamed } from "./guarded.ts";
import type { PathPattern } from "./pattern.ts";

const guarded: { readonly [G in Exclude<Guard, "gate-scripts">]: readonly string[] } = {
  ci: [
    ".github/workflows/test.yml",
    ".github/actions/setup/action.yml",
    ".gitlab-ci.yml",
    ".gitlab/ci/build.yml",
    ".circleci/config.yml",
    "azure-pipelines.yml",
    "Jenkinsfile",
    ".ci/run",
  ],
  hooks: [
    ".husky/pre-commit",
    "web/.husky/_/husky.sh",
    ".githooks/pre-push",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lintstagedrc.json",
  ],
  lockfiles: [
    "package-lock.json",
    "apps/web/pnpm-lock.yaml",
    "yarn.lock",
    "bun.lockb",
    "uv.lock",
    "poetry.lock",
    "Cargo.lock",
    "go.sum",
    "Gemfile.lock",
    "pylock.dev.toml",
  ],
  "agent-settings": [
    ".claude/settings.json",
    ".claude/commands/x.md",
    "web/.claude/agents/a.md",
    ".codex/config.toml",
    ".mcp.json",
    "plait.config.yaml",
  ],
};

test.each(Object.entries(guarded))("what is guarded as %s", (guard, paths) => {
  expect(paths.filter((path) => guardedPath(path)?.guard !== guard)).toEqual([]);
});

test.each([
  "src/a.ts",
  "package.json",
  "go.mod",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "AGENTS.md",
  ".github/ISSUE_TEMPLATE/bug.md",
  ".github/CODEOWNERS",
  "examples/demo/.github/workflows/test.yml",
  "docs/azure-pipelines.yml",
  "build.yml",
  "src/lock.ts",
  "src/hooks/use-cart.ts",
  "src/ci/index.ts",
  "src/x.lock.ts",
  ".vscode/settings.json",
  "claude/settings.json",
])("%s is not guarded", (path) => {
  expect(guardedPath(path)).toBeNull();
});

test("a script that gates run is guarded, unless it is new", () => {
  const scripts = { files: new Set(["scripts/check.sh", ".ci/run"]) };
  const as = (path: string, change: "added" | "modified" | "deleted") =>
    guardedChange({ path, change }, scripts)?.guard ?? null;
  expect(as("scripts/check.sh", "modified")).toBe("gate-scripts");
  expect(as("scripts/check.sh", "deleted")).toBe("gate-scripts");
  expect(as("scripts/check.sh", "added")).toBeNull();
  expect(as("scripts/other.sh", "modified")).toBeNull();
  expect(as(".ci/run", "added")).toBe("ci");
});

const WORKFLOW = ".github/workflows/test.yml";

test.each<[path: string, claim: string, isNamed: boolean]>([
  [WORKFLOW, WORKFLOW, true],
  [WORKFLOW, ".github/workflows/*.yml", true],
  [WORKFLOW, ".github/**", true],
  [WORKFLOW, ".github", true],
  [WORKFLOW, "{src,.github}/**", true],
  [WORKFLOW, "**", false],
  [WORKFLOW, "**/*.yml", false],
  [WORKFLOW, "*/workflows/", false],
  [WORKFLOW, "src/**", false],
  [".gitlab-ci.yml", "*.yml", false],
  [".gitlab-ci.yml", ".gitlab-ci.yml", true],
  ["apps/web/package-lock.json", "apps/web/package-lock.json", true],
  ["apps/web/package-lock.json", "apps/*/package-lock.json", true],
  ["apps/web/package-lock.json", "**/package{,-lock}.json", true],
  ["apps/web/package-lock.json", "apps/web/", false],
  ["apps/web/package-lock.json", "**/*.json", false],
  ["uv.lock", "*.lock", true],
  ["web/.claude/commands/claude/x.md", "web/.claude/**", true],
  ["web/.claude/commands/claude/x.md", "web/**", false],
  [".claude/settings.json", "@(.claude|x)/**", true], // it cannot be told, which is said by who judges claims
])("that %s is claimed by %s is consent: %s", (path, pattern, expected) => {
  const found = guardedPath(path);
  const claim = { mode: "any", pattern: pattern as PathPattern, symbol: null } as const;
  expect(found !== null && isNamed(path, found, [claim])).toBe(expected);
});

test("a gate's script is named by its file, not by its folder", () => {
  const script = { guard: "gate-scripts", name: "check.sh" } as const;
  const named = (pattern: string) =>
    isNamed("scripts/check.sh", script, [{ mode: "any", pattern: pattern as PathPattern, symbol: null }]);
  expect([named("scripts/**"), named("scripts/"), named("**/*.sh")]).toEqual([false, false, false]);
  expect([named("scripts/check.sh"), named("scripts/check*"), named("**/check.sh")]).toEqual([
    true,
    true,
    true,
  ]);
});
