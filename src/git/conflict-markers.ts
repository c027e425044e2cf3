import { MERGED_SIDE, OWN_SIDE, RUN_SIDE, type SideLabels, TARGET_SIDE } from "../core/conflict-labels.ts";
import type { Oid } from "../core/ids.ts";
import { readBlobs } from "./blobs.ts";
import { type PlainGit, withPlainGit } from "./plain.ts";
import { type RawPath, rawFields, shown, splitEntry, toRaw } from "./raw-path.ts";
import { type NewFile, replaceFiles } from "./replace-files.ts";
import type { Repository } from "./repository.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** With a label of ours, or the name of a commit as `merge-tree` writes it: no other text looks like that. */
const SIDES = [MERGED_SIDE, OWN_SIDE, TARGET_SIDE, RUN_SIDE].join("|");
const MARKER = `^(<{7,}|>{7,}) ([0-9a-f]{40}|${SIDES})`;

/** Files of a tree that still hold both sides of a conflict. */
export async function unresolvedPaths(shadow: Shadow, tree: Oid): Promise<string[]> {
  return (await pathsWith((call) => callShadow(shadow, call), tree, MARKER)).map(shown).sort();
}

/** The same of saved work, also long after the run. */
export async function unresolvedInSaved(repository: Repository, commit: Oid): Promise<string[]> {
  return (await withPlainGit(repository, (git) => pathsWith(git, commit, MARKER))).map(shown).sort();
}

async function pathsWith(git: PlainGit, tree: Oid, pattern: string): Promise<RawPath[]> {
  const args = ["grep", "-l", "-z", "-E", "-e", pattern, tree];
  const { stdout } = await git({ args, allow: [1] });
  return rawFields(stdout).map((field) => field.slice(tree.length + 1) as RawPath); // "<tree>:<path>"
}

export type Marked = {
  readonly runDir: string;
  /** As `merge-tree` left it. */
  readonly tree: Oid;
  readonly ours: Oid;
  readonly theirs: Oid;
  readonly labels: SideLabels;
};

/** An argv has its limits: files beyond keep the names of the commits. */
const MOST_FILES = 1_000;

/** The tree with labels behind the markers of its conflicts. */
export async function labelConflicts(shadow: Shadow, marked: Marked): Promise<Oid> {
  const { runDir, tree, ours, theirs } = marked;
  const paths = await pathsWith((call) => callShadow(shadow, call), tree, `^(<+ ${ours}|>+ ${theirs})`);
  if (paths.length === 0) return tree;
  const args = ["ls-tree", "-z", "--full-tree", tree, "--", ...paths.slice(0, MOST_FILES).map(shown)];
  const entries = rawFields((await callShadow(shadow, { args })).stdout).map((field) => {
    const { words, path } = splitEntry(field);
    const [mode = "", , blob = ""] = words;
    return { path, mode, blob };
  });
  const files: NewFile[] = [];
  for (const { path, mode, blob } of entries) {
    const bytes = (await readBlobs((call) => callShadow(shadow, call), [blob])).get(blob);
    if (bytes !== undefined) files.push({ path, mode, bytes: relabel(bytes, marked) });
  }
  return replaceFiles(shadow, { tree, files, runDir });
}

/** A path that git writes behind the commit, where the sides name the file differently, stays. */
function relabel(bytes: Buffer, { ours, theirs, labels }: Marked): Buffer {
  const text = bytes
    .toString("latin1")
    .replace(new RegExp(`^(<+) ${ours}`, "gm"), (_, signs) => `${signs} ${toRaw(labels.merged)}`)
    .replace(new RegExp(`^(>+) ${theirs}`, "gm"), (_, signs) => `${signs} ${toRaw(labels.own)}`);
  return Buffer.from(text, "latin1");
}
