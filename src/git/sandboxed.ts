// What of the repository a program in the sandbox sees, and may change, so that the git of an agent works there.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { attemptFolders } from "./attempt-folders.ts";
import { formatConfig } from "./config.ts";
import { exists } from "./files.ts";
import type { Lease } from "./lease.ts";
import type { Shadow } from "./shadow.ts";

export type SandboxedGit = {
  readonly hidden: readonly string[];
  readonly readable: readonly string[];
  readonly writable: readonly string[];
};

/**
 * A repository of the attempt's own lies in its worktree, and borrows. A linked worktree writes into the user's repository: its own metadata, objects, and the branches of the task. The rest there can be
 * read, without the folder of the runs. Objects are shared: what is not in it already can be added, and what is there be damaged.
 */
export async function openToSandbox(
  { repository, excludesFile }: Shadow,
  lease: Lease,
): Promise<SandboxedGit> {
  const { commonDir } = repository;
  const { gitDir, shared, borrowed } = attemptFolders(repository, lease);
  const rules = excludesFile === null ? [] : [excludesFile];
  if (shared.length === 0) {
    const isThere = await Promise.all(borrowed.map(exists));
    const there = borrowed.filter((_, i) => isThere[i]);
    return { hidden: [commonDir], readable: [...there, ...rules], writable: [] };
  }
  const { branch } = lease;
  const branches = branch === null ? [] : [join(branch, ".."), join("logs", branch, "..")];
  const own = [...branches.map((path) => join(commonDir, path)), gitDir];
  for (const path of own) await mkdir(path, { recursive: true });
  return {
    hidden: [join(commonDir, "plait")],
    readable: [...shared, ...rules],
    writable: [join(commonDir, "objects"), ...own],
  };
}

/** Settings of these kinds hold secrets, lead to some, or name programs. */
const LEFT_OUT =
  /^(?:credential|url|include|includeif|hook|filter\.(?!lfs\.)[^.]+|diff|merge\..*\.driver|alias|gpg|sendemail|http|core\.(?:hookspath|fsmonitor|sshcommand|askpass|editor|pager|excludesfile|attributesfile))(?:\.|$)/i;

/** The user's own configuration for the git of an agent, as it was at the start, without what must not be inside. */
export function formatSandboxedConfig({ repository: { config } }: Shadow): string {
  const own = config.filter(({ scope, key }) => scope === "global" && !LEFT_OUT.test(key));
  return formatConfig(own);
}
