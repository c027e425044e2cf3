import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { namedFrom } from "../../../app/index.ts";
import type { Options } from "../../flags.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError } from "../../request-error.ts";
import type { Around } from "../command-lines.ts";

/** The artefact folder that a command is about. */
export type CpoFolder = {
  /** As it is shown and read; runs are known by it. */
  readonly named: string;
  readonly path: string;
};

/** Where it is; null, or what is wrong as the end of a sentence. */
export async function findFolder(
  dir: string,
  { startedIn }: Around,
): Promise<CpoFolder | { problem: string }> {
  if (startedIn === null)
    throw new EnvironmentError("the current folder does not exist any more", "go to another one: cd /");
  const path = resolve(startedIn, dir);
  const folder = await stat(path).catch(() => null); // whatever the reason, it cannot be used
  if (folder === null) return { problem: "there is no such folder" };
  if (!folder.isDirectory()) return { problem: "it is no folder" };
  const manifest = await stat(join(path, "manifest.json")).catch(() => null);
  if (manifest === null) return { problem: "there is no manifest.json in it" };
  return { named: namedFrom(startedIn, path), path };
}

/** The same question to plait. */
export function asked(around: Around, { named }: CpoFolder, options: Options): Request {
  return { ...around, args: [named], options };
}
