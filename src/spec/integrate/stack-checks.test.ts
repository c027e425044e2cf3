import { expect, test } from "vitest";
import type { Technology } from "../spec-contents.ts";
import { stackChecks } from "./stack-checks.ts";

type Files = { readonly [path: string]: string };

const projectOf = (files: Files) => ({
  paths: Object.keys(files).sort(),
  read: async (path: string) => files[path] ?? null,
});

const lines = async (files: Files, technology: Technology | null = null) =>
  (await stackChecks(projectOf(files), technology)).map(({ name, kind, run }) => `${kind} ${name}: ${run}`);

const pkg = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
const compiler = { devDependencies: { typescript: "5.9.3" } };

const projects: readonly [what: string, files: Files, checks: readonly string[]][] = [
  ["nothing that is known", { "README.md": "" }, []],
  [
    "Django with uv: its own checks, pytest, mypy and ruff as they are set up",
    {
      "manage.py": "",
      "uv.lock": "",
      "pyproject.toml": "[tool.pytest.ini_options]\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\n",
    },
    [
      "build django check: uv run python manage.py check",
      "migrations migrations: uv run python manage.py makemigrations --check --dry-run",
      "tests tests: uv run pytest",
      "types mypy: uv run mypy .",
      "lint ruff: uv run ruff check .",
    ],
  ],
  [
    "Django below a folder, with the tests that it brings along",
    { "requirements.txt": "django==5.2\n", "src/manage.py": "", "src/shop/tests.py": "" },
    [
      "build django check: python src/manage.py check",
      "migrations migrations: python src/manage.py makemigrations --check --dry-run",
      "tests tests: python src/manage.py test",
    ],
  ],
  ["Python that has settings for nothing", { "pyproject.toml": "[project]\nname = 'x'\n", "a.py": "" }, []],
  [
    "Python whose settings stand in files of their own",
    {
      "setup.py": "",
      "tox.ini": "[pytest]\n[flake8]\n",
      "mypy.ini": "[mypy]\nfiles = src\n",
      "pyrightconfig.json": "{}",
      "poetry.lock": "",
    },
    [
      "tests tests: poetry run pytest",
      "types mypy: poetry run mypy",
      "types pyright: poetry run pyright",
      "lint flake8: poetry run flake8",
    ],
  ],
  [
    "pytest without settings, where it is asked for and there are tests",
    { "requirements-dev.txt": "pytest>=8\n", "requirements.txt": "flask\n", "tests/test_a.py": "" },
    ["tests tests: pytest"],
  ],
  ["pytest without a test", { "requirements.txt": "pytest>=8\n" }, []],
  ["a plugin of pytest is not pytest", { "requirements.txt": "pytest_x\n", "test_a.py": "" }, []],
  [
    "tests for the runner of Python itself",
    { "setup.py": "", "tests/test_a.py": "import unittest\n" },
    ["tests tests: python -m unittest discover -s tests"],
  ],
  ["pytest.ini alone", { "pytest.ini": "[pytest]\n", "tests/test_a.py": "" }, ["tests tests: pytest"]],
  [
    "tests without any file of a project, for the runner of Python itself",
    { "a.py": "", "tests/test_a.py": "import unittest\n" },
    ["tests tests: python -m unittest discover -s tests"],
  ],
  [
    "tests without any file of a project, as pytest has them",
    { "tests/unit/test_a.py": "from a import b\n\ndef test_b():\n    assert b() == 1\n" },
    ["tests tests: python -m pytest"],
  ],
  [
    "tests that nobody set up, in a project",
    { "pyproject.toml": "[project]\n", "tests/test_a.py": "import pytest\n" },
    ["tests tests: python -m pytest"],
  ],
  [
    "a script beside pages that is called like a test",
    { "package.json": pkg({ test: "jest" }), "scripts/test_speed.py": "def test_speed(): ...\n" },
    ["tests test: npm test"],
  ],
  [
    "tests at the root of a project that lies in a folder: its own say how they run",
    { "api/pyproject.toml": "[tool.ruff]\n", "tests/test_a.py": "def test_a(): ...\n" },
    ["lint api: ruff: cd api && ruff check ."],
  ],
  [
    "TypeScript by npm: only the scripts that are there",
    { "package.json": pkg({ lint: "eslint .", test: "vitest run", start: "x" }), "tsconfig.json": "{}" },
    ["lint lint: npm run lint", "tests test: npm test"],
  ],
  [
    "the compiler, where no script asks it and it is among the packages",
    { "package.json": pkg({ build: "tsc" }, compiler), "tsconfig.json": "{}", "pnpm-lock.yaml": "" },
    ["types types: pnpm exec tsc --noEmit", "build build: pnpm run build"],
  ],
  [
    "a tsconfig.json that only refers to others; yarn of both kinds",
    {
      "package.json": pkg({}, compiler),
      "tsconfig.json": '{ "files": [], "references": [{ "path": "a" }] }',
      "yarn.lock": "",
    },
    ["types types: yarn -s run tsc -b"],
  ],
  [
    "bun, whose own test is another; what npm writes is no test",
    { "package.json": pkg({ typecheck: "tsc", test: "jest", lint: " " }), "bun.lock": "" },
    ["types typecheck: bun run typecheck", "tests test: bun run test"],
  ],
  ["npm's own words", { "package.json": pkg({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
  ["a package.json that cannot be read", { "package.json": "{" }, []],
  [
    "Go",
    { "go.mod": "module x\n", "a_test.go": "", ".golangci.yml": "" },
    [
      "build build: go build ./...",
      "lint vet: go vet ./...",
      "tests tests: go test ./...",
      "lint gofmt: gofmt -l .",
      "lint golangci-lint: golangci-lint run",
    ],
  ],
  [
    "Python at the root with pages in a folder: the root first; examples and what is below a part say nothing",
    {
      "pyproject.toml": "[tool.ruff]\n",
      "my pages/package.json": pkg({ build: "vite build" }),
      "my pages/admin/package.json": pkg({ build: "vite build" }),
      "examples/a/package.json": pkg({ test: "x" }),
      "tools/pyproject.toml": "[tool.mypy]\n",
    },
    ["lint ruff: ruff check .", "build my pages: build: cd 'my pages' && npm run build"],
  ],
  [
    "only folders, and a root that holds a tool or two",
    {
      "package.json": pkg({ prepare: "husky" }, compiler),
      "apps/api/go.mod": "module x\n",
      "apps/web/package.json": pkg({ test: "jest" }),
      "apps/web/tsconfig.json": "{}",
      "pnpm-lock.yaml": "",
    },
    [
      "build apps/api: build: cd apps/api && go build ./...",
      "lint apps/api: vet: cd apps/api && go vet ./...",
      "lint apps/api: gofmt: cd apps/api && gofmt -l .",
      "types apps/web: types: cd apps/web && pnpm exec tsc --noEmit",
      "tests apps/web: test: cd apps/web && pnpm test",
    ],
  ],
];

test.each(projects)("the checks of a project: %s", async (_, files, checks) => {
  expect(await lines(files)).toEqual(checks);
});

test("Django below Python has checks that the root has not", async () => {
  const files = { "pyproject.toml": "[tool.ruff]\n", "server/manage.py": "", "server/tools/setup.py": "" };
  expect(await lines(files)).toEqual([
    "lint ruff: ruff check .",
    "build server: django check: cd server && python manage.py check",
    "migrations server: migrations: cd server && python manage.py makemigrations --check --dry-run",
  ]);
});

test("who names a technology gets its checks and no others", async () => {
  const files = {
    "pyproject.toml": "[tool.ruff]\n",
    "server/manage.py": "",
    "web/package.json": pkg({ test: "jest" }),
  };
  expect(await lines(files, "typescript")).toEqual(["tests web: test: cd web && npm test"]);
  expect(await lines(files, "django")).toEqual([
    "lint ruff: ruff check .",
    "build server: django check: cd server && python manage.py check",
    "migrations server: migrations: cd server && python manage.py makemigrations --check --dry-run",
  ]);
  expect(await lines(files, "go")).toEqual([]);
});
