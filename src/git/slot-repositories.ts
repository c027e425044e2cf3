// How a slot is a repository to those who work in it: a worktree of the user's (`shared`), or a repository of its own (`private`). The
// pool knows only this much of the difference.

import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import type { Isolation } from "../core/plan.ts";
import { indexAt } from "./checkout.ts";
import { exists, moveAway, readFileOrNull, removeFolder, replaceFile } from "./files.ts";
import type { Lease, LeaseFiles, Slot } from "./lease.ts";
import { continueOwnRepository, isOwnRepository, makeOwnRepository, type OwnHead } from "./own-repository.ts";
import { createBranch, deleteRefs } from "./ref-updates.ts";
import { readRef, readRefs, savedRef } from "./refs.ts";
import type { Shadow } from "./shadow.ts";
import { findHead } from "./tips.ts";
import {
  continueInWorktree,
  detachHead,
  listMetadata,
  lockReason,
  metadataFolder,
  movedMetadata,
  recordedPath,
  removeMetadata,
  writeMetadata,
} from "./worktree-metadata.ts";

type SlotId = Pick<Slot, "id" | "path">;

export type SlotRepositories = {
  /** The folder whose HEAD and index the agent's git uses. */
  readonly gitDir: (slot: SlotId) => string;
  /** Makes the branch of an attempt where others than the attempt see it. */
  readonly begin: (branch: RefName, at: Oid) => Promise<void>;
  /** Nobody has worked there. */
  readonly giveUp: (branch: RefName, at: Oid) => Promise<void>;
  /** Makes the slot what its lease says, whatever it was before. */
  readonly write: (lease: Lease) => Promise<void>;
  readonly moved: (slot: SlotId) => Promise<void>;
  /** Where a slot was at last, by what is written down of it; null when nothing is. */
  readonly recordedPath: (id: string) => Promise<string | null>;
  readonly remove: (id: string) => Promise<void>;
  /** Slots that may be in no record of the pool. */
  readonly list: () => Promise<string[]>;
  /** Another attempt goes on in it, on a branch of its own. */
  readonly continueIn: (lease: Lease, branch: RefName) => Promise<void>;
  /** A person is to look at it: nothing that an agent set up there runs. */
  readonly handOver: (lease: Lease, how: HandOver) => Promise<void>;
};

/** At what was saved; the same, with commits that may be nowhere else; or where HEAD is, to go on. */
type HandOver = "saved" | "unsaved" | "continued";

type Site = { readonly shadow: Shadow; readonly run: RunId; readonly files: LeaseFiles };

export function slotRepositories(isolation: Isolation, site: Site): SlotRepositories {
  return isolation === "private" ? ownRepositories(site) : linkedWorktrees(site);
}

function linkedWorktrees({ shadow, run, files: { scratch } }: Site): SlotRepositories {
  const { repository } = shadow;
  return {
    gitDir: ({ id }) => metadataFolder(repository, id),
    begin: (branch, at) => createBranch(repository, branch, at),
    giveUp: async (branch, at) => void (await deleteRefs(repository, [[branch, at]])),
    write: async ({ slot, branch, base }) => {
      const head = branch === null ? { commit: base.commit } : { branch };
      await writeMetadata(repository, { ...slot, run }, head, scratch);
    },
    moved: (slot) => movedMetadata(repository, { ...slot, run }),
    recordedPath: (id) => recordedPath(repository, id),
    remove: (id) => removeMetadata(repository, id, scratch),
    list: () => listMetadata(repository, run),
    continueIn: (lease, branch) => continueInWorktree(shadow, lease, { branch, run, scratch }),
    handOver: async ({ slot, branch }, how) => {
      if (how === "saved" && branch !== null) await detachHead(repository, slot.id, branch);
    },
  };
}

function ownRepositories({ shadow, run, files }: Site): SlotRepositories {
  const { repository } = shadow;
  const placeFile = (id: string): string => join(files.scratch, `${id}.path`);
  const reason = lockReason(run);
  const gitDir = ({ path }: Pick<Slot, "path">): string => join(path, ".git");
  const makeAt = async ({ slot, before }: Lease, head: OwnHead): Promise<void> => {
    const refs = before === null ? await readRefs(repository) : (await files.readRefs(before)).refs;
    await makeOwnRepository(shadow, { gitDir: gitDir(slot), head, refs, reason });
  };
  const notePlace = ({ id, path }: SlotId): Promise<void> => replaceFile(placeFile(id), path);
  return {
    gitDir,
    begin: async () => undefined,
    giveUp: async () => undefined,
    write: async (lease) => {
      const { slot, branch, base } = lease;
      await makeAt(lease, branch === null ? { commit: base.commit } : { branch, at: base.commit });
      await notePlace(slot);
    },
    moved: notePlace,
    recordedPath: async (id) => (await readFileOrNull(placeFile(id)))?.toString() ?? null,
    remove: (id) => rm(placeFile(id), { force: true }),
    list: async () => [],
    continueIn: async (lease, branch) => {
      const { slot } = lease;
      const at = await findHead(shadow, lease);
      if (!(await isOwnRepository(gitDir(slot)))) await makeAt(lease, { branch, at });
      // Without an index git takes every file for deleted.
      if (!(await exists(join(slot.metadata, "index")))) await indexAt(shadow, slot, at);
      // HEAD last: until then a failure leaves the worktree to the attempt that it was of.
      await continueOwnRepository(shadow, { gitDir: gitDir(slot), branch, at, reason });
    },
    handOver: async (lease, how) => {
      const { slot, branch, attempt } = lease;
      const result = attempt === null ? null : await readRef(repository, `${savedRef(run, attempt)}^1`);
      const at = how === "continued" || result === null ? await findHead(shadow, lease) : result;
      const aside = `${slot.path}~objects`;
      if (how === "unsaved") await moveAway(join(gitDir(slot), "objects"), aside);
      await makeAt(lease, how === "continued" && branch !== null ? { branch, at } : { commit: at });
      await indexAt(shadow, slot, at);
      if (await exists(aside)) await keepObjects(aside, gitDir(slot));
    },
  };
}

/** Commits that could not be taken over: a folder of its own, which no git reads. */
async function keepObjects(from: string, gitDir: string): Promise<void> {
  const to = join(gitDir, "left-objects");
  await removeFolder(to);
  await rename(from, to);
}
