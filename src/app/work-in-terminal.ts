// A person goes on with the agent of a task, at their own terminal: it is theirs, and no attempt of the run.

import { runInTerminal, type TerminalEnd } from "../process/in-terminal.ts";
import type { Host } from "./host.ts";
import type { OpenedTask } from "./open-task.ts";

export async function workInTerminal(
  { env }: Pick<Host, "env">,
  { worktree, resume }: Pick<OpenedTask, "worktree" | "resume">,
): Promise<TerminalEnd> {
  return runInTerminal({ argv: resume ?? [], cwd: worktree, env });
}
