// What a run needs of this machine is checked before the run is created and an agent costs anything: programs, gh with its login,
// free ports.

import type { PlanDraft } from "../core/draft.ts";
import type { Policy } from "../core/facts.ts";
import type { RunId } from "../core/ids.ts";
import { type Env, isProposed, type Plan } from "../core/plan.ts";
import {
  findPortsShortage,
  formatPortsFix,
  formatPortsProblem,
  rangesNeeded,
  rangeText,
} from "../core/ports.ts";
import type { Diagnostic } from "../core/source.ts";
import { otherCommand } from "../core/text/command.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import { NoFreePorts, openPorts, PORTS_HINT } from "../engines/local/ports.ts";
import { buildFormatFinding } from "../formats/catalog.ts";
import type { Repository } from "../git/index.ts";
import { findProgram } from "./folders.ts";
import { type Host, portLocks, type Refusal } from "./host.ts";
import { openShortPrograms, type ShortPrograms } from "./short-programs.ts";

/** The first program that is missing; null where all are there. */
export async function checkPrograms({ tasks }: Pick<Plan, "tasks">, env: Env): Promise<Refusal | null> {
  for (const { id, work, env: own } of tasks) {
    const program = work.kind === "command" ? work.program : undefined;
    if (program === undefined || (await isOnPath(program, { ...env, ...own }))) continue;
    return {
      kind: "environment",
      message: `${id} needs ${program}, which is not on the PATH`,
      hint: formatInstall(program),
    };
  }
  return null;
}

/** The same of a plan that is only read: it may be run elsewhere. */
export async function findMissingPrograms({ tasks }: PlanDraft, env: Env): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { id, work } of tasks) {
    const program = work.kind === "command" ? work.program : undefined;
    if (program === undefined || (await isOnPath(program, env))) continue;
    found.push(buildFormatFinding("program-missing", { program, install: formatInstall(program) }, id.at));
  }
  return found;
}

async function isOnPath(program: string, { PATH = "" }: Env): Promise<boolean> {
  return (await findProgram(program, PATH)) !== null;
}

const COMMANDS: Readonly<Record<string, string>> = {
  uv: "pip install uv",
  npm: "see https://nodejs.org (npm comes with Node.js)",
  pnpm: "npm install --global pnpm",
  yarn: "npm install --global yarn",
  bun: "npm install --global bun",
};

function formatInstall(program: string): string {
  return `install ${program}: ${COMMANDS[program] ?? "see its documentation"}`;
}

/** The first thing that is missing; null where a pull request can be opened, or none is asked for. */
export async function checkGh(
  { env }: Pick<Host, "env">,
  repository: Repository,
  { publish, land }: Pick<Policy, "publish" | "land">,
): Promise<Refusal | null> {
  if (!isProposed(publish) || land === "never") return null;
  if ((await findProgram("gh", env["PATH"] ?? "")) === null)
    return environmentRefusal("gh is not on the PATH; pull requests need it", INSTALL);
  const opened = await openShortPrograms("gh", env);
  if (!opened.ok) return environmentRefusal("cannot start gh", opened.message);
  try {
    return await checkLogin(opened.programs, {
      cwd: repository.workTree ?? repository.commonDir,
      env: { ...env, GH_PROMPT_DISABLED: "1" },
    });
  } finally {
    await opened.programs.close();
  }
}

const LOG_IN = otherCommand("gh", "auth login");
const INSTALL = fix("install gh (https://cli.github.com), then log in", LOG_IN);

type Place = { readonly cwd: string; readonly env: Host["env"] };

async function checkLogin(programs: ShortPrograms, place: Place): Promise<Refusal | null> {
  const login = await findProblem(programs, place, "gh auth status");
  if (login !== null) return environmentRefusal(`gh is not logged in: ${login}`, fix("log in", LOG_IN));
  const remote = await findProblem(programs, place, "gh repo view --json url");
  if (remote === null) return null;
  return environmentRefusal(
    `gh cannot find this repository on GitHub: ${remote}`,
    fix("set the repository for pull requests", otherCommand("gh", "repo set-default")),
  );
}

const LIMITS = { timeoutMs: 60_000, mostBytes: 64 * 1024 };
const MOST_CHARS = 300;

/** Null where it succeeds, else the first line that says why not. */
async function findProblem(
  programs: ShortPrograms,
  { cwd, env }: Place,
  command: string,
): Promise<string | null> {
  const argv = ["sh", "-c", `exec ${command} 2>&1`];
  const end = await programs.run({ argv, cwd, env, stdin: null }, LIMITS);
  if (end.kind === "not-started") return end.failure.message;
  if (end.exit.code === 0) return null;
  const lines = (end.stdout?.toString() ?? "").split("\n").map((line) => line.trim());
  const line = lines.find((text) => text.startsWith("X ")) ?? lines.find((text) => text !== "") ?? "";
  return line.replace(/^X /, "").slice(0, MOST_CHARS) || `exit code ${end.exit.code}`;
}

const environmentRefusal = (message: string, hint: Sentence): Refusal => ({
  kind: "environment",
  message,
  hint,
});

type Asked = { readonly plan: Plan; readonly policy: Policy };

/**
 * Null when as many worktrees as may be in use at once can have their ports. Only for ports that somebody asked for: those that plait
 * chooses itself are so many that it finds some.
 */
export async function portsRefusal(
  host: Host,
  run: RunId,
  { plan: { ports: settings }, policy }: Asked,
): Promise<Refusal | null> {
  if (settings === null) return null;
  const shortage = findPortsShortage(settings, policy.slots);
  if (shortage !== null)
    return { kind: "request", message: formatPortsProblem(shortage), hint: formatPortsFix(shortage) };
  const needed = rangesNeeded(policy.slots);
  let free = 0;
  const ports = openPorts({ settings, folder: portLocks(host), run });
  try {
    for (; free < needed; free += 1) await (await ports.lease()).handOver();
    return null;
  } catch (error) {
    if (!(error instanceof NoFreePorts)) throw error;
    const message = `ports ${rangeText(settings)} are enough for ${free} worktrees with ${settings.count} ports each; up to ${needed} are needed: ${error.inTheWay}`;
    return { kind: "environment", message, hint: PORTS_HINT };
  } finally {
    await ports.close();
  }
}
