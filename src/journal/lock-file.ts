// The files of a lock. Each says who made it, and appears under its name with all its text or not at all: the text is
// written and synced under a name of its own, and only then linked or renamed to the name that counts.

import { constants } from "node:fs";
import { link, open, rename, unlink } from "node:fs/promises";
import { onErrno } from "../util/errno.ts";
import { parseJson } from "../util/parse-json.ts";
import type { Holder } from "./holder.ts";

/** What stands under the name of a lock. */
export type Found =
  | { readonly kind: "holder"; readonly holder: Holder }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly because: string };

// Far more than an identity with a long command line takes; a longer file is not one of ours.
const maxBytes = 64 * 1024;
const noncePattern = /^[0-9a-f]{32}$/;

/** Writes an identity under a name that nobody else uses, durably: after a power cut a lock must not stand there empty. */
export async function writeIdentity(path: string, holder: Holder): Promise<void> {
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await file.writeFile(`${JSON.stringify(holder)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives a written identity the lock's name, if that is free. */
export async function linkIfFree(identity: string, name: string): Promise<"done" | "taken" | "lost"> {
  const failed = onErrno<"taken" | "lost">({ EEXIST: "taken", ENOENT: "lost" }); // lost: our identity was swept away
  return link(identity, name).then(() => "done", failed);
}

/** Gives a written identity the lock's name, in place of what stands there. */
export async function replace(identity: string, name: string): Promise<"done" | "lost"> {
  return rename(identity, name).then(() => "done", onErrno({ ENOENT: "lost" as const }));
}

export async function readHolder(path: string): Promise<Found> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(
    onErrno<Found>({ ENOENT: { kind: "gone" }, ELOOP: unreadable("it is a symbolic link") }),
  );
  if ("kind" in file) return file;
  try {
    if (!(await file.stat()).isFile()) return unreadable("it is not a regular file");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    const holder = parseHolder(buffer.toString("utf8", 0, bytesRead));
    return holder ? { kind: "holder", holder } : unreadable("it does not name its owner");
  } finally {
    await file.close();
  }
}

const unreadable = (because: string): Found => ({ kind: "unreadable", because });

/** Removes a file of a lock; that it is gone already is fine. */
export async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch(onErrno({ ENOENT: undefined }));
}

/** Removes a lock's name if it is still the one that was taken with this nonce. */
export async function removeIfOwn(path: string, nonce: string): Promise<void> {
  const found = await readHolder(path);
  if (found.kind === "holder" && found.holder.nonce === nonce) await removeIfThere(path);
}

/** The nonce becomes part of a file name and the pid goes to kill(): both are checked, whatever else the text says. */
function parseHolder(text: string): Holder | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { nonce, pid, startTime, bootId, pidNamespace, host, at, command } = value as Record<
    keyof Holder,
    unknown
  >;
  if (typeof nonce !== "string" || !noncePattern.test(nonce)) return undefined;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (typeof startTime !== "string" || typeof bootId !== "string" || typeof host !== "string")
    return undefined;
  if (typeof at !== "string" || typeof command !== "string") return undefined;
  const holder = { nonce, pid, startTime, bootId, host, at, command };
  if (pidNamespace === undefined) return holder;
  return typeof pidNamespace === "string" ? { ...holder, pidNamespace } : undefined;
}
