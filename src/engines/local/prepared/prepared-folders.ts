// Folders of the user's checkout in the worktrees of a run: which copies there are, and which worktree has which.

import { lstatSync } from "node:fs";
import { access, readdir, rmdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Lease, removeFolder } from "../../../git/index.ts";
import { deferred } from "../../../util/deferred.ts";
import { ifMissing } from "../../../util/errno.ts";
import { copyFolder } from "../copy-tree.ts";
import type { FastPrograms } from "./fast-copy.ts";
import { type FolderCopy, FolderStock, findIdleCopies } from "./folder-stock.ts";
import { readReference } from "./reference.ts";
import { findRelocations, type Relocation, writeRelocations } from "./relocate.ts";

export type ToPlace = {
  readonly lease: Lease;
  readonly source: string;
  readonly to: string;
  /** The path that its files hold: the folder that it was installed in. Left out: the checkout. */
  readonly root?: string;
  readonly signal: AbortSignal;
};

export type PreparedOptions = FastPrograms & {
  readonly checkout: string;
  /** Holds the copies of this repository that no worktree has. */
  readonly folder: string;
  /** Of all copies that stay for the next run of the repository. */
  readonly keptBytes: number;
};

/** A smaller folder is copied again as quickly as it is found. */
const FEW_ENTRIES = 500;
/** Copies made ahead, for the gates of attempts that end together. */
const MOST_SPARES = 3;

/** Copies compared before the first worktrees exist. */
const MOST_AHEAD = 4;

type Stocked = {
  readonly source: string;
  /** Of the content that its copies have. */
  readonly key: string;
  readonly trust: Trust;
  readonly stock: FolderStock;
  readonly relocations: readonly Relocation[];
  readonly isLarge: boolean;
};
/** Whether copies of a folder lead back to the checkout: looked at in the first worktree, and kept for the next run. */
type Trust = {
  /** The slot where it is looked at; null before anybody has asked. */
  by: string | null;
  readonly result: Promise<boolean>;
  readonly settle: (isTrusted: boolean) => void;
  readonly keep: () => Promise<void>;
};

const TRUSTED = "trusted";

async function openTrust(folder: string, isLarge: boolean): Promise<Trust> {
  const file = join(folder, TRUSTED);
  const isKept = await access(file).then(
    () => true,
    () => false,
  );
  const { promise: result, resolve: settle } = deferred<boolean>();
  if (isKept) settle(true);
  const keep = async () => (isLarge ? writeFile(file, "").catch(() => undefined) : undefined); // it is looked at again
  return { by: isKept ? TRUSTED : null, result, settle, keep };
}

/** The first worktree that asks looks itself; the others wait for what it finds. */
async function askTrust(trust: Trust, slot: string): Promise<boolean> {
  if (trust.by !== null) return trust.by !== slot && (await trust.result);
  trust.by = slot;
  return false;
}

async function settleTrust(trust: Trust, holds: boolean): Promise<void> {
  if (holds) await trust.keep();
  trust.settle(holds);
}

type Placed = { readonly stocked: Stocked; readonly copy: FolderCopy; readonly path: string };

export class PreparedFolders {
  readonly #options: PreparedOptions;
  readonly #stocks = new Map<string, Promise<Stocked>>();
  /** By slot. */
  readonly #placed = new Map<string, Placed[]>();
  readonly #used = new Set<string>();
  readonly #excluded = new Set<string>();
  /** Not as they were read any more: worktrees have them in more than one state. */
  readonly #changed = new Set<string>();

  constructor(options: PreparedOptions) {
    this.#options = options;
  }

  /** These folders are soon wanted, in as many worktrees: they are read, and copies that exist are compared. */
  openAhead(sources: readonly string[], count: number): void {
    const look = async (source: string): Promise<void> => {
      const { stock } = await this.#stockFor(source, this.#options.checkout);
      stock.compareAhead(Math.min(count, MOST_AHEAD));
    };
    for (const source of sources) if (isFolder(source)) look(source).catch(() => undefined); // told where it is placed
  }

  /** The same for the same content; null: it changed during this run, so worktrees may have different contents. */
  async readKey(source: string): Promise<string | null> {
    const { key } = await this.#stockFor(source, this.#options.checkout);
    return this.#changed.has(source) ? null : key;
  }

