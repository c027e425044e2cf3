// The pool of worktrees of one run. A slot is made when none is free, given to a task at the task's own path, and used again
// after its release: setting files back costs a tenth of a fresh checkout. A task has one path for the whole run, because
// agents bind conversations to their folder.
//
//   acquire ──► leased ──release──► idle ──acquire──► leased (moved to the next task's path, set back to its base)
//                  │ keep: holds work that could not be saved
//                  ▼
//                kept (stays, at .kept/)                           idle ──close──► gone
//
//   leased ──continueLease──► leased for the task's next attempt, with the files as they are (a fix round)
//
// Nothing here decides whether work is saved: release and close are for slots whose work is.

import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Revision } from "../core/facts.ts";
import { type AttemptId, type Oid, type RunId, splitAttemptId } from "../core/ids.ts";
import type { Isolation } from "../core/plan.ts";
import { ifMissing } from "../util/errno.ts";
import { checkOut, fillFolder, indexAt, resetFolder } from "./checkout.ts";
import { exists, isRealFolder, moveAway, removeFolder } from "./files.ts";
import { type Lease, type LeaseFiles, leaseFiles, type Slot, type SlotRecord, slotOf } from "./lease.ts";
import { attemptBranch, repositoryFolder } from "./refs.ts";
import type { Shadow } from "./shadow.ts";
import { type SlotRepositories, slotRepositories } from "./slot-repositories.ts";
import { fillSubmodules } from "./submodules.ts";

export type PoolOptions = {
  readonly shadow: Shadow;
  readonly run: RunId;
  /** The run's own folder, below the common dir. */
  readonly runDir: string;
  /** The folder that holds the worktrees of all repositories. */
  readonly root: string;
  /** Left out: each is a worktree of the user's repository. */
  readonly isolation?: Isolation;
  /** Folders at the root of a worktree whose files may stay from one task to the next. */
  readonly keep?: readonly string[];
};

/** Opens the pool of a run, with whatever an earlier driver left in it. */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const files = leaseFiles(options.runDir);
  await files.prepare();
  const records = await files.readAll();
  const repositories = slotRepositories(options.isolation ?? "shared", { ...options, files });
  const known = new Set(records.map((record) => slotOf(record).id));
  // In git's books under our name but in no record: made by a driver that was killed before it had written anything there.
  for (const id of await repositories.list()) if (!known.has(id)) await repositories.remove(id);
  const pool = new Pool(options, { files, repositories }, records);
  await removeUnmoved(repositories, pool.folder, records);
  await pool.settleKept();
  return pool;
}

/**
 * A slot moves to the path of its next lease once that is written down. A driver that was killed in between left the folder
 * at the old path, by git's books still the slot's, by no record anybody's: what was done there is saved.
 */
async function removeUnmoved(
  repositories: SlotRepositories,
  folder: string,
  records: readonly SlotRecord[],
): Promise<void> {
  const paths = new Set(records.map((record) => slotOf(record).path));
  for (const record of records) {
    if (record.state === "kept") continue; // what lies at its old path is what it is kept for
    const { id, path } = slotOf(record);
    const old = await repositories.recordedPath(id);
    if (old === null || old === path || dirname(old) !== folder || paths.has(old)) continue;
    await removeFolder(old);
  }
}

type PoolParts = { readonly files: LeaseFiles; readonly repositories: SlotRepositories };

export class Pool {
  /** What an earlier driver of this run left to be saved and released, or gone on with. */
  readonly found: readonly Lease[];
  readonly #options: PoolOptions;
  readonly #files: LeaseFiles;
  readonly #repositories: SlotRepositories;
  readonly isolation: Isolation;
  /** Holds all worktrees of this run, and nothing else. */
  readonly folder: string;
  readonly #slots: Map<string, SlotRecord>;
  /** By slot: the last record on its way to the disk. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Paths of attempts that have none of the slots yet. */
  readonly #reserved = new Map<AttemptId, string>();
  /** By path: a slot that is on its way from there, until it is gone. */
  readonly #leaving = new Map<string, Promise<void>>();
  #nextId: number;

