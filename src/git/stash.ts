// The stash is one for all worktrees: what an attempt put there lies on the user's own. Once it is saved it is taken off
// again, entry by entry, and only what is certainly the attempt's.

import type { Oid, RefName } from "../core/ids.ts";
import { createMutex } from "../util/mutex.ts";
import { readLogEntries } from "./logs.ts";
import { refCall, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** One removal at a time: entries are known by their place, which changes with every removal. */
const oneAtATime = createMutex();

/** Takes the stashes made on an attempt's branch off the stack; those made elsewhere stay, and are returned. */
export function removeAttemptStashes(
  repository: Repository,
  stashed: readonly { readonly commit: Oid; readonly message: string }[],
  branch: RefName,
): Promise<Oid[]> {
  const isOwn = ({ message }: { message: string }) =>
    ["WIP on", "On"].some((start) => message.startsWith(`${start} ${shortName(branch)}:`));
  return oneAtATime(async () => {
    for (const { commit } of stashed.filter(isOwn)) await removeEntry(repository, commit);
    return stashed.filter((entry) => !isOwn(entry)).map(({ commit }) => commit);
  });
}

async function removeEntry(repository: Repository, commit: Oid): Promise<void> {
  const before = await stack(repository);
  const place = before.findIndex(({ to }) => to === commit);
  if (place < 0) return;
  await refCall(repository, ["reflog", "delete", "--updateref", "--rewrite", `refs/stash@{${place}}`]);
  const after = new Set((await stack(repository)).map(({ to }) => to));
  // Somebody stashed in the moment between, and another entry went: back with it.
  for (const lost of before.filter(({ to }) => to !== commit && !after.has(to))) {
    await refCall(repository, ["stash", "store", "-m", lost.message, lost.to]);
  }
}

/** The newest first, as git counts them. */
async function stack(repository: Repository) {
  return (await readLogEntries(repository, repository.commonDir, "refs/stash")).toReversed();
}
