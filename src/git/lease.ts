// A lease: one slot, given to one task from a base, until it is released. Plain data, written down before the worktree is
// touched, so that after a crash the next driver knows every worktree, whose work is in it and what was there before.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "../core/facts.ts";
import type { AttemptId, Oid, RefName } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import type { Checkout } from "./checkout.ts";
import { replaceFile } from "./files.ts";
import { readLog } from "./logs.ts";
import { type RefTable, readRefs } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** A worktree of the pool. */
export type Slot = Checkout & { readonly id: string };

/** Whether it is a repository of its own (`isolation: private`), and not a worktree of the user's. */
export function hasOwnRepository({ path, metadata }: Pick<Slot, "path" | "metadata">): boolean {
  return metadata === join(path, ".git");
}

export type Lease = {
  readonly slot: Slot;
  /** The attempt that works there; null for a tree to be judged. */
  readonly attempt: AttemptId | null;
  /** What it was cut at: contains the merged work of all needs (I11). In a fix round that of the first attempt. */
  readonly base: Revision;
  /** The attempt's own branch, which HEAD was put on; null is a detached HEAD at the base. */
  readonly branch: RefName | null;
  /** The refs as they were before the attempt worked here, by the name of a file in the run folder. */
  readonly before: string | null;
};

/** What is written down of a slot. */
export type SlotRecord =
  | { readonly state: "leased"; readonly lease: Lease }
  | { readonly state: "idle"; readonly slot: Slot }
  /** It holds work that could not be saved, or somebody wants to see it: it stays, and the report names it. */
  | {
      readonly state: "kept";
      readonly lease: Lease;
      /** Not done yet: what an agent set up there goes, before a person looks. */
      readonly toHandOver?: "saved" | "unsaved";
    };

export function slotOf(record: SlotRecord): Slot {
  return record.state === "idle" ? record.slot : record.lease.slot;
}

/** The refs and the stash at one moment. */
export type RefsBefore = { readonly refs: RefTable; readonly stash: readonly Oid[] };

/** The pool's part of the run folder. */
export type LeaseFiles = ReturnType<typeof leaseFiles>;

export function leaseFiles(runDir: string) {
  const slots = join(runDir, "slots");
  const recordPath = (id: string) => join(slots, `${id}.json`);
  const kept = new Map<string, Promise<void>>();
  return {
    scratch: slots,
    indexPath: (id: string) => join(slots, `${id}.index`),
    prepare: () => mkdir(slots, { recursive: true, mode: 0o700 }),
    write: (record: SlotRecord) => replaceFile(recordPath(slotOf(record).id), `${JSON.stringify(record)}\n`),
    async forget(id: string): Promise<void> {
      for (const path of [recordPath(id), join(slots, `${id}.index`), join(slots, `${id}.index.lock`)]) {
        await rm(path, { force: true });
      }
    },
    async readAll(): Promise<SlotRecord[]> {
      const names = (await readdir(slots).catch(ifMissing([])))
        .filter((name) => name.endsWith(".json"))
        .sort();
      const texts = await Promise.all(names.map((name) => readFile(join(slots, name), "utf8")));
      return texts.map((text) => JSON.parse(text) as SlotRecord); // written by `write` above, whole or not at all
    },
    /** Keeps the refs as they are now; the same refs are kept once. */
    async keepRefs(repository: Repository): Promise<string> {
      const [refs, stash] = await Promise.all([readRefs(repository), readLog(repository, "refs/stash")]);
      const foreign = [...refs].filter(([ref]) => !isOurs(ref));
      const text = JSON.stringify({ refs: foreign, stash });
      const name = `refs-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
      // Attempts that start together keep the same refs: one of them writes, all wait, and nobody reads a half.
      const write = () => replaceFile(join(slots, name), text).finally(() => kept.delete(name));
      const writing = kept.get(name) ?? write();
      kept.set(name, writing);
      await writing;
      return name;
    },
    async readRefs(name: string | null): Promise<RefsBefore> {
      if (name === null) return { refs: new Map(), stash: [] };
      const { refs, stash } = JSON.parse(await readFile(join(slots, name), "utf8"));
      return { refs: new Map(refs), stash };
    },
  };
}

/** Moved by plait all the time: says nothing about what an agent did. */
export function isOurs(ref: string): boolean {
  return ref.startsWith("refs/plait/") || ref.startsWith("refs/heads/plait/");
}
