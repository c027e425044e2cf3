// The agent's own index: content that was staged and is not in the files any more, and the sides of a conflict.

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import { treeOfCommit, writeCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import { exists, readFileOrNull, readPlainFile } from "./files.ts";
import type { Slot } from "./lease.ts";
import { type RawPath, rawFields, rawInput } from "./raw-path.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import type { Tip } from "./tips.ts";
import { updateIndex } from "./work-tree.ts";

export type IndexWork = {
  readonly index: string;
  readonly base: Oid;
  readonly head: Oid | null;
  readonly known: readonly Oid[];
  readonly at: EpochMs;
};

/**
 * A commit with its content under index/ and stage1/ to stage3/; none where it has nothing of its own, or cannot be read. `known`: trees
 * that are saved anyway, besides that of `head`. `index` is a scratch file.
 */
export async function saveAgentIndex(
  shadow: Shadow,
  slot: Slot,
  { index, base, head, known, at }: IndexWork,
): Promise<Tip[]> {
  const theirs = join(slot.metadata, "index");
  const bytes = await readPlainFile(theirs);
  if (bytes === null || (await readFileOrNull(slot.index))?.equals(bytes)) return []; // no git was used there
  await rm(index, { force: true });
  await writeFile(index, bytes);
  try {
    const tree = await treeOf(shadow, index);
    if (known.includes(tree) || (head !== null && tree === (await treeOfCommit(shadow, head)))) return [];
  } catch (error) {
    if (!isGitFailure(error, "corrupt", "other")) throw error; // a conflict in it, or damage: looked at below
  }
  try {
    const tree = await treeOfStages(shadow, index);
    const commit = await writeCommit(shadow, { tree, parents: [base], message: "index\n", at });
    return [{ commit, from: "index" }];
  } catch (error) {
    if (!isGitFailure(error, "corrupt", "other")) throw error;
    return [];
  }
}

async function treeOf(shadow: Shadow, index: string): Promise<Oid> {
  return oid(textOf(await callShadow(shadow, { args: ["write-tree"], index, durable: true })));
}

/** A tree cannot hold two sides of one path: each stage gets a folder. */
async function treeOfStages(shadow: Shadow, index: string): Promise<Oid> {
  const listed = await callShadow(shadow, { args: ["ls-files", "-s", "-z"], index });
  const entries = rawFields(listed.stdout).map((entry) => {
    const [, mode, hash, stage, path] = /^(\d+) (\w+) (\d)\t(.*)$/s.exec(entry) ?? [];
    return `${mode} ${hash}\t${stage === "0" ? "index" : `stage${stage}`}/${path}`;
  });
  await rm(index, { force: true });
  await updateIndex(shadow, { path: shadow.dir, index }, ["--add", "-z", "--index-info"], rawInput(entries));
  return treeOf(shadow, index);
}

/** Paths that the agent's own sparse rules took away: absent on purpose, not deleted. `index` is a scratch file. */
export async function sparsePaths(shadow: Shadow, slot: Slot, index: string): Promise<Set<RawPath>> {
  if (!(await exists(join(slot.metadata, "info/sparse-checkout")))) return new Set();
  try {
    const args = ["ls-files", "-t", "-z"];
    const bytes = await readPlainFile(join(slot.metadata, "index"));
    if (bytes === null) return new Set();
    await writeFile(index, bytes);
    const listed = rawFields((await callShadow(shadow, { args, workTree: slot.path, index })).stdout);
    const skipped = listed
      .filter((entry) => entry.startsWith("S "))
      .map((entry) => entry.slice(2) as RawPath);
    return new Set(skipped);
  } catch (error) {
    if (!isGitFailure(error, "corrupt", "other")) throw error;
    return new Set(); // its index cannot be read: then the files are all there is to go by
  }
}
