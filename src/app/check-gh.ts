// A run that is to end in a pull request needs gh, its login and a repository that gh knows. All of that is checked before an agent
// has cost anything.

import type { Policy } from "../core/facts.ts";
import { isProposed } from "../core/plan.ts";
import { otherCommand } from "../core/text/command.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import type { Repository } from "../git/index.ts";
import { findProgram } from "./find-program.ts";
import type { Host, Refusal } from "./host.ts";
import { openShortPrograms, type ShortPrograms } from "./short-programs.ts";

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
