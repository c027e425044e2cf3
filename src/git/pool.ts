// The pool of worktrees of one run. A slot is made when none is free, given to a task at the task's own path, and used again
// after its release: setting files back costs a tenth of a fresh checkout. A task has one path for the whole run, because
// agents bind conversations to their folder.
//
//   acquire ──► leased ──release──► idle ──acquire──► leased (moved to the next task's path, set back to its base)
//                  │ keep: holds work that could not be saved
//                  ▼
//                kept (stays, at .kept/)                           idle ──close──► gone
//
// Nothing here decides whether work is saved: release and close are for slots whose work is.

import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Revision } from "../core/facts.ts";
import { type AttemptId, type RunId, splitAttemptId } from "../core/ids.ts";
import { fillFolder, resetFolder } from "./checkout.ts";
import { isRealFolder, missingIsFine, moveAway, removeFolder } from "./files.ts";
import { type Lease, type LeaseFiles, leaseFiles, type Slot, type SlotRecord, slotOf } from "./lease.ts";
import { createBranch, deleteRefs } from "./ref-updates.ts";
import { attemptBranch, repositoryFolder } from "./refs.ts";
import { exists } from "./repository-facts.ts";
import type { Shadow } from "./shadow.ts";
import {
  listMetadata,
  metadataFolder,
  movedMetadata,
  removeMetadata,
  type SlotHead,
  writeMetadata,
} from "./worktree-metadata.ts";

export type PoolOptions = {
  readonly shadow: Shadow;
  readonly run: RunId;
  /** The run's own folder, below the common dir. */
  readonly runDir: string;
  /** The folder that holds the worktrees of all repositories. */
  readonly root: string;
  /** Folders at the root of a worktree whose files may stay from one task to the next. */
  readonly keep?: readonly string[];
};

/** Opens the pool of a run, with whatever an earlier driver left in it. */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const files = leaseFiles(options.runDir);
  await files.prepare();
  const records = await files.readAll();
  const { repository } = options.shadow;
  const known = new Set(records.map((record) => slotOf(record).id));
  // In git's books under our name but in no record: made by a driver that was killed before it had written anything there.
  for (const id of await listMetadata(repository, options.run)) {
    if (!known.has(id)) await removeMetadata(repository, id, files.scratch);
  }
  return new Pool(options, files, records);
}

export class Pool {
  /** What an earlier driver of this run left to be saved and released. */
  readonly found: readonly Lease[];
  readonly #options: PoolOptions;
  readonly #files: LeaseFiles;
  /** Of this run in this repository. */
  readonly #folder: string;
  readonly #slots: Map<string, SlotRecord>;
  #nextId: number;

  constructor(options: PoolOptions, files: LeaseFiles, records: readonly SlotRecord[]) {
    this.#options = options;
    this.#files = files;
    this.#folder = join(options.root, repositoryFolder(options.shadow.repository.commonDir), options.run);
    this.#slots = new Map(records.map((record) => [slotOf(record).id, record]));
    this.#nextId = 1 + Math.max(0, ...[...this.#slots.keys()].map((id) => Number(id.split("-").at(-1))));
    this.found = records.flatMap((record) => (record.state === "leased" ? [record.lease] : []));
  }

  /** A worktree at the task's path, on a branch of the attempt's own, with exactly the files of the base (I11). */
  async acquire(attempt: AttemptId, base: Revision): Promise<Lease> {
    const { shadow, run } = this.#options;
    const { task } = splitAttemptId(attempt);
    const branch = attemptBranch(run, attempt);
    const [before] = await Promise.all([
      this.#files.keepRefs(shadow.repository),
      createBranch(shadow.repository, branch, base.commit),
    ]);
    try {
      return await this.#lease({ task, base, branch, before }, task);
    } catch (error) {
      await deleteRefs(shadow.repository, [[branch, base.commit]]); // nobody has worked there
      throw error;
    }
  }

  /** A worktree with exactly the files of a tree, to judge it in. */
  acquireScratch(at: Revision): Promise<Lease> {
    return this.#lease({ task: null, base: at, branch: null, before: null }, ".gate");
  }

  /** Its work is saved; the slot may be used again. */
  async release(lease: Lease): Promise<void> {
    await this.#put({ state: "idle", slot: lease.slot });
  }

