// What a project with a package.json checks: its own scripts, by its own package manager. Where no script looks at the types and
// the compiler is among its packages, the compiler is asked.

import { type PackageManager, packageManagerOf } from "../../../formats/cpo/package-manager.ts";
import type { CheckKind, StackCheck } from "../report.ts";
import type { Part } from "./part.ts";

/** The files whose texts are looked at, in the folder of the part. */
export const scriptFiles = ["package.json", "tsconfig.json"] as const;

export function scriptChecks(part: Part): StackCheck[] {
  const { scripts, packages } = packageOf(part);
  const { kind: manager } = managerOf(part);
  const checks: StackCheck[] = [];
  for (const [kind, names] of wanted) {
    const name = names.find((one) => isMeant(scripts[one]));
    if (name !== undefined) checks.push({ name, kind, run: scriptCall(manager, name) });
    else if (kind === "types" && part.paths.has("tsconfig.json") && packages.has("typescript"))
      checks.push({ name: "types", kind, run: `${binCall[manager]} ${compile(part)}` });
  }
  return checks;
}

/** In the order in which a broken tree says the most with the fewest words. */
const wanted: readonly (readonly [CheckKind, readonly string[]])[] = [
  ["types", ["typecheck", "type-check", "check-types", "types", "tsc"]],
  ["lint", ["lint"]],
  ["tests", ["test"]],
  ["build", ["build"]],
];

/** npm writes a script that only says that there is none. */
function isMeant(script: string | undefined): boolean {
  return script !== undefined && script.trim() !== "" && !/no test specified/.test(script);
}

function scriptCall(manager: PackageManager["kind"], name: string): string {
  const program = manager === "berry" ? "yarn" : manager;
  return name === "test" && program !== "bun" ? `${program} test` : `${program} run ${name}`; // bun test is its own
}

/** None of these fetches a program that is not there. */
const binCall: { readonly [Manager in PackageManager["kind"]]: string } = {
  npm: "npx --no-install",
  pnpm: "pnpm exec",
  yarn: "yarn -s run",
  berry: "yarn run",
  bun: "bun run",
};

/** Of a tsconfig.json that only refers to others, `--noEmit` alone looks at nothing. What it writes is in a copy. */
function compile({ text }: Part): string {
  const config = text("tsconfig.json") ?? "";
  const isOnlyReferences = /"references"\s*:/.test(config) && /"files"\s*:\s*\[\s*\]/.test(config);
  return isOnlyReferences ? "tsc -b" : "tsc --noEmit";
}

function managerOf({ paths, text, root }: Part): PackageManager {
  const namesIn = (all: ReadonlySet<string>) => [...all].filter((path) => !path.includes("/"));
  const names = [...namesIn(paths), ...(root === null ? [] : namesIn(root.paths))];
  return packageManagerOf({ names, packageJson: text("package.json") }).manager;
}

type Package = { readonly scripts: Readonly<Record<string, string>>; readonly packages: ReadonlySet<string> };

/** Of one that cannot be read nothing is known: its own tools tell what is wrong with it. */
function packageOf({ text, root }: Part): Package {
  const own = read(text("package.json"));
  const above = root === null ? {} : read(root.text("package.json"));
  const groups = [own, above].flatMap((one) => [one.dependencies, one.devDependencies]);
  const scripts = Object.entries(asRecord(own.scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    scripts: Object.fromEntries(scripts),
    packages: new Set(groups.flatMap((group) => Object.keys(asRecord(group)))),
  };
}

type Written = { readonly [K in "scripts" | "dependencies" | "devDependencies"]?: unknown };

function read(text: string | null): Written {
  try {
    return asRecord(JSON.parse(text ?? "{}"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
