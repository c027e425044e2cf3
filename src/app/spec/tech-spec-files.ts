import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { numberOfFile } from "../../spec/tech-spec/names.ts";
import { errnoOrThrow, ifErrno } from "../../util/errno.ts";
import type { Refusal } from "../host.ts";

export const TECH_SPECS = "tech-specs";

export type SpecFileName = {
  /** From tech-specs/, with slashes; empty for that folder itself. */
  readonly folder: string;
  readonly name: string;
};

/**
 * All below tech-specs/, in the order of their folders and names. In the folder itself only names with a number count: other documents
 * lie there too, as in all of them a README.
 */
export async function techSpecFiles(root: string): Promise<SpecFileName[]> {
  const top = join(root, TECH_SPECS);
  const years = (await entriesOf(join(top, "archive"))).filter((entry) => entry.isDirectory());
  const archived = years.map(({ name }) => `archive/${name}`);
  const folders = ["", "draft", "approved", "reference", "archive", ...archived];
  const found: SpecFileName[] = [];
  for (const folder of folders) {
    const names = (await entriesOf(join(top, folder))).filter((entry) => !entry.isDirectory());
    for (const { name } of names) if (isSpec(folder, name)) found.push({ folder, name });
  }
  return found;
}

/** Why they cannot be looked for: a file has the name of their folder, or one of the folders may not be read. Null where they can. */
export async function outOfReach(root: string): Promise<Refusal | null> {
  try {
    await techSpecFiles(root);
  } catch (error) {
    const code = errnoOrThrow(error);
    const { path = join(root, TECH_SPECS) } = error as NodeJS.ErrnoException;
    return { kind: "environment", message: `cannot read ${path} (${code})`, hint: "check its permissions" };
  }
  const top = await stat(join(root, TECH_SPECS)).catch(() => null); // nothing is there yet
  if (top === null || top.isDirectory()) return null;
  const message = `${TECH_SPECS} is a file, not a folder`;
  return { kind: "request", message, hint: "move or delete it; nothing was changed" };
}

function isSpec(folder: string, name: string): boolean {
  if (name.startsWith(".") || !/\.md$/i.test(name) || /^(?:readme|index|template)\.md$/i.test(name))
    return false;
  return numberOfFile(name) !== null || (folder !== "" && folder !== "archive");
}

/** By name; none where there is no such folder. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const none = ifErrno(["ENOENT", "ENOTDIR"], []);
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(none);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
