// The checks that a project has by its own files: tests, types, lint, build, migrations. Nothing is invented: a script that is not
// there and a tool without settings are no checks. The root comes first; folders below it have a say where they are written in something
// that the root is not, as pages beside a server.

import type { Technology } from "../spec-contents.ts";
import { guessTechnology, technologySigns } from "../technology.ts";
import { inFolder, type Part } from "./checks/part.ts";
import { djangoChecks, isPythonByTests, isPythonTest, pythonChecks, pythonFiles } from "./checks/python.ts";
import { scriptChecks, scriptFiles } from "./checks/script.ts";
import type { SourceProject } from "./project.ts";
import type { StackCheck } from "./report.ts";

/** `technology` leaves only what is written in it; null: all that is found. */
export async function stackChecks(
  project: SourceProject,
  technology: Technology | null,
): Promise<readonly StackCheck[]> {
  const root = await partAt(project, "", null);
  const found: Found[] = foundIn(root);
  for (const folder of foldersBelow(project.paths)) {
    const part = await partAt(project, folder, root);
    const isAbove = (other: Found) => other.part === root || folder.startsWith(`${other.part.folder}/`);
    const isCovered = ({ stack }: Found) =>
      found.some((other) => covers(other.stack, stack) && isAbove(other));
    found.push(...foundIn(part).filter((one) => !isCovered(one)));
  }
  const isPython = found.some(({ stack }) => familyOf(stack) === "python");
  if (!isPython && isPythonByTests(root) && pythonChecks(root).length > 0)
    found.push({ part: root, stack: "python" });
  const meant = technology === null ? found : askedFor(found, technology);
  return meant.flatMap(({ part, stack }) => checksOf[stack](part).map((one) => inFolder(part.folder, one)));
}

type Found = { readonly part: Part; readonly stack: Technology };

/** A package.json that only holds a tool or two says nothing about the folders below. */
function foundIn(part: Part): Found[] {
  return stacksIn(part).flatMap((stack) => (checksOf[stack](part).length > 0 ? [{ part, stack }] : []));
}

/** Django is Python: who names the one means the other, as the files say. Where none of them says Django, the word does. */
function askedFor(found: readonly Found[], technology: Technology): Found[] {
  const same = found.filter(({ stack }) => familyOf(stack) === familyOf(technology));
  if (technology !== "django" || same.some(({ stack }) => stack === "django")) return same;
  return same.map(({ part }) => ({ part, stack: "django" }));
}

/** Django has checks that other Python has not. */
const covers = (above: Technology, below: Technology): boolean =>
  above === below || (above === "django" && below === "python");

const familyOf = (stack: Technology): Technology => (stack === "django" ? "python" : stack);

const checksOf: { readonly [Stack in Technology]: (part: Part) => readonly StackCheck[] } = {
  django: djangoChecks,
  python: pythonChecks,
  typescript: scriptChecks,
  go: goChecks,
};

/** What is written there, each by its own signs; the guess comes first. */
function stacksIn({ paths, text }: Part): Technology[] {
  const signs = technologySigns.filter((name) => paths.has(name));
  const kinds = [PYTHON, ["go.mod"], ["tsconfig.json", "package.json"]].map((names) =>
    guessTechnology(
      new Map(signs.filter((name) => names.includes(name)).map((name) => [name, text(name) ?? ""])),
    ),
  );
  return kinds.flatMap((guess) => (guess === null ? [] : [guess.technology]));
}

const PYTHON: readonly string[] = ["manage.py", "pyproject.toml", "requirements.txt", "setup.py"];

/** Two levels deep, as in `frontend/` and `services/billing/`; the nearest to the root first. */
function foldersBelow(paths: readonly string[]): string[] {
  const signs: ReadonlySet<string> = new Set(technologySigns);
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    if (
      parts.length < 1 ||
      parts.length > DEEPEST ||
      !signs.has(name) ||
      parts.some((part) => NOT_OURS.test(part))
    )
      continue;
    folders.add(parts.join("/"));
  }
  const depth = (folder: string) => folder.split("/").length;
  return [...folders].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

const DEEPEST = 2;

/** What was copied in, what only shows something, what is built, and what serves tests. */
const NOT_OURS =
  /^(?:\..*|node_modules|vendor|third_party|site-packages|venv|dist|build|out|target|examples?|samples?|demos?|docs?|tests?|__tests__|e2e|fixtures|testdata|templates?|parallel)$/;

async function partAt(project: SourceProject, folder: string, root: Part | null): Promise<Part> {
  const above = folder === "" ? "" : `${folder}/`;
  const paths = new Set(
    project.paths.filter((path) => path.startsWith(above)).map((path) => path.slice(above.length)),
  );
  const texts = new Map<string, string>();
  const tests = [...paths].filter(isPythonTest).slice(0, MOST_TESTS);
  for (const name of new Set([...technologySigns, ...pythonFiles, ...scriptFiles, ...tests])) {
    const text = paths.has(name) ? await project.read(`${above}${name}`) : null;
    if (text !== null) texts.set(name, text);
  }
  return { folder, paths, text: (path) => texts.get(path) ?? null, root };
}

/** That are read for the runner that they are written for. */
const MOST_TESTS = 5;

/** Go brings all of them along. */
function goChecks({ paths }: Part): StackCheck[] {
  const hasTests = [...paths].some((path) => path.endsWith("_test.go"));
  const hasRules = [...paths].some((path) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(path));
  return [
    { name: "build", kind: "build", run: "go build ./..." },
    { name: "vet", kind: "lint", run: "go vet ./..." },
    ...(hasTests ? [{ name: "tests", kind: "tests", run: "go test ./..." } as const] : []),
    { name: "gofmt", kind: "lint", run: "gofmt -l ." },
    ...(hasRules ? [{ name: "golangci-lint", kind: "lint", run: "golangci-lint run" } as const] : []),
  ];
}