  constructor(options: PoolOptions, { files, repositories }: PoolParts, records: readonly SlotRecord[]) {
    this.#options = options;
    this.#files = files;
    this.#repositories = repositories;
    this.isolation = options.isolation ?? "shared";
    this.folder = join(options.root, repositoryFolder(options.shadow.repository.commonDir), options.run);
    this.#slots = new Map(records.map((record) => [slotOf(record).id, record]));
    this.#nextId = 1 + Math.max(0, ...[...this.#slots.keys()].map((id) => Number(id.split("-").at(-1))));
    this.found = records.flatMap((record) => (record.state === "leased" ? [record.lease] : []));
  }

  /**
   * Where an attempt will work, before anything is made there; `after` is the attempt that it goes on with, whose path it
   * takes over.
   */
  reserve(attempt: AttemptId, after: AttemptId | null = null): string {
    const held = this.heldBy(attempt) ?? (after === null ? null : this.heldBy(after));
    const path = held?.slot.path ?? this.#freePath(splitAttemptId(attempt).task, attempt);
    this.#reserved.set(attempt, path);
    return path;
  }

  /** The attempt never came to ask for its worktree: the path is free for the next one. */
  unreserve(attempt: AttemptId): void {
    this.#reserved.delete(attempt);
  }

  /**
   * A worktree at the task's path, on a branch of the attempt's own, cut at the base (I11). It has exactly the files of the
   * base, or of another tree that is to be made fit for it: to the agent's git those are changes not committed yet.
   */
  async acquire(attempt: AttemptId, base: Revision, files: Oid = base.tree): Promise<Lease> {
    const { shadow, run } = this.#options;
    const { task } = splitAttemptId(attempt);
    const branch = attemptBranch(run, attempt);
    const [before] = await Promise.all([
      this.#files.keepRefs(shadow.repository),
      this.#repositories.begin(branch, base.commit),
    ]);
    try {
      return await this.#lease({ attempt, base, branch, before }, task, files);
    } catch (error) {
      await this.#repositories.giveUp(branch, base.commit);
      throw error;
    }
  }

  /** A worktree with exactly the files of a tree, to judge it in. */
  acquireScratch(at: Revision): Promise<Lease> {
    return this.#lease({ attempt: null, base: at, branch: null, before: null }, ".gate", at.tree);
  }

  /** For the next who judges the same tree: tracked files as they were checked out, and all else as it was left. */
  async setBack({ slot, base }: Lease): Promise<void> {
    const { shadow } = this.#options;
    await checkOut(shadow, slot, base.tree);
    await fillSubmodules(shadow, { root: slot.path, tree: base.tree, keepUntracked: true });
  }

  /**
   * The same worktree for the next attempt of its task, once the last one is saved: files and index as they are, on a branch
   * of the new attempt's own where HEAD is now, so that commits made so far count as its own. The base stays what it was:
   * the next result holds the work of both. Cut off anywhere, the worktree is found under the new attempt, and asking for
   * that attempt again finishes it. `forPerson`: what an agent set up in its own repository there does not come along.
   */
  async continueLease(lease: Lease, attempt: AttemptId, { forPerson = false } = {}): Promise<Lease> {
    const { shadow, run } = this.#options;
    const isAgain = lease.attempt === attempt;
    // First, because from the look at the slot to its taking nobody else may have a turn.
    const before = isAgain ? lease.before : await this.#files.keepRefs(shadow.repository);
    const known = this.#slots.get(lease.slot.id);
    if (lease.attempt === null || known?.state !== "leased" || known.lease.attempt !== lease.attempt)
      throw new Error(`${lease.slot.path} is not leased to an attempt: ${attempt} cannot continue there`);
    const branch = attemptBranch(run, attempt);
    const next: Lease = { ...lease, attempt, branch, before };
    this.#reserved.delete(attempt);
    await this.#put({ state: "leased", lease: next });
    try {
      await this.#repositories.continueIn(lease, branch);
      if (forPerson) await this.#repositories.handOver(next, "continued");
    } catch (error) {
      await this.#put({ state: "leased", lease });
      throw error;
    }
    return next;
  }

