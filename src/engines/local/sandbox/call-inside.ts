import type { Command, Env } from "../../../core/plan.ts";
import type { Lease } from "../../../git/index.ts";
import type { RunContext } from "../run-context.ts";
import type { EnteredPlace } from "./run-sandbox.ts";

/** A gate or a command of the setup in its worktree: what it runs is often the agent's own text. */
export async function callInside<T>(
  { sandbox }: Pick<RunContext, "sandbox">,
  { lease, command, env }: { readonly lease: Lease; readonly command: Command; readonly env: Env },
  call: (place: Pick<EnteredPlace, "env" | "enclose">) => Promise<T>,
): Promise<T> {
  const argv = command.kind === "shell" ? ["sh"] : command.argv;
  const root = lease.slot.path;
  const place = await sandbox.enter({
    lease,
    root,
    env,
    argv,
    files: [],
    isReadOnly: false,
    reports: [],
    agent: null,
  });
  try {
    return await call(place);
  } finally {
    await place.leave();
  }
}
