// merge-tree takes .gitattributes from the files of its work tree, never from the commits that it merges (2.38 to 2.55). So
// it gets a work tree of its own with nothing in it but the tip's .gitattributes at their places.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { parseRaw, type RawChange } from "./diff.ts";
import { exists, removeFolder } from "./files.ts";
import { below, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** By shadow and commit: the folder that has its attributes. Few commits are merged on twice, so few are remembered. */
const known = new WeakMap<Shadow, Map<Oid, string>>();
const REMEMBERED = 32;

/** A folder with the attributes of a commit; made once for each set of them. */
export async function attributesFolder(shadow: Shadow, runDir: string, commit: Oid): Promise<string> {
  const folder = known.get(shadow)?.get(commit) ?? (await makeFolder(shadow, runDir, commit));
  remember(shadow, commit, folder);
  return folder;
}

/** `to` changes no attributes of `from`: what is known of one holds for the other. */
export function keepAttributes(shadow: Shadow, from: Oid, to: Oid): void {
  const folder = known.get(shadow)?.get(from);
  if (folder !== undefined) remember(shadow, to, folder);
}

function remember(shadow: Shadow, commit: Oid, folder: string): void {
  const folders = known.get(shadow) ?? new Map<Oid, string>();
  folders.delete(commit);
  folders.set(commit, folder);
  for (const oldest of folders.keys()) if (folders.size > REMEMBERED) folders.delete(oldest);
  known.set(shadow, folders);
}

async function makeFolder(shadow: Shadow, runDir: string, commit: Oid): Promise<string> {
  const found = await findAttributes(shadow, commit);
  const key = createHash("sha256").update(found.map(({ path, to }) => `${to.oid} ${path}\0`).join(""));
  const folder = join(runDir, "attributes", key.digest("hex").slice(0, 16));
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const fresh = await mkdtemp(`${folder}.`);
  for (const { path, to } of found) {
    const { stdout } = await callShadow(shadow, { args: ["cat-file", "blob", to.oid] });
    await mkdir(dirname(join(fresh, shown(path))), { recursive: true });
    await writeFile(below(fresh, path), stdout);
  }
  // Never empty: an empty folder would be replaced by the next rename, under the feet of a merge in it.
  await writeFile(join(fresh, ".gitattributes"), "", { flag: "a" });
  await rename(fresh, folder).catch(async (error: unknown) => {
    if (!(await exists(folder))) throw error; // another merge was quicker with the same
    await removeFolder(fresh);
  });
  return folder;
}

/** Regular files only: git does not follow a link for attributes. */
async function findAttributes(shadow: Shadow, commit: Oid): Promise<RawChange[]> {
  const empty = EMPTY_TREE[shadow.repository.objectFormat];
  const paths = ["--", ":(glob)**/.gitattributes"];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", empty, commit, ...paths];
  const { stdout } = await callShadow(shadow, { args, env: { GIT_LITERAL_PATHSPECS: "0" } });
  return parseRaw(stdout).filter(({ to }) => to.mode.startsWith("100"));
}