  /** It holds work that could not be saved: moved out of the task's way, and left. Returns where it is. */
  async keep(lease: Lease, name: string): Promise<string> {
    const path = join(this.#folder, ".kept", name.replaceAll("/", "-"));
    await this.#move(lease.slot, path);
    await this.#put({ state: "kept", lease: { ...lease, slot: { ...lease.slot, path } } });
    return path;
  }

  /** Where worktrees are that hold work which could not be saved. */
  get kept(): string[] {
    return [...this.#slots.values()].flatMap((it) => (it.state === "kept" ? [it.lease.slot.path] : []));
  }

  /** Removes every idle slot and all that the pool made for itself. */
  async close(): Promise<void> {
    const idle = [...this.#slots.values()].flatMap((it) => (it.state === "idle" ? [it.slot] : []));
    await Promise.all(idle.map((slot) => this.#retire(slot)));
    await removeFolder(join(this.#folder, ".trash"));
    if (this.#slots.size === 0) await removeFolder(this.#files.scratch);
    for (const folder of [this.#folder, dirname(this.#folder)]) await removeIfEmpty(folder);
  }

  /** A used slot that cannot be set back is retired, and another takes its place; a fresh one that fails is a failure. */
  async #lease(what: Omit<Lease, "slot">, name: string): Promise<Lease> {
    for (;;) {
      const { slot, isFresh } = await this.#take(what, name);
      const lease: Lease = { ...what, slot };
      const left = await this.#bringTo(lease, isFresh).catch(async (error: unknown) => {
        if (!isFresh) return [String(error)];
        await this.#retire(slot);
        throw error;
      });
      if (left.length === 0) return lease;
      await this.#retire(slot);
    }
  }

  /** Chooses slot and path before anything waits: two that ask at once never get the same. */
  async #take(what: Omit<Lease, "slot">, name: string): Promise<{ slot: Slot; isFresh: boolean }> {
    const { shadow, run } = this.#options;
    const idle = [...this.#slots.values()].flatMap((it) => (it.state === "idle" ? [it.slot] : []));
    const own = idle.find((slot) => slot.path === join(this.#folder, name));
    const used = own ?? idle[0];
    const id = used?.id ?? `plait-${run}-${this.#nextId++}`;
    const path = own?.path ?? this.#freePath(name);
    const metadata = metadataFolder(shadow.repository, id);
    const slot: Slot = { id, path, index: this.#files.indexPath(id), metadata };
    await this.#put({ state: "leased", lease: { ...what, slot } });
    if (used !== undefined && used.path !== path) await this.#move(used, path);
    return { slot, isFresh: used === undefined };
  }

  /** The task's own path; while another attempt of it is there, one with a number behind it. */
  #freePath(name: string): string {
    const taken = new Set([...this.#slots.values()].map((record) => slotOf(record).path));
    for (let n = 1; ; n += 1) {
      const path = join(this.#folder, n === 1 ? name : `${name}@${n}`);
      if (!taken.has(path)) return path;
    }
  }

  async #bringTo({ slot, base, branch }: Lease, isFresh: boolean): Promise<string[]> {
    const { shadow, run, keep = [] } = this.#options;
    const head: SlotHead = branch === null ? { commit: base.commit } : { branch };
    if (isFresh) await setAside(slot.path);
    else if (!(await isRealFolder(slot.path))) await rm(slot.path, { force: true }); // a link is never followed
    await mkdir(slot.path, { recursive: true, mode: 0o700 });
    await writeMetadata(shadow.repository, { ...slot, run }, head, this.#files.scratch);
    if (!isFresh) return resetFolder(shadow, slot, { tree: base.tree, keep });
    await fillFolder(shadow, slot, base.tree);
    return [];
  }

  async #move(slot: Slot, path: string): Promise<void> {
    const { shadow, run } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await setAside(path);
    await rename(slot.path, path).catch(missingIsFine);
    await movedMetadata(shadow.repository, { ...slot, path, run });
  }

  async #retire({ id, path }: Slot): Promise<void> {
    const grave = join(this.#folder, ".trash", id);
    await moveAway(path, grave);
    await removeMetadata(this.#options.shadow.repository, id, this.#files.scratch);
    this.#slots.delete(id);
    await this.#files.forget(id);
    await removeFolder(grave);
  }

  /** In memory at once, so that nobody else takes it, and then on the disk. */
  async #put(record: SlotRecord): Promise<void> {
    this.#slots.set(slotOf(record).id, record);
    await this.#files.write(record);
  }
}

/** Something that the pool does not know lies where a worktree is to be: it may be somebody's work. */
async function setAside(path: string): Promise<void> {
  for (let n = 1; await exists(path); n += 1) {
    const aside = `${path}~${n}`;
    if (!(await exists(aside))) await rename(path, aside);
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder).catch(() => ["?"])).length === 0) await rmdir(folder);
}
