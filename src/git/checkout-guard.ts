// An agent that changes to the user's checkout and commits there has mistaken the folder. Its git, and that of everything it starts,
// reads one setting more in that checkout alone: a hook that refuses to move a ref and says where the work belongs. It stops a
// mistake, not a program that clears its environment; that one is noticed (target-moves.ts), and stopped by the sandbox.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "./repository.ts";

export type CheckoutGuard = {
  /** Of the checkout, and of the main one. */
  readonly gitDirs: readonly string[];
  /** The setting, as a config file. */
  readonly config: string;
};

const HOOK = `#!/bin/sh
[ "$1" = prepared ] || exit 0
echo "plait: this is the user's checkout; commit in the worktree of your task instead" >&2
exit 1
`;

/** Null where attempts work in the user's folder, and in a bare repository. */
export async function guardCheckout(
  { commonDir, gitDir, workTree, standsInFor }: Repository,
  runDir: string,
): Promise<CheckoutGuard | null> {
  if (workTree === null || standsInFor !== null) return null;
  const hooks = join(runDir, GUARD_FOLDER);
  const config = join(hooks, "config");
  await mkdir(hooks, { recursive: true, mode: 0o700 });
  await writeFile(join(hooks, "reference-transaction"), HOOK, { mode: 0o700 });
  await writeFile(config, `[core]\n\thooksPath = ${JSON.stringify(hooks)}\n`, { mode: 0o600 });
  return { gitDirs: [...new Set([commonDir, gitDir])], config };
}

/** In the folder of a run, and gone with what only a running run needs. */
export const GUARD_FOLDER = "checkout-guard";
