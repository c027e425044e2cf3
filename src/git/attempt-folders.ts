// Which folders an attempt works with: all that has to be in view of it, for whoever puts walls around it.

import { join } from "node:path";
import { largeFilesFolder } from "./large-files.ts";
import { hasOwnRepository, type Lease } from "./lease.ts";
import { borrowedObjects } from "./own-repository.ts";
import type { Repository } from "./repository.ts";

export type AttemptFolders = {
  /** The root of its files. */
  readonly slot: string;
  /** The git dir of that; below the slot where the attempt has a repository of its own. */
  readonly gitDir: string;
  /** Of the user's repository: what its git writes. None where it has a repository of its own. */
  readonly shared: readonly string[];
  /** Of the user's repository: what its git only reads. They need not exist. */
  readonly borrowed: readonly string[];
};

export function attemptFolders(repository: Repository, { slot }: Pick<Lease, "slot">): AttemptFolders {
  const { commonDir, hasSubmodules, largeFiles } = repository;
  const borrowed = [
    borrowedObjects(repository),
    ...(hasSubmodules ? [join(commonDir, "modules")] : []),
    ...(largeFiles === "none" ? [] : [largeFilesFolder(repository)]),
  ];
  const place = { slot: slot.path, gitDir: slot.metadata };
  if (hasOwnRepository(slot)) return { ...place, shared: [], borrowed };
  return { ...place, shared: [commonDir], borrowed: [] };
}
