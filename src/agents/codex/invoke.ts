import type { Invoked, InvokeInput, Problem } from "../adapter.ts";
import { attemptEnv } from "../attempt-env.ts";

/**
 * The command line. Login, config.toml, instructions, skills and MCP servers of the user stay in force: only what a headless
 * attempt needs is added. The prompt goes to stdin, of which `-` is the sign.
 */
export function invokeCodex(input: InvokeInput): Invoked {
  const problem = problemWith(input);
  if (problem !== null) return { ok: false, problem };
  const { agent } = input.work;
  const { kind, id } = input.conversation;
  const argv = [
    ...["codex", "exec", "--json"],
    ...sandboxArgs(input),
    ...["-C", input.worktree],
    ...(agent.model === null ? [] : ["-m", agent.model]),
    ...NO_UPDATES,
    ...(input.answer === null ? [] : ["--output-schema", input.answer.schemaFile]),
    // `resume` knows neither -s nor -C: options stand before it. A new conversation gets its id from Codex, in its first event.
    ...(kind === "new" ? [] : ["resume", id]),
    "-",
  ];
  return {
    ok: true,
    invocation: { argv, env: attemptEnv(input), stdin: input.prompt, notes: notesFor(input) },
    warnings: input.reports.length === 0 || input.sandboxed ? [] : [REPORTS],
  };
}

/** Inside plait's sandbox its own cannot be made: every command would fail, and it would end with 0 all the same. */
function sandboxArgs({ access, sandboxed }: InvokeInput): string[] {
  if (access === "write") return [WITHOUT_SANDBOX];
  return sandboxed ? [WITHOUT_SANDBOX, "--skip-git-repo-check"] : READ_ONLY;
}

/** It refuses to work in a folder without git, because changes there could not be undone: here it makes none. */
const READ_ONLY = ["-s", "read-only", "--skip-git-repo-check"];

/** Its own sandbox would keep .git read-only and cut off the network, so that no test could run that needs a port. */
const WITHOUT_SANDBOX = "--dangerously-bypass-approvals-and-sandbox";

const REPORTS = "Codex cannot write report files in its read-only sandbox; its final message is the report";

/** Nobody would read of one. All else that it looks up belongs to what the user has set up. */
const NO_UPDATES = ["-c", "check_for_update_on_startup=false"];

function problemWith({ work, access, deny, ...input }: InvokeInput): Problem | null {
  const { tools, agent } = work;
  if (tools.allow.length + tools.deny.length + deny.length > 0) return TOOLS;
  if (agent.name !== null) return subAgent(agent.name);
  const isBare = access === "write" && !input.sandboxed;
  return isBare && input.isRoot && !input.allowRoot ? ROOT : null;
}

const TOOLS: Problem = {
  message: "Codex does not support `tools`",
  hint: "delete `tools` from the task, or use claude",
};

const ROOT: Problem = {
  message: "cannot run Codex without its sandbox as root",
  hint: "run plait as another user, or pass: --allow-root",
};

function subAgent(name: string): Problem {
  return {
    message: `Codex does not support sub-agents: ${JSON.stringify(name)}`,
    hint: "delete `name` from the task's agent, or use claude",
  };
}

function notesFor({ access, work, sandboxed }: InvokeInput): string[] {
  const own = access === "read-only" ? "runs in a read-only sandbox" : "runs without a sandbox";
  return [
    sandboxed ? "runs in plait's sandbox, without its own" : own,
    ...(work.budgetUsd === null ? [] : ["has no budget limit"]),
  ];
}
