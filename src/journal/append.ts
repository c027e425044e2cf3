// The one writer's pen: facts in, a promise out that resolves when they would survive a power cut.
//
// Group commit: what is asked for in one turn of the event loop, or while a sync is under way, goes down in one write and
// one fdatasync. The order on the disk is the order of the calls.
//
//   idle ──append──► flushing ──nothing pending──► idle
//                       │ write or sync failed                 idle/failed ──close──► closed
//                       ▼
//                     failed: every append, waiting or later, is rejected with that same error
//
// After a failed write nobody knows what is on the disk, and after a failed fdatasync the kernel may have dropped the pages
// and say "fine" the next time: so there is no retry. A rejected fact may or may not be in the file; opening the journal
// again finds out. At worst the file ends with a torn record, which readers leave out.

import type { FileHandle } from "node:fs/promises";
import { type Deferred, deferred } from "../util/deferred.ts";
import { closed, io, type JournalError, tooBig } from "./failure.ts";
import { encodeRecord } from "./record.ts";

/** The little that the pen needs of an open file: the seam for disks that fail. */
export type JournalFile = {
  /** Appends some of these bytes, and says how many. */
  readonly write: (bytes: Buffer) => Promise<number>;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Appends facts to a journal file that it owns. */
export type JournalWriter<R> = {
  /** Resolves when the facts, and all before them, are durable. Without facts it only waits for those before. */
  readonly append: (facts: readonly R[]) => Promise<void>;
  /** Takes no more, waits for what was taken, closes the file. */
  readonly close: () => Promise<void>;
};

/** Where the pen starts: `mayWrite` is asked before each append, and answers why not. */
export type PenOptions = {
  readonly path: string;
  readonly nextN: number;
  readonly maxRecordBytes: number;
  readonly mayWrite?: () => string | undefined;
};

type Waiting = Deferred<void> & { readonly bytes: Buffer };

export function createPen<R>(file: JournalFile, options: PenOptions): JournalWriter<R> {
  const { path, maxRecordBytes, mayWrite } = options;
  let nextN = options.nextN;
  let pending: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let failed: JournalError | undefined;
  let closing: Promise<void> | undefined;

  async function append(facts: readonly R[]): Promise<void> {
    if (failed) throw failed;
    if (closing !== undefined) throw closed(path, "it is closed");
    const refusal = mayWrite?.();
    if (refusal) throw closed(path, refusal);
    // Encoded here and now: what the caller does to its facts afterwards is not in the journal. A call that is refused
    // uses up no number.
    const records = facts.map((fact, i) => encodeRecord(nextN + i, "fact", fact));
    for (const { length } of records) if (length > maxRecordBytes) throw tooBig(path, length, maxRecordBytes);
    nextN += records.length;
    const durable = deferred<void>();
    pending.push({ bytes: Buffer.concat(records), ...durable });
    flushing ??= flush();
    await durable.promise;
  }

  async function flush(): Promise<void> {
    await undefined; // the other calls of this turn come along
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      failed = await commit(file, path, Buffer.concat(batch.map((w) => w.bytes)));
      if (failed) {
        for (const waiting of [...batch, ...pending]) waiting.reject(failed);
        pending = [];
      } else {
        for (const waiting of batch) waiting.resolve();
      }
    }
    flushing = undefined;
  }

  async function finish(): Promise<void> {
    await flushing;
    await file.close();
  }

  return {
    append,
    close: () => {
      closing ??= finish();
      return closing;
    },
  };
}

/** Makes bytes durable, or says why not. */
async function commit(file: JournalFile, path: string, bytes: Buffer): Promise<JournalError | undefined> {
  if (bytes.length === 0) return undefined;
  let during: "write" | "sync" = "write";
  try {
    await writeAll(file, bytes);
    during = "sync";
    await file.sync();
    return undefined;
  } catch (error) {
    return io(path, during, error);
  }
}

/** Writes to the last byte: a write may take less than it was given, on a disk that is nearly full for one. */
export async function writeAll(file: JournalFile, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes.subarray(done));
    if (written === 0) throw new Error("no more bytes can be written");
    done += written;
  }
}

/** The real file. It must be open for appending: position is the file's end, whatever else was read from it. */
export function journalFile(handle: FileHandle): JournalFile {
  return {
    write: async (bytes) => (await handle.write(bytes, 0, bytes.length, null)).bytesWritten,
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}
