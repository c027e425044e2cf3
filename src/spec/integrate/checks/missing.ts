// Whether a check failed because a program is missing. Only if its output leaves no doubt: a check that did not run does not block.

/** The exit code and the end of the output of a failed program. */
export type Ended = { readonly code: number; readonly output: string };

/** The missing program; null: it failed for another reason. */
export function findMissingProgram({ code, output }: Ended): string | null {
  const end = output.trimEnd().split(/\r?\n/).slice(-LAST_LINES).join("\n");
  const byShell = NOT_FOUND.exec(end)?.[1];
  // A missing path is a file of the project.
  if (byShell !== undefined && (code === 127 || /ELIFECYCLE/.test(end)))
    return byShell.includes("/") ? null : byShell;
  for (const pattern of MESSAGES) {
    const match = pattern.exec(end);
    if (match !== null) return match[1] ?? "a program";
  }
  return null;
}

const LAST_LINES = 30;

const NOT_FOUND = /^(?:\/\S+\/)?(?:ba|da|z)?sh: (?:(?:line )?\d+: )?(\S+): (?:command )?not found$/m;

/** Messages of programs that start others. */
const MESSAGES: readonly RegExp[] = [
  /^npm (?:error|ERR!) npx canceled due to missing packages and no YES option: \["@?([^@"]+)/m,
  /ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\s+Command "(\S+)" not found/,
  /^error Command "(\S+)" not found\.$/m, // yarn 1
  /^Usage Error: Couldn't find a script named "([^"]+)"/m, // yarn
  /^command not found: (\S+)$/m, // yarn
  /^error: Script not found "([^"]+)"/m, // bun
  /^error: Failed to spawn: `([^`]+)`/m, // uv
  /^Command not found: (\S+)$/m, // poetry
  /^Error: the command (\S+) could not be found/m, // pipenv
  /^(?:\S*\/)?python[\d.]*: No module named (\S+)$/m,
  /^ImportError: Couldn't import (Django)\. Are you sure it's installed/m,
];

/** The program's message about a failed download; null: it failed for another reason. */
export function findFailedDownload({ output }: Ended): string | null {
  const [line] = FETCHING.exec(output) ?? [];
  return line === undefined ? null : line.trim().slice(0, LONGEST);
}

const FETCHING =
  /^go: .*(?:no such host|connection refused|i\/o timeout|network is unreachable).*$|^\s*(?:×|error:) Failed to (?:fetch|download)\b.*$/m;
const LONGEST = 160;

/** The program that a check begins with. */
const STARTED = /^(?:cd (?:\S+|'[^']*') && )?(\S+)/;

export function formatMissingProgram(program: string, run: string): string {
  const [, by = ""] = STARTED.exec(run) ?? [];
  const advice = program === by ? null : installBy(by);
  return `${program} was not found; ${advice ?? INSTALL}`;
}

export function formatMissingPackage(name: string, run: string): string {
  const [, by = ""] = STARTED.exec(run) ?? [];
  return `${name} is not installed in the copy of the commit; ${installBy(by) ?? PREPARE}`;
}

const PREPARE =
  "start plait in an environment that has it, or install packages with prepare: { setup: … } in plait.config.yaml";
const INSTALL = "install it, or configure another command under integrate: checks:";

/** A copy of a commit has no installed packages. */
function installBy(by: string): string | null {
  const commands: { readonly [program: string]: string } = {
    ...{ npm: "npm ci", npx: "npm ci", pnpm: "pnpm install --frozen-lockfile", yarn: "yarn install" },
    ...{ bun: "bun install --frozen-lockfile", poetry: "poetry install", pdm: "pdm sync" },
    pipenv: "pipenv sync --dev",
  };
  const command = Object.hasOwn(commands, by) ? commands[by] : undefined;
  return command === undefined
    ? null
    : `add to plait.config.yaml: prepare: { setup: ${command} }${command === "npm ci" ? " (npm install without a lock file)" : ""}`;
}
