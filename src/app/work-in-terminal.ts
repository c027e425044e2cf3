// A person goes on with the agent of a task, at their own terminal: it is theirs, and no attempt of the run.

import { runInTerminal, type TerminalEnd } from "../process/terminal.ts";
import type { Host } from "./host.ts";
import type { OpenedTask } from "./open-task.ts";

export async function workInTerminal(
  { env }: Pick<Host, "env">,
  { folder, resume }: Pick<OpenedTask, "folder" | "resume">,
): Promise<TerminalEnd> {
  return runInTerminal({ argv: resume ?? [], cwd: folder, env });
}
