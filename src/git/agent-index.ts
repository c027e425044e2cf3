// The agent's own index: content that was staged and is not in the files any more, and the sides of a conflict.

import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import { treeOfCommit, writeCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import { exists, readFileOrNull } from "./files.ts";
import type { Slot } from "./lease.ts";
import { type RawPath, rawFields, rawInput } from "./raw-path.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import type { Tip } from "./tips.ts";
import { updateIndex } from "./work-tree.ts";

export type AgentIndex = {
  /** Holds its content, under index/ and stage1/ to stage3/; none when it has nothing of its own. */
  readonly tips: readonly Tip[];
  readonly notes: readonly string[];
};

type IndexWork = {
  readonly index: string;
  readonly base: Oid;
  readonly head: Oid | null;
  readonly known: readonly Oid[];
  readonly at: EpochMs;
};

/** `known`: trees that are saved anyway, besides that of `head`. `index` is a scratch file. */
export async function saveAgentIndex(
  shadow: Shadow,
  slot: Slot,
  { index, base, head, known, at }: IndexWork,
): Promise<AgentIndex> {
  const nothing = { tips: [], notes: [] };
  const theirs = join(slot.metadata, "index");
  const bytes = await readFileOrNull(theirs);
  if (bytes === null || (await readFileOrNull(slot.index))?.equals(bytes)) return nothing; // no git was used there
  await copyFile(theirs, index);
  try {
    const tree = await treeOf(shadow, index);
    if (known.includes(tree) || (head !== null && tree === (await treeOfCommit(shadow, head))))
      return nothing;
  } catch (error) {
    if (!isGitFailure(error, "corrupt", "other")) throw error; // a conflict in it, or damage: looked at below
  }
  try {
    const tree = await treeOfStages(shadow, index);
    const commit = await writeCommit(shadow, { tree, parents: [base], message: "index\n", at });
    return { tips: [{ commit, from: "index" }], notes: [] };
  } catch (error) {
    if (!isGitFailure(error, "corrupt", "other")) throw error;
    return { tips: [], notes: ["its index is unreadable"] };
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

/** Paths that the agent's own sparse rules took away: absent on purpose, not deleted. */
export async function sparsePaths(shadow: Shadow, slot: Slot): Promise<Set<RawPath>> {
  if (!(await exists(join(slot.metadata, "info/sparse-checkout")))) return new Set();
  try {
    const args = ["ls-files", "-t", "-z"];
    const index = join(slot.metadata, "index");
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