  /** Every worktree that is in use. */
  leases(): Lease[] {
    return [...this.#slots.values()].flatMap((it) => (it.state === "leased" ? [it.lease] : []));
  }

  /** Where an attempt works or its work is kept, also when an earlier driver began it; null when nowhere. */
  leaseOf(attempt: AttemptId): Lease | null {
    for (const it of this.#slots.values()) {
      if (it.state !== "idle" && it.lease.attempt === attempt) return it.lease;
    }
    return null;
  }

  /** The worktree of an attempt that may still be worked in; null where it is given back or left. */
  heldBy(attempt: AttemptId): Lease | null {
    return this.leases().find((lease) => lease.attempt === attempt) ?? null;
  }

  /**
   * Its work is saved, and it stays where it is, for people to look at. HEAD leaves the attempt's branch, which goes at the end
   * of the run, and stands on a commit.
   */
  async leave(lease: Lease): Promise<void> {
    const known = this.#slots.get(lease.slot.id);
    if (known?.state !== "leased" || known.lease !== lease) return;
    await this.#put({ state: "kept", lease, toHandOver: "saved" });
    await this.#handOver(lease, "saved");
  }

  async #handOver(lease: Lease, how: "saved" | "unsaved"): Promise<void> {
    await this.#repositories.handOver(lease, how);
    await this.#put({ state: "kept", lease });
  }

