// What a Python project checks, by its own settings. A tool that is only installed is no agreement to its rules; pytest alone has
// none, so tests and the package are enough.

import { shellQuote } from "../../../util/shell-quote.ts";
import type { StackCheck } from "../report.ts";
import type { Part } from "./part.ts";

/** The files whose texts are looked at, in the folder of the part. */
export const pythonFiles = [
  ...["pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", "mypy.ini", ".mypy.ini"],
  ...["requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements_dev.txt"],
  ...["requirements-test.txt", "requirements/dev.txt", "requirements/test.txt"],
] as const;

export function pythonChecks(part: Part): StackCheck[] {
  const by = environmentOf(part);
  const runner = usesPytest(part) ? "pytest" : (unittestOf(part) ?? plainPytestOf(part));
  const tests = runner === null ? [] : [{ name: "tests", kind: "tests", run: by + runner } as const];
  return [...tests, ...typeChecks(part, by), ...lintChecks(part, by)];
}

/** Its own checks first: where Django itself does not start, the rest says the same at length. */
export function djangoChecks(part: Part): StackCheck[] {
  const by = environmentOf(part);
  const manage = manageOf(part);
  if (manage === null) return pythonChecks(part);
  const django = `${by}python ${shellQuote(manage)}`;
  const own: StackCheck[] = [
    { name: "django check", kind: "build", run: `${django} check` },
    { name: "migrations", kind: "migrations", run: `${django} makemigrations --check --dry-run` },
  ];
  const runner = usesPytest(part) ? `${by}pytest` : hasDjangoTests(part) ? `${django} test` : null;
  const tests = runner === null ? [] : [{ name: "tests", kind: "tests", run: runner } as const];
  return [...own, ...tests, ...typeChecks(part, by), ...lintChecks(part, by)];
}

/** The program that keeps the environment, as the lock file says; empty where nobody does. */
function environmentOf({ paths, root }: Part): string {
  const found = environments.find(([lock]) => paths.has(lock) || root?.paths.has(lock));
  return found === undefined ? "" : `${found[1]} run `;
}

const environments = Object.entries({
  ...{ "uv.lock": "uv", "poetry.lock": "poetry", "pdm.lock": "pdm", "Pipfile.lock": "pipenv" },
});

function typeChecks(part: Part, by: string): StackCheck[] {
  const { paths } = part;
  const settings = [
    ...sectionsOf(part, "pyproject.toml", /^tool\.mypy$/),
    ...["mypy.ini", ".mypy.ini", "setup.cfg"].flatMap((file) => sectionsOf(part, file, /^mypy$/)),
  ];
  const hasMypy = settings.length > 0 || paths.has("mypy.ini") || paths.has(".mypy.ini");
  const saysWhere = settings.some((text) => /^[ \t]*(?:files|packages|modules)[ \t]*=/m.test(text));
  const mypy: StackCheck = { name: "mypy", kind: "types", run: `${by}mypy${saysWhere ? "" : " ."}` };
  const hasPyright =
    paths.has("pyrightconfig.json") || sectionsOf(part, "pyproject.toml", /^tool\.pyright$/).length > 0;
  const pyright: StackCheck = { name: "pyright", kind: "types", run: `${by}pyright` };
  return [...(hasMypy ? [mypy] : []), ...(hasPyright ? [pyright] : [])];
}

function lintChecks(part: Part, by: string): StackCheck[] {
  const { paths } = part;
  const hasRuff =
    paths.has("ruff.toml") ||
    paths.has(".ruff.toml") ||
    sectionsOf(part, "pyproject.toml", /^tool\.ruff(?:\.|$)/).length > 0;
  const flake8Files = ["setup.cfg", "tox.ini"].flatMap((file) => sectionsOf(part, file, /^flake8$/));
  const hasFlake8 = paths.has(".flake8") || flake8Files.length > 0;
  return [
    ...(hasRuff ? [{ name: "ruff", kind: "lint", run: `${by}ruff check .` } as const] : []),
    ...(hasFlake8 ? [{ name: "flake8", kind: "lint", run: `${by}flake8` } as const] : []),
  ];
}

function usesPytest(part: Part): boolean {
  const { paths, text } = part;
  const isConfigured =
    paths.has("pytest.ini") ||
    paths.has(".pytest.ini") ||
    sectionsOf(part, "pyproject.toml", /^tool\.pytest(?:\.|$)/).length > 0 ||
    sectionsOf(part, "tox.ini", /^pytest$/).length > 0 ||
    sectionsOf(part, "setup.cfg", /^tool:pytest$/).length > 0;
  if (isConfigured) return true;
  const isAsked = pythonFiles.some((file) => PYTEST.test(text(file) ?? ""));
  return isAsked && [...paths].some((path) => TEST_FILE.test(path));
}

/** As a package that is asked for: at the start of a line or of a text in quotes. */
const PYTEST = /(?:^[ \t]*|["'])pytest(?:-django)?[ \t]*(?:["'=<>~![;]|$)/m;

/** Of files that are tests without a doubt. */
export const isPythonTest = (path: string): boolean => TEST_FILE.test(path);
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

/** Tests that are written for the one that Python brings along. */
function unittestOf({ paths, text }: Part): string | null {
  const tests = [...paths].filter((path) => TEST_FILE.test(path));
  const own = tests.filter((path) => /^(?:import|from) unittest\b/m.test(text(path) ?? ""));
  if (own.length === 0 || tests.some((path) => /^(?:import|from) pytest\b/m.test(text(path) ?? "")))
    return null;
  const isLoose = own.every((path) => path.startsWith("tests/")) && !paths.has("tests/__init__.py");
  return `python -m unittest${isLoose ? " discover -s tests" : ""}`;
}

/** Tests that nobody set up: they take modules from the root, which is only looked into when Python itself is asked. */
function plainPytestOf({ paths, text }: Part): string | null {
  const own = [...paths].filter((path) => TEST_FILE.test(path));
  const isOne = (path: string) =>
    /^(?:(?:import|from) pytest\b|(?:async )?def test_)/m.test(text(path) ?? "");
  return own.some(isOne) ? "python -m pytest" : null;
}

/** Without any file of a project: settings of pytest, or tests where people put them. */
export function isPythonByTests(part: Part): boolean {
  return usesPytest(part) || [...part.paths].some((path) => LOOSE_TEST.test(path));
}

const LOOSE_TEST = /^(?:tests?\/(?:.*\/)?)?(?:test_[^/]*|[^/]*_test)\.py$/;

function hasDjangoTests({ paths }: Part): boolean {
  return [...paths].some((path) => /(?:^|\/)(?:tests?|test_[^/]*)\.py$/.test(path));
}

/** The one that is nearest to the root. */
function manageOf({ paths }: Part): string | null {
  const found = [...paths].filter((path) => /^(?:[^/]+\/){0,2}manage\.py$/.test(path));
  const depth = (path: string) => path.split("/").length;
  return found.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))[0] ?? null;
}

/** The texts of the sections of an INI or TOML file that have such a name. */
function sectionsOf({ text }: Part, file: string, name: RegExp): string[] {
  const parts = (text(file) ?? "").split(/^[ \t]*\[([^[\]\n]+)\][ \t]*(?:[#;].*)?$/m);
  return parts.flatMap((part, i) => (i % 2 === 1 && name.test(part.trim()) ? [parts[i + 1] ?? ""] : []));
}
