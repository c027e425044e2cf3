// Whether a command came to nothing because a program is not there. Only where the words leave no doubt: a check that is taken for
// one that was not run blocks nobody.

/** What a program that ended without success printed last. */
export type Ended = { readonly code: number; readonly output: string };

/** The program that is missing; null where the end says something else. */
export function missingProgram({ code, output }: Ended): string | null {
  const end = output.trimEnd().split(/\r?\n/).slice(-LAST_LINES).join("\n");
  const byShell = NOT_FOUND.exec(end)?.[1];
  // A path that is missing is one of the project, which somebody forgot, or never made.
  if (byShell !== undefined && (code === 127 || /ELIFECYCLE/.test(end)))
    return byShell.includes("/") ? null : byShell;
  for (const pattern of said) {
    const match = pattern.exec(end);
    if (match !== null) return match[1] ?? "a program";
  }
  return null;
}

const LAST_LINES = 30;

const NOT_FOUND = /^(?:\/\S+\/)?(?:ba|da|z)?sh: (?:(?:line )?\d+: )?(\S+): (?:command )?not found$/m;

/** By those who start programs for others, each in its own words. */
const said: readonly RegExp[] = [
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

/** What a program could not fetch before it began, in its own words; null where that was not the reason. */
export function unfetched({ output }: Ended): string | null {
  const [line] = FETCHING.exec(output) ?? [];
  return line === undefined ? null : line.trim().slice(0, LONGEST);
}

const FETCHING =
  /^go: .*(?:no such host|connection refused|i\/o timeout|network is unreachable).*$|^\s*(?:×|error:) Failed to (?:fetch|download)\b.*$/m;
const LONGEST = 160;

/** The program that a check begins with. */
const STARTED = /^(?:cd (?:\S+|'[^']*') && )?(\S+)/;

/** What to do about it, for a check that is typed so. */
export function missingWords(program: string, run: string): string {
  const [, by = ""] = STARTED.exec(run) ?? [];
  const advice = program === by ? null : installBy(by);
  return `${program} was not found; ${advice ?? installYourself}`;
}

/** The same of a package that a program needs. */
export function uninstalledWords(name: string, run: string): string {
  const [, by = ""] = STARTED.exec(run) ?? [];
  return `${name} is not installed in the copy of the commit; ${installBy(by) ?? anywhere}`;
}

const anywhere =
  "start plait in an environment that has it, or say in plait.config.yaml how the copy gets its packages, under prepare: { setup: … }";
const installYourself = "install it, or say under integrate: checks: what to run instead";

/** Copies of a commit have no packages in them: somebody must say how they come there. */
function installBy(by: string): string | null {
  const commands: { readonly [program: string]: string } = {
    npm: "npm ci",
    npx: "npm ci",
    pnpm: "pnpm install --frozen-lockfile",
    yarn: "yarn install",
    bun: "bun install --frozen-lockfile",
    poetry: "poetry install",
    pdm: "pdm sync",
    pipenv: "pipenv sync --dev",
  };
  const command = Object.hasOwn(commands, by) ? commands[by] : undefined;
  return command === undefined
    ? null
    : `say in plait.config.yaml how the copy that is checked gets its packages, as prepare: { setup: ${command} }${command === "npm ci" ? " (npm install without a lock file)" : ""}`;
}