  /** What a killed driver was about to leave to people. */
  async settleKept(): Promise<void> {
    for (const record of [...this.#slots.values()]) {
      if (record.state !== "kept") continue;
      const { lease, toHandOver } = record;
      const old = await this.#repositories.recordedPath(lease.slot.id);
      if (old !== null && old !== lease.slot.path) {
        await mkdir(dirname(lease.slot.path), { recursive: true, mode: 0o700 });
        if (!(await exists(lease.slot.path))) await rename(old, lease.slot.path).catch(ifMissing(undefined));
        await this.#repositories.moved(lease.slot);
      }
      if (toHandOver !== undefined) await this.#handOver(lease, toHandOver);
    }
  }

  /** What was kept is wanted no more: it goes when the pool is closed. */
  async giveUpKept(): Promise<void> {
    for (const it of [...this.#slots.values()])
      if (it.state === "kept") await this.#put({ state: "idle", slot: it.lease.slot });
  }

  /** Its work is saved; the slot may be used again. A lease that was given back already may be somebody else's by now. */
  async release(lease: Lease): Promise<void> {
    const known = this.#slots.get(lease.slot.id);
    if (known?.state === "leased" && known.lease === lease)
      await this.#put({ state: "idle", slot: lease.slot });
  }

  /** It holds work that could not be saved: moved out of the task's way, and left. Returns where it is. */
  async keep(lease: Lease, name: string): Promise<string> {
    const known = this.#slots.get(lease.slot.id);
    if (known?.state === "kept") return known.lease.slot.path; // by a driver that was killed before it could tell
    const path = join(this.folder, ".kept", name.replaceAll("/", "-"));
    const { id, index } = lease.slot;
    const kept: Lease = {
      ...lease,
      slot: { id, index, path, metadata: this.#repositories.gitDir({ id, path }) },
    };
    await this.#put({ state: "kept", lease: kept, toHandOver: "unsaved" });
    await this.#move(lease.slot, path);
    await this.#handOver(kept, "unsaved");
    return path;
  }

  /** Where worktrees are that stay: they hold work which could not be saved, or somebody wants to see them. */
  get kept(): string[] {
    return [...this.#slots.values()].flatMap((it) => (it.state === "kept" ? [it.lease.slot.path] : []));
  }

  /** Removes every idle slot and all that the pool made for itself. */
  async close(): Promise<void> {
    const idle = [...this.#slots.values()].flatMap((it) => (it.state === "idle" ? [it.slot] : []));
    await Promise.all(idle.map((slot) => this.#retire(slot)));
    await removeFolder(join(this.folder, ".trash"));
    if (this.#slots.size === 0) await removeFolder(this.#files.scratch);
    for (const folder of [this.folder, dirname(this.folder)]) await removeIfEmpty(folder);
  }

  /** A used slot that cannot be set back is retired, and another takes its place; a fresh one that fails is a failure. */
  async #lease(what: Omit<Lease, "slot">, name: string, files: Oid): Promise<Lease> {
    for (;;) {
      const { lease, isFresh } = await this.#take(what, name);
      const { slot } = lease;
      const left = await this.#bringTo(lease, files, isFresh).catch(async (error: unknown) => {
        if (!isFresh) return [String(error)];
        await this.#retire(slot);
        throw error;
      });
      if (left.length === 0) return lease;
      await this.#retire(slot);
    }
  }

  /** Chooses slot and path before anything waits: two that ask at once never get the same. */
  async #take(what: Omit<Lease, "slot">, name: string): Promise<{ lease: Lease; isFresh: boolean }> {
    const { run } = this.#options;
    const idle = [...this.#slots.values()].flatMap((it) => (it.state === "idle" ? [it.slot] : []));
    const path = this.#freePath(name, what.attempt);
    const used = idle.find((slot) => slot.path === path) ?? idle[0];
    const id = used?.id ?? `plait-${run}-${this.#nextId++}`;
    if (what.attempt !== null) this.#reserved.delete(what.attempt);
    const metadata = this.#repositories.gitDir({ id, path });
    const slot: Slot = { id, path, index: this.#files.indexPath(id), metadata };
    const lease: Lease = { ...what, slot };
    // Another slot may be on its way from there: what is in the way now is not somebody's work.
    const isFree = this.#leaving.get(path);
    const written = this.#put({ state: "leased", lease }).then(() => isFree);
    if (used === undefined || used.path === path) await written;
    else
      await this.#leave(
        used.path,
        written.then(() => this.#move(used, path)),
      );
    return { lease, isFresh: used === undefined };
  }

  /**
   * What was reserved, else the task's own path, also where an idle slot lies; while another attempt of the task is there
   * or to be there, one with a number behind it.
   */
  #freePath(name: string, attempt: AttemptId | null): string {
    const inUse = [...this.#slots.values()].filter(({ state }) => state !== "idle");
    const taken = new Set(inUse.map((record) => slotOf(record).path));
    const reserved = attempt === null ? undefined : this.#reserved.get(attempt);
    if (reserved !== undefined && !taken.has(reserved)) return reserved;
    for (const path of this.#reserved.values()) taken.add(path);
    for (let n = 1; ; n += 1) {
      const path = join(this.folder, n === 1 ? name : `${name}@${n}`);
      if (!taken.has(path)) return path;
    }
  }

  async #bringTo(lease: Lease, files: Oid, isFresh: boolean): Promise<string[]> {
    const { shadow, keep = [] } = this.#options;
    const { slot, base } = lease;
    if (isFresh) await setAside(slot.path);
    else if (!(await isRealFolder(slot.path))) await rm(slot.path, { force: true }); // a link is never followed
    await mkdir(slot.path, { recursive: true, mode: 0o700 });
    await this.#repositories.write(lease);
    const left = isFresh
      ? await fillFolder(shadow, slot, files)
      : await resetFolder(shadow, slot, { tree: files, keep });
    if (files !== base.tree) await indexAt(shadow, slot, base.tree);
    await fillSubmodules(shadow, { root: slot.path, tree: files });
    return left;
  }

  /** Known from now on, so that whoever takes the path next waits for the end of the move, whatever comes of it. */
  #leave(path: string, moved: Promise<void>): Promise<void> {
    const gone = moved
      .catch(() => undefined)
      .then(() => {
        if (this.#leaving.get(path) === gone) this.#leaving.delete(path);
      });
    this.#leaving.set(path, gone);
    return moved;
  }

  async #move(slot: Slot, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await setAside(path);
    await rename(slot.path, path).catch(ifMissing(undefined));
    await this.#repositories.moved({ id: slot.id, path });
  }

  async #retire({ id, path }: Slot): Promise<void> {
    const grave = join(this.folder, ".trash", id);
    await moveAway(path, grave);
    await this.#repositories.remove(id);
    this.#slots.delete(id);
    await this.#files.forget(id);
    await removeFolder(grave);
  }

  /** In memory at once, so that nobody else takes it, and then on the disk, in the same order. */
  async #put(record: SlotRecord): Promise<void> {
    const { id } = slotOf(record);
    this.#slots.set(id, record);
    const before = this.#writes.get(id) ?? Promise.resolve();
    const written = before.catch(() => undefined).then(() => this.#files.write(record));
    this.#writes.set(id, written);
    await written;
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
