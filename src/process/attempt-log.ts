// The log of one attempt: what its process printed, after masking. When it would grow over its cap, the middle goes: the file
// is always its beginning, a line that says how much is missing, and its end, in this order. It is changed in place and never
// waits for its close, so that it is right also after a kill -9; memory is one small block, whatever comes (I10).

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errnoOf } from "../util/errno.ts";
import { cappedFile } from "./capped-file.ts";

export type AttemptLog = {
  /** Resolves when the bytes are the system's. Never rejects: a full disk ends the log, not the attempt. */
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly close: () => Promise<LogEnd>;
};

export type LogEnd = {
  /** What was given to it, and how much of that is not in the file. */
  readonly bytes: number;
  readonly cutBytes: number;
  /** Why nothing was written any more; null when all is well. */
  readonly failure: LogFailure | null;
};

export type LogFailure = { readonly errno: string | null; readonly message: string };

export type LogOptions = {
  readonly maxBytes?: number;
  /** The line in place of what is missing. It must have the same length whatever the number. */
  readonly marker?: (cutBytes: number) => string;
};

export type OpenedLog =
  | { readonly ok: true; readonly log: AttemptLog }
  | { readonly ok: false; readonly failure: LogFailure };

const DEFAULT_MAX_LOG_BYTES = 8 * 1024 * 1024;

/** Makes the file, for its user alone. Whatever is there already, a symbolic link for one, is a failure. */
export async function openLog(path: string, options: LogOptions = {}): Promise<OpenedLog> {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return { ok: true, log: createLog(file, options) };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/** Made with the first bytes: most programs say nothing there. A file that cannot be made takes nothing. */
export function lazyLog(
  path: string,
  options: LogOptions = {},
): Pick<AttemptLog, "write"> & { close: () => Promise<void> } {
  let opened: Promise<OpenedLog> | null = null;
  const log = async (): Promise<AttemptLog | null> => {
    opened ??= openLog(path, options);
    const made = await opened;
    return made.ok ? made.log : null;
  };
  return {
    write: async (bytes) => {
      await (await log())?.write(bytes);
    },
    close: async () => {
      if (opened !== null) await (await log())?.close();
    },
  };
}

/** Padded, so that a larger number needs no more room. */
export function cutMarker(cutBytes: number): string {
  return `\n[plait: ${String(cutBytes).padStart(15)} bytes are left out here]\n`;
}

function createLog(file: FileHandle, options: LogOptions): AttemptLog {
  const { maxBytes = DEFAULT_MAX_LOG_BYTES, marker = cutMarker } = options;
  const contents = cappedFile(file, maxBytes, marker);
  let bytes = 0;
  let failure: LogFailure | null = null;
  let last: Promise<void> = Promise.resolve(); // two streams write: one at a time, in the order of their calls

  async function append(chunk: Buffer): Promise<void> {
    bytes += chunk.length;
    if (failure) return;
    try {
      await contents.append(chunk);
    } catch (error) {
      failure = failureOf(error);
    }
  }

  return {
    write: (chunk) => {
      last = last.then(() => append(chunk));
      return last;
    },
    close: async () => {
      await last;
      try {
        await file.close();
      } catch (error) {
        failure ??= failureOf(error); // some file systems say only now that there was no room
      }
      return { bytes, cutBytes: bytes - contents.keptBytes(), failure };
    },
  };
}

function failureOf(error: unknown): LogFailure {
  return { errno: errnoOf(error) ?? null, message: error instanceof Error ? error.message : String(error) };
}
