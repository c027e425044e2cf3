// Ignored files: not saved, but counted, so that nobody wonders where they went.

import { isRealFolder } from "./files.ts";
import type { Slot } from "./lease.ts";
import { rawFields, shown } from "./raw-path.ts";
import { exists } from "./repository-facts.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** A folder that is ignored as a whole counts as one. */
export type IgnoredFiles = { readonly count: number; readonly some: readonly string[] };

const SHOWN = 10;

/** Without those that the worktree was given. */
export async function listIgnored(
  shadow: Shadow,
  { path, index }: Slot,
  isGiven: (path: string) => boolean,
): Promise<IgnoredFiles> {
  if (!(await isRealFolder(path)) || !(await exists(index))) return { count: 0, some: [] };
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const listed = rawFields((await callShadow(shadow, { args, workTree: path, index })).stdout).map(shown);
  const own = listed.filter((one) => !isGiven(one.replace(/\/$/, "")));
  return { count: own.length, some: own.slice(0, SHOWN) };
}
