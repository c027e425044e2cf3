import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { formatTyped } from "../../../app/command-links.ts";
import { namedFrom, otherCheckout } from "../../../app/index.ts";
import { wholeEnvironment } from "../../../config/env.ts";
import type { Options } from "../../flags.ts";
import type { Request } from "../../request.ts";
import { requireFolder } from "../../request-error.ts";
import type { Around } from "../command-lines.ts";

/** The artefact folder that a command is about. */
export type CpoFolder = {
  /** As it is shown and read; runs are known by it. */
  readonly named: string;
  readonly path: string;
  /** How this command line is to be typed: `cpo` where that is linked, else `plait cpo`. */
  readonly typed: string;
};

/** A folder, and where the command acts: in the repository of the folder, wherever it is typed. */
export type FoundFolder = { readonly folder: CpoFolder; readonly around: Around };

/** Where it is, or what is wrong as the end of a sentence. Its manifest stands for it. */
export async function findFolder(dir: string, around: Around): Promise<FoundFolder | { problem: string }> {
  const startedIn = requireFolder(around);
  const place = resolve(startedIn, dir);
  const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() ?? null; // whatever the reason, it cannot be used
  const path = basename(place) === MANIFEST && (await isFolder(place)) === false ? dirname(place) : place;
  const found = await isFolder(path);
  if (found === null) return { problem: "no such folder" };
  if (!found) return { problem: "not a folder" };
  if ((await isFolder(join(path, MANIFEST))) === null) return { problem: `no ${MANIFEST} in it` };
  const env = wholeEnvironment();
  const typed = await formatTyped("cpo", env);
  const home = await otherCheckout({ from: startedIn, to: path, env });
  if (home === null) return { folder: { named: namedFrom(startedIn, path), path, typed }, around };
  process.chdir(home);
  return { folder: { named: path, path, typed }, around: { ...around, startedIn: home } };
}

const MANIFEST = "manifest.json";

/** The same question to plait. */
export function asked(around: Around, { named }: CpoFolder, options: Options): Request {
  return { ...around, args: [named], options };
}
