// Commands that install what lock files and manifests name, and do nothing else: their result is the same in every tree with the same
// ones. Any other command (a build, a database) runs in each tree.

import type { Command } from "../../../core/plan.ts";

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
  ...[
    ".node-version",
    "bunfig.toml",
    "uv.lock",
    "uv.toml",
    "poetry.lock",
    "Pipfile",
    "Pipfile.lock",
    "pdm.lock",
  ],
  ...["pyproject.toml", "setup.py", "setup.cfg", ".python-version", ".tool-versions", "composer.json"],
  ...["composer.lock", "Gemfile", "Gemfile.lock", ".ruby-version"],
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
