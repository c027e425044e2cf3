// Files that are written into a folder of the user's while a run goes on: for its user alone, and never through a link that
// somebody put there.

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf, errnoOrThrow, ifMissing } from "../util/errno.ts";
import { type OrRefusal, refuse } from "./host.ts";

const { W_OK, O_WRONLY, O_RDONLY, O_APPEND, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Makes the folder where there is none; throws where something else has its name. */
export async function realFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
}

/** Texts, and files by their path, one after another. */
export type Part = string | { readonly file: string };

/** Into a file that is made where there is none: behind what is there, or instead of it. */
export async function writeInto(path: string, parts: readonly Part[], how: "append" | "anew"): Promise<void> {
  // Without O_NONBLOCK a pipe of that name would be waited for.
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (how === "append" ? O_APPEND : O_TRUNC);
  const target = await open(path, flags, 0o600);
  try {
    if (!(await target.stat()).isFile())
      throw Object.assign(new Error(`${path} is not a file`), { code: "EINVAL" });
    await target.chmod(0o600);
    for (const part of parts) {
      if (typeof part === "string") await target.appendFile(part);
      else await copyInto(target, part.file);
    }
  } finally {
    await target.close();
  }
}

const CHUNK = 64 * 1024;

/** In pieces: a log may be larger than memory should be. It ends with a line break. */
async function copyInto(target: FileHandle, path: string): Promise<void> {
  const source = await open(path, O_RDONLY | O_NOFOLLOW).catch(ifMissing(null)); // an attempt that never began has none
  if (source === null) return;
  try {
    const buffer = Buffer.alloc(CHUNK);
    let last = 0x0a;
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, CHUNK, null);
      if (bytesRead === 0) break;
      await target.appendFile(buffer.subarray(0, bytesRead));
      last = buffer[bytesRead - 1] ?? last;
    }
    if (last !== 0x0a) await target.appendFile("\n");
  } finally {
    await source.close();
  }
}

/** Whole or not at all; a link of that name is replaced, not followed. For its user alone, unless it is said otherwise. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    const file = await open(fresh, "wx", 0o600);
    try {
      if (mode !== 0o600) await file.chmod(mode);
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/**
 * A text of the user's own, with a change in it: a link to it stays one, it keeps its mode and the mark at its beginning. What
 * somebody wrote since it was `before` is not lost, nor is a file changed that nobody may write. `name` is what messages call it.
 */
export async function replaceUnchanged(
  { name, path }: { readonly name: string; readonly path: string },
  before: string,
  text: string,
): Promise<OrRefusal<object>> {
  try {
    const mark = await markOf(path, before);
    if (mark === null) {
      const hint = "check the file, then run the command again";
      return refuse("request", `${name} was changed by another program; nothing was written`, hint);
    }
    const target = await realpath(path);
    const { mode } = await stat(target);
    // Renaming needs no permission of the file, and root has every one.
    if ((mode & 0o222) === 0) throw Object.assign(new Error(`${name} is read-only`), { code: "EACCES" });
    await access(target, W_OK);
    await replaceFile(target, mark + text, mode & 0o777);
    return { ok: true };
  } catch (error) {
    return refuseWrite(name, errnoOrThrow(error));
  }
}

export const refuseWrite = (name: string, code: string) =>
  refuse("environment", `cannot write ${name} (${code}); nothing was changed`, "check its permissions");

const MARK = "\ufeff";

/** What stands in front of this text in its file: nothing, or the mark that says in which order bytes come. Null: another text is there. */
export async function markOf(path: string, text: string): Promise<string | null> {
  const found = await stat(path).catch(ifMissing(null)); // taken away meanwhile
  const expected = Buffer.from(text);
  if (!found?.isFile() || found.size > expected.length + Buffer.byteLength(MARK)) return null;
  const bytes = await readFile(path);
  return ["", MARK].find((mark) => bytes.equals(Buffer.from(mark + text))) ?? null;
}

export type WriteResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "exists" | "no-folder" | "failed"; readonly detail: string };

/** Whole or not at all, and never over something that is there, be it made at the same moment. */
export async function writeNewFile(path: string, text: string, mode = 0o666): Promise<WriteResult> {
  const fresh = join(dirname(path), `.plait-${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: "wx", mode });
    await link(fresh, path).catch(async (error: unknown) => {
      if (!hasNoLinks(error)) throw error;
      await writeFile(path, text, { flag: "wx", mode });
    });
    return { ok: true };
  } catch (error) {
    const code = errnoOrThrow(error);
    const reason =
      code === "EEXIST" ? "exists" : code === "ENOENT" || code === "ENOTDIR" ? "no-folder" : "failed";
    return { ok: false, reason, detail: code };
  } finally {
    await rm(fresh, { force: true }).catch(() => undefined); // what came of the file itself is told
  }
}

/** What file systems answer that know no second name for a file. */
export function hasNoLinks(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "");
}
