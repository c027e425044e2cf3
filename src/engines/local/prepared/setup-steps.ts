// A setup in steps: commands whose result is made once and given to other trees, because it is known what they depend on and what they
// make, and commands that run in each tree. Of installers plait knows it, of other commands the plan says it.

import type { Command, SetupCommand } from "../../../core/plan.ts";
import { commandText } from "../../../core/select/preview/commands.ts";

export type SetupStep = {
  readonly kind: "each-tree" | "installs" | "declared";
  /** Of `declared` exactly one. */
  readonly commands: readonly SetupCommand[];
};

/** Installers count as such until the first command that may change anything. */
export function splitSetup(setup: readonly SetupCommand[]): SetupStep[] {
  const steps: SetupStep[] = [];
  for (const command of setup.flatMap(splitInstalls)) {
    const kind = findKind(command, steps);
    const last = steps.at(-1);
    if (last?.kind === kind && kind !== "declared")
      steps[steps.length - 1] = { kind, commands: [...last.commands, command] };
    else steps.push({ kind, commands: [command] });
  }
  return steps;
}

function findKind(command: SetupCommand, before: readonly SetupStep[]): SetupStep["kind"] {
  if (isDeclared(command)) return "declared";
  return isInstall(command) && before.every(({ kind }) => kind !== "each-tree") ? "installs" : "each-tree";
}

function isDeclared({ outputs = [] }: SetupCommand): boolean {
  return outputs.length > 0;
}

/** For each command of a setup with a result that other trees get: its installers, or null where the result is its outputs. */
export function findReused(setup: readonly SetupCommand[]): ReadonlyMap<SetupCommand, string | null> {
  const reused = new Map<SetupCommand, string | null>();
  const isFirst = (command: SetupCommand) => setup.slice(0, setup.indexOf(command)).every(isReusable);
  for (const command of setup) {
    const [first = command] = splitInstalls(command);
    if (isDeclared(command)) reused.set(command, null);
    else if (isInstall(first) && isFirst(command)) reused.set(command, commandText(first));
  }
  return reused;
}

const isReusable = (command: SetupCommand): boolean => isDeclared(command) || isInstall(command);

/** Words and quoted strings joined by `&&`. Whatever else a shell knows may tie the parts of a line together. */
const JOINED = /^(?:&&|'[^']*'|"[^"\\$`!]*"|[^'"\\$`!;|&<>(){}#\r\n])*$/;
const PARTS = /(?:'[^']*'|"[^"]*"|[^'"&])+/g;

/** A line that begins with installers: these, then the rest. A `cd` holds for the rest of its line too. */
function splitInstalls(command: SetupCommand): SetupCommand[] {
  if (command.kind !== "shell" || isDeclared(command) || isInstall(command)) return [command];
  if (!JOINED.test(command.line)) return [command];
  const parts = command.line.match(PARTS)?.map((part) => part.trim()) ?? [];
  const toCommand = (some: readonly string[]): Command => ({ kind: "shell", line: some.join(" && ") });
  const end = parts.findIndex((part) => part.startsWith("cd ") || !isInstall(toCommand([part])));
  if (end <= 0 || parts.includes("")) return [command];
  return [toCommand(parts.slice(0, end)), toCommand(parts.slice(end))];
}

const FLAGS = String.raw`(?: --?[\w-]+(?:=[\w./:@-]+)?)*`;
const INSTALLS: readonly RegExp[] = [
  /^cd (?:[\w@%+:,./-]+|'[^']*')$/,
  new RegExp(`^npm${FLAGS} (?:ci|clean-install|install|i)${FLAGS}$`),
  new RegExp(`^(?:pnpm|bun)${FLAGS} (?:install|i)${FLAGS}$`),
  new RegExp(`^yarn(?: install)?${FLAGS}$`),
  new RegExp(`^uv${FLAGS} (?:sync|venv)${FLAGS}$`),
  new RegExp(`^(?:poetry|pdm|pipenv) (?:install|sync)${FLAGS}$`),
  new RegExp(`^(?:composer|bundle) install${FLAGS}$`),
  new RegExp(`^python3? -m venv${FLAGS} \\.?venv$`),
  new RegExp(`^(?:\\.?venv/bin/)?(?:uv )?pip3? install${FLAGS} -r [\\w./-]+$`),
];

const VARIABLES = /^(?:[A-Z_]+=[\w./-]* )+/;

/**
 * Installs what lock files and manifests name, and does nothing else: its result is the same in every tree with the same
 * ones.
 */
export function isInstall(command: Command): boolean {
  const line = command.kind === "shell" ? command.line : command.argv.join(" ");
  const parts = line.split("&&").map((part) => part.trim().replaceAll(/\s+/g, " ").replace(VARIABLES, ""));
  // Then the code of the project itself is installed, which is another one in each tree.
  if (line.includes("--no-editable")) return false;
  return parts.every((part) => INSTALLS.some((pattern) => pattern.test(part)));
}

const INPUT_NAMES = new Set([
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
  ...["bun.lockb", "pnpm-workspace.yaml", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".nvmrc"],
  ...[".node-version", "bunfig.toml", "uv.lock", "uv.toml", "poetry.lock", "Pipfile", "Pipfile.lock"],
  ...["pyproject.toml", "setup.py", "setup.cfg", ".python-version", ".tool-versions", "composer.json"],
  ...["composer.lock", "Gemfile", "Gemfile.lock", ".ruby-version", "pdm.lock"],
]);

/** Whether an install depends on this file. */
export function isInstallInput(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (INPUT_NAMES.has(name) || /^(?:requirements|constraints).*\.(?:txt|in)$/.test(name)) return true;
  return /(?:^|\/)(?:patches|\.yarn)\//.test(path) || name.endsWith(".gemspec");
}

/** Whether installing runs code of the project, so that any of its files may matter. */
export function mayRunProjectCode(path: string, text: string): boolean {
  if (path.endsWith("package.json")) return /"(?:(?:pre|post)?install|prepare|prepublish)"\s*:/.test(text);
  if (path.endsWith("setup.py")) return true;
  return (
    path.endsWith("pyproject.toml") &&
    /maturin|meson|scikit-build|cython|setuptools-rust|hatch_build/i.test(text)
  );
}
