// Two tasks may add `Case` and `case`, or one name in two Unicode forms: git merges that cleanly, and a file system that
// folds names keeps one of them. Looked for only beside names that are new.

import type { Oid } from "../core/ids.ts";
import { diffTrees } from "./diff.ts";
import { foldersAbove, type RawPath, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** Pairs of paths in `to` that are one after folding, and are not so in `from`. */
export async function findTwins(shadow: Shadow, from: Oid, to: Oid): Promise<string[]> {
  const added = (await diffTrees(shadow, from, to)).filter(({ status }) => status === "A");
  if (added.length === 0) return [];
  const above = [...new Set(["" as RawPath, ...added.flatMap(({ path }) => foldersAbove(path))])];
  const folders = above.filter((folder) => !folder.includes("\n")); // one request a line
  const requests = [from, to].flatMap((tree) => folders.map((folder) => `${tree}:${folder}\n`));
  const stdin = Buffer.from(requests.join(""), "latin1");
  const { stdout } = await callShadow(shadow, { args: ["cat-file", "--batch"], stdin });
  const trees = readTrees(stdout, shadow.repository.objectFormat === "sha256" ? 32 : 20);
  const twins = trees.map((names, i) => twinsIn(folders[i % folders.length] ?? ("" as RawPath), names));
  const known = new Set(twins.slice(0, folders.length).flat());
  return twins
    .slice(folders.length)
    .flat()
    .filter((twin) => !known.has(twin));
}

/** The names in each tree object of a `cat-file --batch`. */
function readTrees(stdout: Buffer, oidBytes: number): RawPath[][] {
  const trees: RawPath[][] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    const [, kind, size] = stdout.toString("latin1", at, end).split(" ");
    const body = end + 1;
    const length = kind === "tree" ? Number(size) : 0;
    trees.push(readTree(stdout.subarray(body, body + length), oidBytes));
    at = kind === "tree" ? body + length + 1 : body;
  }
  return trees;
}

/** `<mode> <name> NUL <oid as bytes>`, again and again. */
function readTree(tree: Buffer, oidBytes: number): RawPath[] {
  const names: RawPath[] = [];
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    names.push(tree.toString("latin1", tree.indexOf(32, at) + 1, end) as RawPath);
    at = end + 1 + oidBytes;
  }
  return names;
}

function twinsIn(folder: RawPath, names: readonly RawPath[]): string[] {
  const seen = new Map<string, RawPath>();
  const full = (name: RawPath) => shown((folder === "" ? name : `${folder}/${name}`) as RawPath);
  return names.flatMap((name) => {
    const folded = shown(name).normalize("NFC").toLowerCase();
    const twin = seen.get(folded);
    seen.set(folded, name);
    return twin === undefined ? [] : [`${full(twin)} and ${full(name)}`];
  });
}
