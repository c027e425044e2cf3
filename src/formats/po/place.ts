// Where a manifest is about, and what its paths mean there. parallel-orchestra took `cwd` from the folder of the manifest and
// the paths of `writes`, against its own documents, from that folder too; here they are taken from `cwd`, and where that makes
// a difference it is told.

import { isAbsolute, relative, resolve } from "node:path";
import type { Diagnostic, Located } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { PlanFiles } from "../format.ts";

/** All absolute. */
export type Place = {
  readonly folder: string;
  /** Its `cwd`, or the root of the repository that the user is in where `cwd` is outside that. */
  readonly base: string;
  /** Of the repository that holds `base`; null where there is none. */
  readonly root: string | null;
  /** The `cwd` that is outside the repository; null where it is inside. */
  readonly outside: string | null;
};

/** parallel-orchestra worked in the repository that it was started in, wherever the manifest was. */
export async function placeOf(cwd: string, { folder, cwd: here, repositoryAt }: PlanFiles): Promise<Place> {
  const base = resolve(folder, cwd);
  const [root, own] = await Promise.all([repositoryAt(base), repositoryAt(here)]);
  if (own === null || own === root || !isOutside(relative(own, base)))
    return { folder, base, root, outside: null };
  return { folder, base: own, root: own, outside: base };
}

export function elsewhereProblem(cwd: Located<string>, { base, outside }: Place): Diagnostic[] {
  if (outside === null) return [];
  return [buildFormatFinding("cwd-elsewhere", { outside, base }, cwd.at)];
}

export async function folderProblem(
  cwd: Located<string>,
  { base, outside }: Place,
  { isFolder }: PlanFiles,
): Promise<Diagnostic | null> {
  const folder = outside ?? base;
  if (await isFolder(folder)) return null;
  return buildFormatFinding("folder-missing", { cwd: cwd.value, folder }, cwd.at);
}

/** The way from the root to `cwd`; empty where they are the same, or where there is no repository. */
export function wayToBase({ base, root }: Place): string {
  return root === null ? "" : relative(root, base);
}

/** A path of `writes` as claims have it, from the root of the repository; null where it leads out. */
export function claimPath(written: string, place: Place): string | null {
  const way = wayTo(resolve(place.base, written), place);
  if (way === null) return null;
  if (way === "") return "**";
  return written.endsWith("/") ? `${way}/` : way;
}

/** The same as parallel-orchestra read it, where that is something else. */
export function pathBefore(written: string, place: Place): string | null {
  const before = resolve(place.folder, written);
  if (place.outside !== null) return null; // that is told of all of them
  return before === resolve(place.base, written) ? null : (wayTo(before, place) ?? before);
}

function wayTo(path: string, { base, root }: Place): string | null {
  const way = relative(root ?? base, path);
  return isOutside(way) ? null : way;
}

function isOutside(way: string): boolean {
  return way === ".." || way.startsWith("../") || isAbsolute(way);
}
