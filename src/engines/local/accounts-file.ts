// What one run learns of an account's limit, for all runs of this user: a small file, changed under a lock. It spares other
// runs a try that would fail. Nothing depends on it, so nothing here fails a run: a file that cannot be read is empty, a
// limit that cannot be written is told to `onProblem` and goes with the next one.
//
// The lock is that of src/journal/lock.ts, which does not wait: we come back while others make progress (each holder has it
// for one read and one write), and give up on one that keeps it. Keys are digested where they are made: no secret is here.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { EpochMs } from "../../core/facts.ts";
import type { AccountKey } from "../../core/ids.ts";
import { formatRefusal } from "../../core/text/refusal.ts";
import { JournalError } from "../../journal/failure.ts";
import { acquireLock, type HeldLock } from "../../journal/lock.ts";
import type { Clock, Timer } from "../../util/clock.ts";
import { errnoOf } from "../../util/errno.ts";
import {
  type AccountLimit,
  encodeLimits,
  isKey,
  isLimit,
  type LimitChanges,
  type Limits,
  MAX_FILE_BYTES,
  parseLimits,
  still,
  withChange,
  withChanges,
} from "./accounts-file-format.ts";
import { replaceFile } from "./control-path.ts";

export type ReportedLimit = AccountLimit & { readonly account: AccountKey };

export type AccountsOptions = {
  readonly clock: Pick<Clock, "now" | "setTimer">;
  /** Told, as a sentence for people, when a limit could not be shared. */
  readonly onProblem?: (problem: string) => void;
  /** How often a watcher looks. Polling, for the reasons in src/journal/follow.ts: a look costs one small read. */
  readonly pollMs?: number;
  /** How long one and the same holder may keep the lock before we give up. */
  readonly patienceMs?: number;
};

export type Accounts = {
  /** What holds now, by account. */
  readonly limits: () => Promise<Limits>;
  /** Resolves when all runs can see it, or when that has failed. */
  readonly report: (limit: ReportedLimit) => Promise<void>;
  /** The account works again: its limit is removed for all runs. */
  readonly release: (account: AccountKey) => Promise<void>;
  /** Gives what is in the file now, and then what others report: each limit that ends later than any we knew of. */
  readonly watch: (listener: LimitListener) => () => void;
};

export type LimitListener = {
  readonly limited: (limit: ReportedLimit) => void;
  /** A limit that still held is not in the file any more: another run, or a person, removed it. */
  readonly removed: (account: AccountKey) => void;
};

const DEFAULT_POLL_MS = 1000;
const DEFAULT_PATIENCE_MS = 5000;
const LONGEST_PAUSE_MS = 100;

export function openAccounts(path: string, options: AccountsOptions): Accounts {
  const { clock, onProblem = () => undefined } = options;
  /** What this run reported: no news for its own watchers. */
  const own = new Map<AccountKey, EpochMs>();
  let unwritten: LimitChanges = new Map();
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    try {
      const lock = await patientLock(`${path}.lock`, options);
      if (typeof lock === "string") return onProblem(lock);
      try {
        let limits = still(await readLimits(path), clock.now());
        const written = unwritten;
        limits = withChanges(limits, written);
        await replaceFile(path, encodeLimits(still(limits, clock.now())));
        unwritten = new Map([...unwritten].filter(([account, limit]) => written.get(account) !== limit));
      } finally {
        await lock.release();
      }
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof JournalError)) throw error;
      onProblem(`cannot share usage limits: ${error instanceof Error ? error.message : ""}`);
    }
  }

  /** Reports that come while one is written go down together after it. */
  async function flushAll(): Promise<void> {
    try {
      for (let before: LimitChanges | undefined; unwritten.size > 0 && unwritten !== before; ) {
        before = unwritten;
        await flush();
      }
    } finally {
      flushing = undefined;
    }
  }

  return {
    limits: async () => still(await readLimits(path), clock.now()),
    report: ({ account, ...limit }) => {
      if (!isKey(account) || !isLimit(limit)) {
        onProblem(`a limit that cannot be shared: ${JSON.stringify(limit)}`);
        return Promise.resolve();
      }
      own.set(account, Math.max(limit.until, own.get(account) ?? 0));
      unwritten = withChange(unwritten, account, limit);
      flushing ??= flushAll();
      return flushing;
    },
    release: async (account) => {
      own.delete(account);
      if (!unwritten.has(account) && !(await readLimits(path)).has(account)) return;
      unwritten = withChange(unwritten, account, null);
      flushing ??= flushAll();
      await flushing;
    },
    watch: (listener) => watchFile(path, { ...options, own, listener }),
  };
}

type Watching = AccountsOptions & {
  readonly own: Map<AccountKey, EpochMs>;
  readonly listener: LimitListener;
};

function watchFile(path: string, { clock, pollMs = DEFAULT_POLL_MS, own, listener }: Watching): () => void {
  const told = new Map<AccountKey, EpochMs>();
  /** What was in the file when it was read last. */
  let seen: Limits = new Map();
  let isOff = false;
  let timer: Timer | undefined;
  const look = async (): Promise<void> => {
    const found = await readLimits(path);
    for (const [account, { until }] of seen) {
      if (isOff || found.has(account) || until <= clock.now()) continue;
      told.delete(account);
      own.delete(account);
      listener.removed(account);
    }
    seen = found;
    for (const [account, limit] of still(found, clock.now())) {
      if (isOff) return;
      // Compared as it was written: one that is cut because the clock was set back ends later at each look.
      const until = found.get(account)?.until ?? limit.until;
      if (until <= Math.max(told.get(account) ?? 0, own.get(account) ?? 0)) continue;
      told.set(account, until);
      listener.limited({ account, ...limit });
    }
    if (!isOff) timer = clock.setTimer(pollMs, () => void look());
  };
  void look();
  return () => {
    isOff = true;
    timer?.cancel();
  };
}

/** The lock, or why it was not acquired in time. */
async function patientLock(path: string, options: AccountsOptions): Promise<HeldLock | string> {
  const { clock, patienceMs = DEFAULT_PATIENCE_MS } = options;
  let holder: string | undefined;
  let waitedMs = 0;
  for (let pauseMs = 2; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
    const taken = await acquireLock(path, { command: "plait: share usage limits" });
    if (taken.ok) return taken.lock;
    const { refusal } = taken;
    // While the lock changes holders, our turn will come: many waiters are no reason to lose a limit.
    const current = "holder" in refusal ? refusal.holder.nonce : refusal.reason;
    if (current !== holder) waitedMs = 0;
    else if (waitedMs >= patienceMs) return formatRefusal(refusal);
    holder = current;
    const ms = pauseMs * (0.5 + Math.random() / 2); // those who were refused together come back apart
    waitedMs += ms;
    await new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
  }
}

/** Never an error for what the file is: another version, a link, a folder, half a text, 5 GB are all "nothing known". */
async function readLimits(path: string): Promise<Limits> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) return new Map();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return parseLimits(buffer.toString("utf8", 0, bytesRead));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return new Map();
  } finally {
    await file?.close();
  }
}
