import { randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../util/errno.ts";

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
    const code = errnoOf(error);
    if (code === undefined) throw error;
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
