import type { Diagnostic, Located } from "../../core/source.ts";
import { shellQuote } from "../../util/shell-quote.ts";
import { buildFormatFinding } from "../catalog.ts";
import { type Ecosystem, isPinned, parsePackageSpec } from "../packages/spec.ts";
import type { Packages } from "./manifest.ts";
import type { PackageManager } from "./package-manager.ts";

/**
 * What a manifest wants installed before any task starts: remove, upgrade, add, add_dev, in this order, as one line for the shell.
 * What it changes is committed, so every worktree starts with it.
 */
export type Installation = {
  readonly line: string;
  readonly program: string;
  readonly diagnostics: readonly Diagnostic[];
};

type Words = Omit<PackageManager, "kind">;

export function pythonInstallation(packages: Packages): Installation {
  return installation(packages, "python", {
    program: "uv",
    remove: "remove",
    upgrade: "add --upgrade",
    add: "add",
    addDev: "add --dev",
  });
}

export function nodeInstallation(packages: Packages, manager: Words): Installation {
  const { line, ...rest } = installation(packages, "node", manager);
  return { line: `${line} && ${DROP_MODULES}`, ...rest };
}

/** What is installed is not the work: where git would take it along, only the lock file stays. */
const DROP_MODULES = [
  "{ git check-ignore -q node_modules",
  "git ls-files --error-unmatch node_modules >/dev/null 2>&1",
  "rm -rf node_modules; }",
].join(" || ");

function installation(packages: Packages, ecosystem: Ecosystem, manager: Words): Installation {
  const { program } = manager;
  const steps = [
    [manager.remove, packages.remove],
    [manager.upgrade, packages.upgrade],
    [manager.add, packages.add],
    [manager.addDev, packages.add_dev],
  ] as const;
  const lines = steps.flatMap(([words, list]) =>
    list.length === 0
      ? []
      : [`${program} ${words} ${list.map(({ value }) => shellQuote(value.trim())).join(" ")}`],
  );
  const look = `command -v ${program} >/dev/null || { echo "this plan needs ${program}, which is not on the PATH" >&2; exit 127; }`;
  return {
    line: `${look}; ${lines.join(" && ")}`,
    program,
    diagnostics: packageFindings(packages, ecosystem),
  };
}

/** What cannot be installed as it is written, and what may be another version tomorrow. */
export function packageFindings(packages: Omit<Packages, "at">, ecosystem: Ecosystem): Diagnostic[] {
  const wanted = [...packages.upgrade, ...packages.add, ...packages.add_dev];
  const bad = [...packages.remove, ...wanted].flatMap((one) => badSpec(one, ecosystem));
  const unpinned = wanted.filter((one) => isUnpinned(one, ecosystem));
  return [
    ...bad,
    ...unpinned.map(({ value, at }) => buildFormatFinding("dependency-unpinned", { name: value }, at)),
  ];
}

function badSpec({ value, at }: Located<string>, ecosystem: Ecosystem): Diagnostic[] {
  const parsed = parsePackageSpec(value, ecosystem);
  return parsed.ok ? [] : [specDiagnostic({ value, at }, parsed.problem)];
}

/** `problem` ends a sentence that begins with the dependency. */
export function specDiagnostic({ value, at }: Located<string>, problem: string): Diagnostic {
  return buildFormatFinding("dependency-spec", { name: value, problem }, at);
}

function isUnpinned({ value }: Located<string>, ecosystem: Ecosystem): boolean {
  const parsed = parsePackageSpec(value, ecosystem);
  return parsed.ok && !isPinned(parsed.spec.source, ecosystem);
}
