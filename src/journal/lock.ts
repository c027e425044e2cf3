// One holder per path, by a lock that dies with its holder (I6). Node has no flock, so the lock is a file that names its
// holder, and a lock whose holder is dead may be broken. The hard part is that many may try to break it at once.
//
//   take(name):
//     write who I am (with a fresh nonce) to a file of my own, synced
//     link it to name                       worked: mine
//     else read who has it                  alive, or cannot be known: refused. Gone: start over
//     dead, with nonce X: take(break-X), the right to break X, by this same function
//       read name again                     no longer X: give the right back, start over
//       rename my file over name            mine
//       give the right back
//
// Why it is right. What stands at a name changes in three ways only: by link, when nothing stands there; by its holder's
// release, and X is dead; by rename, and that takes the right to break X. The right is a lock like any other, so it has one
// living holder. Hence while I have the right and name says X, it goes on saying X until I rename, and nobody else
// can rename as well. A right that is given back and taken again by one who comes late is harmless: a nonce never comes
// back, so that one reads another nonce, or nothing, and starts over. A breaker that dies before its rename has changed
// nothing, and its right is broken in turn; one that dies after it has taken the lock, and that lock is broken like X.
// Each start over is caused by somebody else's progress, so there is no endless loop.
//
// All rights of a lock lie beside it as <lock>.break-<nonce>, also rights to break a dead breaker: nonces do
// not collide, and the name does not grow.
//
// The killed leave files behind: identities not yet linked, rights not given back. Whoever gets the lock sweeps them up.
// It may: a right to break X matters only while X can be read at the name, and a later holder stands there now. An
// identity swept from under a living process costs it a fresh start.

import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { io } from "./failure.ts";
import { ensureFolder } from "./folder.ts";
import { type Holder, identify, type Liveness, probe } from "./holder.ts";
import { linkIfFree, readHolder, removeIfOwn, removeIfThere, replace, writeIdentity } from "./lock-file.ts";
import { type LockRefusal, refuse } from "./lock-refusal.ts";

/** `command` tells others what the holder is doing; `liveness` is the machine's own unless a test knows better. */
export type LockOptions = { readonly command: string; readonly liveness?: Liveness };

/** The lock, or who has it. */
export type LockResult =
  | { readonly ok: true; readonly lock: HeldLock }
  | { readonly ok: false; readonly refusal: LockRefusal };

/** A lock that this process holds: the proof that a journal's writer asks for. */
class HeldLock {
  readonly path: string;
  readonly holder: Holder;
  #held = true;

  constructor(path: string, holder: Holder) {
    this.path = path;
    this.holder = holder;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Gives the lock up, once. A file that somebody else put there stays. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    await asLockFailure(this.path, removeIfOwn(this.path, this.holder.nonce));
  }
}

export type { HeldLock };

export async function acquireLock(path: string, options: LockOptions): Promise<LockResult> {
  const claimant: Claimant = { root: path, command: options.command, liveness: options.liveness ?? probe };
  return asLockFailure(path, acquire(path, claimant));
}

type Claimant = { readonly root: string; readonly command: string; readonly liveness: Liveness };
type Taken =
  | { readonly ok: true; readonly me: Holder }
  | { readonly ok: false; readonly refusal: LockRefusal };

async function acquire(path: string, claimant: Claimant): Promise<LockResult> {
  await ensureFolder(dirname(path));
  const taken = await take(path, claimant);
  if (!taken.ok) return taken;
  const lock = new HeldLock(path, taken.me);
  try {
    await sweep(path, claimant.liveness);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { ok: true, lock };
}

async function take(name: string, claimant: Claimant): Promise<Taken> {
  for (;;) {
    const taken = await tryToTake(name, claimant);
    if (taken !== "start over") return taken;
  }
}

async function tryToTake(name: string, claimant: Claimant): Promise<Taken | "start over"> {
  const me = await identify(randomBytes(16).toString("hex"), claimant.command);
  const identity = `${claimant.root}.${me.nonce}.tmp`;
  try {
    await writeIdentity(identity, me);
    const linked = await linkIfFree(identity, name);
    if (linked === "done") return { ok: true, me };
    if (linked === "lost") return "start over";

    const found = await readHolder(name);
    if (found.kind === "gone") return "start over";
    if (found.kind === "unreadable") return refuse.unreadable(name, found.because);
    // NFS may do the link and lose the answer; asked again it says "taken".
    if (found.holder.nonce === me.nonce) return { ok: true, me };

    const verdict = await claimant.liveness(found.holder);
    if (verdict.kind === "alive") return refuse.held(name, found.holder);
    if (verdict.kind === "unknown") return refuse.unknown(name, found.holder, verdict.because);
    return await breakHolder(found.holder, { name, identity, me }, claimant);
  } finally {
    await removeIfThere(identity);
  }
}

type Claim = { readonly name: string; readonly identity: string; readonly me: Holder };

async function breakHolder(dead: Holder, claim: Claim, claimant: Claimant): Promise<Taken | "start over"> {
  const { name, identity, me } = claim;
  const rightPath = `${claimant.root}.break-${dead.nonce}`;
  const right = await take(rightPath, claimant);
  if (!right.ok) return refuse.beingBroken(name, dead, right.refusal);
  try {
    const found = await readHolder(name);
    if (found.kind !== "holder" || found.holder.nonce !== dead.nonce) return "start over";
    return (await replace(identity, name)) === "done" ? { ok: true, me } : "start over";
  } finally {
    await removeIfOwn(rightPath, right.me.nonce);
  }
}

async function asLockFailure<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw io(path, "lock", error);
  }
}

const left = /^(?:break-[0-9a-f]{32}|[0-9a-f]{32}\.tmp)$/;

/**
 * Removes what killed processes left beside a lock: identities that were never linked, rights to break that were never
 * given back. Only for the holder of the lock.
 */
async function sweep(lockPath: string, liveness: Liveness): Promise<void> {
  const folder = dirname(lockPath);
  const start = `${basename(lockPath)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !left.test(name.slice(start.length))) continue;
    const path = join(folder, name);
    const found = await readHolder(path);
    // An identity without text: its writer was killed before the first byte, or is about to write and will start over.
    const garbage =
      found.kind === "holder"
        ? (await liveness(found.holder)).kind === "dead"
        : found.kind === "unreadable" && name.endsWith(".tmp");
    if (garbage) await removeIfThere(path);
  }
}
