import { expect, test } from "vitest";
import type { Command } from "../../../core/plan.ts";
import { isInstall, isInstallInput, mayRunProjectCode } from "./setup-steps.ts";

const shell = (line: string): Command => ({ kind: "shell", line });

test.each([
  "npm ci",
  "npm  ci --prefer-offline",
  "npm --no-audit install",
  "pnpm install --frozen-lockfile",
  "yarn",
  "yarn install --immutable",
  "bun install",
  "uv sync --frozen",
  "poetry install",
  "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt",
  "bundle install",
  "composer install --no-dev",
  "cd 'apps/my web' && npm ci",
  "BUNDLE_PATH=vendor/bundle bundle install",
])("%s only installs", (line) => {
  expect(isInstall(shell(line))).toBe(true);
});

test.each([
  "npm run build",
  "npm install left-pad",
  "npm ci && npm run build",
  "npm ci; touch x",
  "npm ci | tee log",
  "npm ci > log",
  "npm ci || true",
  "npm ci & touch x",
  "npm ci $(touch x)",
  "yarn build",
  "uv sync --no-editable",
  "pip install -e .",
  "createdb shop",
  "cd web && make",
  "cd $(make) && npm ci",
  "X=$(make) npm ci",
  "",
])("%j does more", (line) => {
  expect(isInstall(shell(line))).toBe(false);
});

test("an install depends on lock files, manifests, settings and patches, also of sub-packages", () => {
  const inputs = ["package.json", "apps/web/package-lock.json", ".npmrc", "requirements-dev.txt", "uv.lock"];
  for (const path of [...inputs, "patches/a.patch", "shop.gemspec"]) expect(isInstallInput(path)).toBe(true);
  for (const path of ["src/index.ts", "README.md", "notes.txt", "my-package.json"])
    expect(isInstallInput(path)).toBe(false);
});

test("a script that runs on install makes every file of the project matter", () => {
  expect(mayRunProjectCode("package.json", '{ "scripts": { "postinstall": "node x.js" } }')).toBe(true);
  expect(mayRunProjectCode("package.json", '{ "scripts": { "test": "vitest" } }')).toBe(false);
  expect(mayRunProjectCode("setup.py", "")).toBe(true);
  expect(mayRunProjectCode("pyproject.toml", 'requires = ["maturin"]')).toBe(true);
  expect(mayRunProjectCode("pyproject.toml", 'requires = ["hatchling"]')).toBe(false);
});
