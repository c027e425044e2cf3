// Copies of one folder, each used by one worktree at a time. A copy comes into a worktree by rename and leaves it the same way, after
// the programs that ran there were ended; before it is used again it is compared with the folder as it was read, entry by entry, and
// what differs is copied anew. So thousands of files are copied once for each worktree that exists at the same time, and no worktree
// sees what was done in another. Comparing is done ahead, while agents work, so that a worktree rarely waits for it.
//
// An edit in place is found even where size and time of the file were put back: each copy has a seal, a time that all its entries
// were last changed before, and no program can set that time. The name of a copy says its seal: it is known after a crash.
//
// Hard links to a shared copy would be cheaper to make and are never used: whoever writes to such a file writes to all of them.

import { lstatSync } from "node:fs";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { removeFolder } from "../../../git/index.ts";
import { isAlive } from "../../../journal/holder.ts";
import { onErrno } from "../../../util/errno.ts";
import { copyFolder, copyOneFile } from "../copy-tree.ts";
import { isListedAsSame } from "./listing.ts";
import {
  compareFolder,
  type FolderDifference,
  type FolderReference,
  isSameStamp,
  readEntry,
} from "./reference.ts";

export type StockOptions = {
  /** The copied folder. */
  readonly source: string;
  readonly reference: FolderReference;
  /** Holds the copies that are not in use; on the file system of the worktrees. */
  readonly folder: string;
  /** Entries that whoever takes a copy writes before using it. */
  readonly rewritten: ReadonlySet<string>;
  /** A whole folder at once, faster than file by file; false: it could not be done. */
  readonly copyFast: (from: string, to: string, signal: AbortSignal) => Promise<boolean>;
  /** All entries of a folder, see listing.ts; null: it could not be done. */
  readonly listFast: (folder: string) => Promise<string | null>;
};

/** A copy, in a worktree or idle. */
export type FolderCopy = { readonly path: string; readonly sealNs: bigint };

/** A copy that has more than this to be put right is made anew. */
const MOST_REPAIRS = 2_000;

export class FolderStock {
  readonly #options: StockOptions;
  /** Not compared since a worktree had them. */
  readonly #idle: FolderCopy[] = [];
  /** Compared: the next worktree gets one at once. */
  readonly #ready: FolderCopy[] = [];
  readonly #discarding = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** The one copy that is compared or made now. */
  #working: Promise<void> | null = null;
  /** How many copies should be ready beyond those that are waited for. */
  #spares = 0;
  /** How many of them may be made, because too few exist. */
  #toMake = 0;
  #waiting = 0;
  static #made = 0;

  constructor(options: StockOptions, idle: readonly FolderCopy[]) {
    this.#options = options;
    this.#idle.push(...idle);
  }

  get bytes(): number {
    return this.#options.reference.bytes;
  }

