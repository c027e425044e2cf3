// How a folder with the files of a commit becomes one in which programs can run: copies of what is not in git, the set-up commands,
// and the proof that nothing there leads back to the user's checkout. The same for worktrees of a run and for other copies of a commit.

import type { Command } from "../../core/plan.ts";
import type { CommandEnd } from "../../process/run-command.ts";
import { lastLines } from "../../process/tail.ts";
import type { CopyList } from "./copies.ts";
import { copyPaths } from "./copy-tree.ts";
import { leadsBack, leadText } from "./leads-back.ts";

export type ToMakeReady = {
  readonly folder: string;
  /** The user's, where copies come from; null where there is none. */
  readonly checkout: string | null;
  readonly copies: CopyList;
  readonly isCopied: (path: string) => boolean;
  readonly setup: readonly Command[];
  /** Runs a command there. */
  readonly call: (command: Command, timeoutMs: number) => Promise<CommandEnd>;
  /** Everything in the folder that is not in git, see `untrackedIn`. */
  readonly untracked: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
};

export type Prepared =
  | { readonly ok: true }
  /** `isFinal`: it comes out the same each time. */
  | { readonly ok: false; readonly detail: string; readonly isFinal: boolean };

const SETUP_TIMEOUT_MS = 30 * 60_000;
export const TEARDOWN_TIMEOUT_MS = 5 * 60_000;

export async function makeReady(asked: ToMakeReady): Promise<Prepared> {
  const { folder, checkout, copies, isCopied, untracked, signal } = asked;
  if (checkout !== null) await copyPaths({ from: checkout, to: folder, ...copies, signal });
  const failed = await setUp(asked);
  if (failed !== null) return { ok: false, detail: failed, isFinal: false };
  if (signal.aborted) return { ok: false, detail: "it was stopped while it was prepared", isFinal: false };
  if (checkout === null) return { ok: true };
  const leads = await leadsBack({ folder, checkout, paths: await untracked() });
  if (leads.length === 0) return { ok: true };
  return { ok: false, detail: leadText(leads, isCopied), isFinal: true };
}

/** Says what went wrong. */
async function setUp({ setup, call, signal }: ToMakeReady): Promise<string | null> {
  for (const command of setup) {
    const end = await call(command, SETUP_TIMEOUT_MS);
    if (signal.aborted) return "it was stopped during its set-up";
    const name = command.kind === "shell" ? command.line : command.argv.join(" ");
    if (end.kind === "not-started") return `set-up: ${end.failure.message}`;
    if (end.exit.code === 0) continue;
    const said = lastLines(end.output, 3).join("; ");
    const how =
      end.exit.code === null ? `was ended by ${end.exit.signal}` : `ended with exit code ${end.exit.code}`;
    return `the set-up ${JSON.stringify(name)} ${how}${said === "" ? "" : `: ${said}`}`;
  }
  return null;
}