  /** A whole folder, to where nothing is. */
  async copyWhole(from: string, to: string): Promise<void> {
    if (!(await this.#options.copyFast(from, to))) await copyFolder(from, to, new AbortController().signal);
  }

  /** Puts a copy of a folder of the checkout into a worktree, with the path of the worktree where it held that of the checkout. */
  async place({ lease, source, to, root: from = this.#options.checkout, signal }: ToPlace): Promise<void> {
    if (this.#excluded.has(source)) return;
    const stocked = await this.#stockFor(source, from);
    const { path: root } = lease.slot;
    const copy = await stocked.stock.take(to);
    // The checkout has changed since: the folder is copied as it is now, and belongs to this worktree alone.
    if (copy === null) {
      this.#changed.add(source);
      return copyAsIs({ checkout: from, source, to, root, signal });
    }
    writeRelocations(stocked.relocations, { folder: to, from, to: root });
    this.#placed.set(lease.slot.id, [...this.#placedIn(lease), { stocked, copy, path: relative(root, to) }]);
  }

  /** Another worktree with the same folders may soon be wanted, besides this one. */
  makeSpares(): void {
    makeSpares([...this.#placed.values()].flat().map(({ stocked }) => stocked));
  }

  /** No further worktree is wanted: copies that are given back are not compared. */
  async stopAhead(): Promise<void> {
    for (const opened of [...this.#stocks.values()]) (await opened.catch(() => null))?.stock.stopAhead(); // its reader reports the error
  }

  /** The worktree is not used any more: its copies leave it before it is cleared. */
  async releaseWorktree(lease: Lease): Promise<void> {
    const here = this.#placedIn(lease);
    this.#placed.delete(lease.slot.id);
    // Innermost first: one may have been placed in another.
    for (const { stocked, copy, path } of here.toReversed())
      await stocked.stock.releaseWorktree({ ...copy, path: join(lease.slot.path, path) });
  }

  /** What was placed in this worktree was looked through, and does not lead back: the same copies need no second look. */
  async settle(lease: Lease, isTrusted: boolean): Promise<void> {
    for (const { stocked } of this.#placedIn(lease))
      if (stocked.trust.by === lease.slot.id)
        await settleTrust(stocked.trust, isTrusted && !this.#excluded.has(stocked.source));
  }

  /** Leads back to the checkout, and is done without from now on. */
  exclude(source: string): void {
    this.#excluded.add(source);
  }

  /** While another worktree with the same copies is looked through, its result is waited for. */
  async isTrusted(lease: Lease, path: string): Promise<boolean> {
    const one = this.#placedIn(lease).find((it) => it.path === path);
    return one !== undefined && askTrust(one.stocked.trust, lease.slot.id);
  }

  async close(): Promise<void> {
    await closeStocks([...this.#stocks.values()], this.#options.keptBytes);
    if (this.#stocks.size > 0) await removeOthers(this.#options.folder, this.#used);
  }

  #placedIn({ slot }: Lease): readonly Placed[] {
    return this.#placed.get(slot.id) ?? [];
  }

  #stockFor(source: string, root: string): Promise<Stocked> {
    const known = this.#stocks.get(source) ?? openStock(this.#options, { source, root }, this.#used);
    this.#stocks.set(source, known);
    known.catch(() => this.#stocks.delete(source));
    return known;
  }
}

/** As many as there are copies in use, which come once for each. */
function makeSpares(busy: readonly Stocked[]): void {
  for (const stocked of new Set(busy)) {
    const count = busy.filter((one) => one === stocked).length;
    if (stocked.isLarge) stocked.stock.makeSpares(Math.min(count, MOST_SPARES));
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function closeStocks(stocks: readonly Promise<Stocked>[], keptBytes: number): Promise<void> {
  let left = keptBytes;
  for (const opened of stocks) {
    const stocked = await opened.catch(() => null);
    if (stocked !== null) left -= await stocked.stock.close(stocked.isLarge ? left : 0);
  }
}

async function openStock(
  { folder, copyFast, listFast }: PreparedOptions,
  { source, root }: { readonly source: string; readonly root: string },
  used: Set<string>,
): Promise<Stocked> {
  const reference = await readReference(source);
  const relocations = findRelocations({ folder: source, root, reference });
  used.add(reference.key);
  const place = join(folder, reference.key);
  const isLarge = reference.entries.size > FEW_ENTRIES;
  const rewritten = new Set(relocations.map(({ path }) => path));
  const fast = async (from: string, to: string, signal: AbortSignal) =>
    isLarge && (await copyFast(from, to, signal));
  const list = async (copy: string) => (isLarge ? listFast(copy) : null);
  const idle = await findIdleCopies(place);
  const programs = { copyFast: fast, listFast: list };
  const stock = new FolderStock({ source, reference, folder: place, rewritten, ...programs }, idle);
  return { source, key: reference.key, trust: await openTrust(place, isLarge), stock, relocations, isLarge };
}

type ToCopyAsIs = {
  readonly checkout: string;
  readonly source: string;
  readonly to: string;
  readonly root: string;
  readonly signal: AbortSignal;
};

/** A folder of the checkout as it is now, with the path of the worktree in it. */
export async function copyAsIs({ checkout, source, to, root, signal }: ToCopyAsIs): Promise<void> {
  await copyFolder(source, to, signal);
  if (signal.aborted) return;
  const relocations = findRelocations({
    folder: source,
    root: checkout,
    reference: await readReference(source),
  });
  writeRelocations(relocations, { folder: to, from: checkout, to: root });
}

/** Copies of folders as they were before an install. None of them is in a worktree: those were moved there. */
async function removeOthers(folder: string, used: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(ifMissing([]));
  for (const name of names) {
    const idle = used.has(name) ? [] : await findIdleCopies(join(folder, name));
    for (const { path } of idle) await removeFolder(path);
    if (!used.has(name)) await removeFolder(join(folder, name, TRUSTED));
    await removeIfEmpty(join(folder, name));
  }
  await removeIfEmpty(folder);
}

/** Another run may be making a copy there. */
async function removeIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder).catch(ifMissing([]))).length === 0) await rmdir(folder).catch(() => undefined);
}