  /** Puts a copy at a path where nothing is. Null: the source is not as it was read, so the right content of a copy is unknown. */
  async take(to: string): Promise<FolderCopy | null> {
    this.#waiting += 1;
    try {
      for (;;) {
        const ready = this.#ready.shift();
        if (ready !== undefined && (await moved(ready.path, to))) return { path: to, sealNs: ready.sealNs };
        if (ready !== undefined) continue; // removed by plait clean
        this.#workAhead();
        if (this.#working === null) return await this.#make(to);
        await this.#working;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** From a worktree that is not used any more. What is not a folder any longer is left to whoever clears the worktree. */
  async releaseWorktree({ path, sealNs }: FolderCopy): Promise<void> {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) return;
    const idle = { path: this.#freePath(sealNs), sealNs };
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    if (await moved(path, idle.path)) this.#idle.push(idle);
    this.#workAhead();
  }

  /** Compares copies ahead until as many are ready, also those that are given back later. */
  compareAhead(count: number): void {
    this.#spares = Math.max(this.#spares, count);
    this.#workAhead();
  }

  /** The same, and makes those that are missing. Whoever needs one meanwhile waits for it. */
  makeSpares(count: number): void {
    this.#toMake = Math.max(this.#toMake, count - this.#ready.length - this.#idle.length);
    this.compareAhead(count);
  }

  /** No worktree will want a copy soon: those that are given back stay as they are. */
  stopAhead(): void {
    this.#spares = 0;
    this.#toMake = 0;
  }

  /** Removes idle copies beyond what may stay, and one that is half made; says how many bytes stay. */
  async close(mayStay: number): Promise<number> {
    this.#closing.abort();
    await this.#working;
    let stay = 0;
    for (const { path, sealNs } of [...this.#ready.splice(0), ...this.#idle.splice(0)]) {
      if (stay + this.bytes > mayStay) this.#discard(path);
      else if (await moved(path, this.#freePath(sealNs))) stay += this.bytes;
    }
    await Promise.all(this.#discarding);
    return stay;
  }

  /** One after another: the first of several that wait has its copy early. */
  #workAhead(): void {
    if (this.#closing.signal.aborted || this.#working !== null) return;
    if (this.#ready.length >= this.#spares + this.#waiting) return;
    const idle = this.#idle.shift();
    if (idle === undefined && this.#toMake <= 0) return;
    if (idle === undefined) this.#toMake -= 1;
    const work = idle === undefined ? this.#make(null) : this.#compare(idle);
    this.#working = work
      .then(
        (copy) => void (copy !== null && this.#ready.push(copy)),
        () => {
          this.#toMake = 0; // a full disk: the error reaches whoever needs the copy
        },
      )
      .then(() => {
        this.#working = null;
        this.#workAhead();
      });
  }

  /**
   * Null: another run has taken it, or it cannot be put right. It is held under a name of this process meanwhile: two runs must not
   * put the same copy right.
   */
  async #compare(idle: FolderCopy): Promise<FolderCopy | null> {
    const held = join(this.#options.folder, `.held-${process.pid}-${idle.sealNs}-${FolderStock.#made++}`);
    if (!(await moved(idle.path, held))) return null;
    try {
      const sealNs = await this.#checked(held, idle.sealNs);
      if (sealNs !== null) return { path: held, sealNs };
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.#discard(held);
        throw error;
      }
      this.#idle.push({ path: held, sealNs: idle.sealNs });
      return null;
    }
    this.#discard(held);
    return null;
  }

  /** Moved away at once, removed meanwhile. */
  #discard(path: string): void {
    const grave = join(this.#options.folder, `.trash-${process.pid}-${FolderStock.#made++}`);
    const gone = moved(path, grave)
      .then(() => removeFolder(grave))
      .catch(() => undefined) // found by the next run
      .finally(() => this.#discarding.delete(gone));
    this.#discarding.add(gone);
  }

  #freePath(sealNs: bigint): string {
    return join(this.#options.folder, `${sealNs}-${process.pid}-${FolderStock.#made++}`);
  }

  /** Without a place it becomes an idle one. */
  async #make(to: string | null): Promise<FolderCopy | null> {
    const { source, folder, copyFast } = this.#options;
    const { signal } = this.#closing; // no tree needs the copy then
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const fresh = join(folder, `.making-${process.pid}-${FolderStock.#made++}`);
    try {
      if (!(await copyFast(source, fresh, signal)) && !signal.aborted) {
        await removeFolder(fresh);
        await copyFolder(source, fresh, signal);
      }
      signal.throwIfAborted();
      const sealNs = await this.#checked(fresh, null);
      if (sealNs === null) {
        this.#discard(fresh);
        return null;
      }
      const path = to ?? this.#freePath(sealNs);
      await rename(fresh, path);
      return { path, sealNs };
    } catch (error) {
      await removeFolder(fresh);
      throw error;
    }
  }

  /** The seal of a copy that is as it should be; null where it cannot be. */
  async #checked(folder: string, sealNs: bigint | null): Promise<bigint | null> {
    const { reference, rewritten, listFast } = this.#options;
    const asked = { folder, reference, sealNs, rewritten };
    const listing = await listFast(folder);
    if (listing !== null && isListedAsSame(listing, asked)) return this.#seal();
    const signal = sealNs === null ? undefined : this.#closing.signal; // a new copy is worth the look
    const different = await compareFolder({ ...asked, ...(signal && { signal }) }).catch(
      onErrno({ EACCES: null, ENOENT: null }),
    );
    if (different === null) return null;
    const repairs = different.changed.length + different.missing.length;
    if (repairs === 0 && sealNs !== null) return sealNs;
    if (repairs > MOST_REPAIRS) return null;
    if (repairs > 0 && !(await this.#repair(folder, different))) return null;
    return this.#seal();
  }

  async #repair(folder: string, { changed, missing }: FolderDifference): Promise<boolean> {
    const { reference } = this.#options;
    for (const path of changed) await removeFolder(join(folder, path));
    const wanted = new Set([...changed, ...missing]);
    // A folder that was removed takes all below it along.
    for (const path of reference.entries.keys()) if (isBelow(wanted, path)) wanted.add(path);
    for (const path of [...wanted].sort())
      if (reference.entries.has(path) && !(await this.#copyEntry(path, folder))) return false;
    return true;
  }

  async #copyEntry(path: string, folder: string): Promise<boolean> {
    const { source, reference, rewritten } = this.#options;
    if (rewritten.has(path)) return true;
    const [from, to] = [join(source, path), join(folder, path)];
    const known = reference.entries.get(path);
    try {
      const { stamp } = readEntry(source, path);
      if (known === undefined || !isSameStamp(known, stamp)) return false;
      if (known.kind === "folder") await mkdir(to, { recursive: true, mode: known.mode });
      else if (known.kind === "link") await symlink(known.target, to);
      else await copyOneFile(from, to);
      return true;
    } catch (error) {
      return onErrno({ ENOENT: false })(error); // removed from the checkout meanwhile
    }
  }

  /** A time of the file system after every change so far. Its clock moves in steps of some milliseconds. */
  async #seal(): Promise<bigint> {
    const probe = join(this.#options.folder, `.seal-${process.pid}-${FolderStock.#made++}`);
    try {
      await writeFile(probe, "");
      const first = lstatSync(probe, { bigint: true }).ctimeNs;
      for (;;) {
        await pause(2);
        await writeFile(probe, "x");
        const now = lstatSync(probe, { bigint: true }).ctimeNs;
        if (now > first) return now;
      }
    } finally {
      await rm(probe, { force: true });
    }
  }
}

function isBelow(paths: ReadonlySet<string>, path: string): boolean {
  const end = path.lastIndexOf("/");
  return end > 0 && paths.has(path.slice(0, end));
}

function moved(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(() => true, onErrno({ ENOENT: false }));
}

/** Copies that an earlier run left, with unfinished ones removed. */
export async function findIdleCopies(folder: string): Promise<FolderCopy[]> {
  const names = await readdir(folder).catch(onErrno({ ENOENT: [] }));
  const idle: FolderCopy[] = [];
  for (const name of names) {
    const [, seal] = /^(\d+)-\d+-\d+$/.exec(name) ?? [];
    const [, holder, heldSeal] = /^\.held-(\d+)-(\d+)-\d+$/.exec(name) ?? [];
    const [, pid] = /^\.(?:making|trash|seal)-(\d+)-\d+$/.exec(name) ?? [];
    // Compared by a run that was killed: what it was putting right is younger than the seal.
    if (heldSeal !== undefined && !isAlive(Number(holder)))
      idle.push({ path: join(folder, name), sealNs: BigInt(heldSeal) });
    if (seal !== undefined) idle.push({ path: join(folder, name), sealNs: BigInt(seal) });
    else if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(folder, name));
  }
  return idle;
}
