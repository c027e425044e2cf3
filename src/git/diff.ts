// What differs between two trees. Renames are off: the question is which paths were touched.

import type { Oid } from "../core/ids.ts";
import { type RawPath, rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** One line of `diff-tree --raw`, `diff-files --raw` or `diff-index --raw`. */
export type RawChange = {
  readonly path: RawPath;
  /** A, M, D, T, or U for an unmerged path. */
  readonly status: string;
  readonly from: { readonly mode: string; readonly oid: string };
  readonly to: { readonly mode: string; readonly oid: string };
};

export function parseRaw(stdout: Buffer): RawChange[] {
  const fields = rawFields(stdout);
  const changes: RawChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [from = "", to = "", fromOid = "", toOid = "", status = ""] = (fields[i] ?? "").slice(1).split(" ");
    const path = fields[i + 1] as RawPath;
    changes.push({ path, status, from: { mode: from, oid: fromOid }, to: { mode: to, oid: toOid } });
  }
  return changes;
}

export async function diffTrees(shadow: Shadow, from: Oid, to: Oid): Promise<RawChange[]> {
  if (from === to) return [];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff", from, to];
  return parseRaw((await callShadow(shadow, { args })).stdout);
}

/** A path that a task touched. */
export type ChangedPath = {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
};

export const GITLINK = "160000";

export function changedPath({ path, status }: RawChange): ChangedPath {
  const change = status === "A" ? "added" : status === "D" ? "deleted" : "modified";
  return { path: shown(path), change };
}
