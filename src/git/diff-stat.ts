// How much differs between trees, of many pairs in one call: a report asks about thousands of attempts.

import type { Oid } from "../core/ids.ts";
import type { Diffstat, FileChange } from "../core/landing-types.ts";
import { isGitFailure } from "./failure.ts";
import { LARGE_FILE, withPlainGit } from "./plain.ts";
import { type RawPath, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

export type TreePair = { readonly from: Oid; readonly to: Oid };

/** In the order of the pairs; null where git has pruned one of the two. */
export async function diffStats(
  repository: Repository,
  pairs: readonly TreePair[],
  { maxFiles }: { readonly maxFiles: number },
): Promise<(Diffstat | null)[]> {
  if (pairs.length === 0) return [];
  const args = ["diff-tree", "--stdin", "-r", "-z", "-M", "--numstat", "--no-ext-diff", "--no-textconv"];
  const stdin = [...new Set(pairs.map(keyOf))].map((key) => `${key}\n`).join("");
  try {
    const { stdout } = await withPlainGit(repository, (git) => git({ args, stdin, config: [LARGE_FILE] }));
    const found = parseNumstat(stdout, maxFiles);
    return pairs.map((pair) => found.get(keyOf(pair)) ?? null);
  } catch (error) {
    if (isGitFailure(error, "not-found", "corrupt")) return pairs.map(() => null); // a tree in the middle is gone
    throw error;
  }
}

const keyOf = ({ from, to }: TreePair): string => `${from} ${to}`;

/** Each pair has a line of its own; then one field a file, or three where it was renamed. */
function parseNumstat(stdout: Buffer, maxFiles: number): Map<string, Diffstat> {
  const text = stdout.toString("latin1");
  const head = /([0-9a-f]{40,64} [0-9a-f]{40,64})\n/y;
  const found = new Map<string, Diffstat>();
  let key = "";
  for (let at = 0; at < text.length; ) {
    head.lastIndex = at;
    const [line, pair] = head.exec(text) ?? [];
    if (line !== undefined && pair !== undefined) {
      key = pair;
      found.set(key, { files: 0, added: 0, removed: 0, changes: [] });
      at += line.length;
      continue;
    }
    const end = text.indexOf("\0", at);
    const [, added = "", removed = "", name = ""] = FIELDS.exec(text.slice(at, end)) ?? [];
    at = end + 1;
    const before = found.get(key);
    let path = name;
    if (name === "") {
      const middle = text.indexOf("\0", at);
      const last = text.indexOf("\0", middle + 1);
      path = text.slice(middle + 1, last);
      at = last + 1;
    }
    const change = { path: shown(path as RawPath), added: figure(added), removed: figure(removed) };
    if (before !== undefined) found.set(key, withChange(before, change, maxFiles));
  }
  return found;
}

/** A name may have tabs of its own. */
const FIELDS = /^([^\t]*)\t([^\t]*)\t([\s\S]*)$/;

const figure = (text: string): number | null => (text === "-" ? null : Number(text));

function withChange(stat: Diffstat, change: FileChange, maxFiles: number): Diffstat {
  return {
    files: stat.files + 1,
    added: stat.added + (change.added ?? 0),
    removed: stat.removed + (change.removed ?? 0),
    changes: stat.files < maxFiles ? [...stat.changes, change] : stat.changes,
  };
}
