// What a gate may miss that is red before anything was done: it is in the user's checkout, and git does not bring it along.

import { basename } from "node:path";
import type { MissingFiles } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { DEPENDENCY_FOLDERS, runAgain } from "../core/select/base-steps.ts";
import { findResumeReason } from "../core/select/run-status.ts";
import { shortOid } from "../core/text/figures.ts";
import { fix, plainText, sentence, sentenceForRun } from "../core/text/sentence.ts";
import { copiesFor, isAmong } from "../engines/local/copies.ts";
import type { MissingFinder } from "../engines/local/local-run.ts";
import { checkSubmodules, type Repository, readRef, shortName, untrackedInClone } from "../git/index.ts";
import { addDependencies } from "./dependencies.ts";

/** Of a repository with many packages the first ones are enough. */
const MOST_FOLDERS = 3;

/** For a run that stopped at a red base: the branch has new commits, but the run keeps its base commit. */
export async function describeMovedBranch(repository: Repository, state: RunState): Promise<string | null> {
  const { target, base, run, index } = state;
  if (findResumeReason(state) !== "red-base" || target === null) return null;
  const now = await readRef(repository, target);
  if (now === null || now === base.commit) return null;
  const again = runAgain(index.plan);
  const moved = `${shortName(target)} is now at ${shortOid(now)}; ${run} keeps its base commit ${shortOid(base.commit)}`;
  const how = again === null ? "" : sentence`. ${fix(`To start from ${shortOid(now)}`, again)}`;
  return plainText(sentenceForRun(state, sentence`${moved}${how}`));
}

type ToFindMissing = Parameters<MissingFinder>[0];

/** Null where worktrees have all that the checkout has. A setup is trusted to bring what the gates need. */
export async function findMissingFiles(
  repository: Repository,
  { plan, prepare, tree }: ToFindMissing,
): Promise<MissingFiles | null> {
  const { workTree } = repository;
  if (workTree === null) return null;
  const { empty: submodules } = await checkSubmodules(repository, tree);
  const { folders, notIgnored } =
    prepare.setup.length > 0 ? NO_FOLDERS : await findMissingFolders(repository, { plan, prepare, workTree });
  const isMissing = folders.length + notIgnored.length + submodules.length > 0;
  return isMissing ? { folders, notIgnored, submodules } : null;
}

const NO_FOLDERS = { folders: [], notIgnored: [] };

async function findMissingFolders(
  repository: Repository,
  { plan, prepare, workTree }: Pick<ToFindMissing, "plan" | "prepare"> & { readonly workTree: string },
): Promise<Pick<MissingFiles, "folders" | "notIgnored">> {
  const copied = new Set((await copiesFor(repository, prepare)).paths);
  const untracked = (await untrackedInClone(repository, workTree)).map((path) => path.replace(/\/$/, ""));
  const { notIgnored } = await addDependencies(repository, plan);
  const folders = untracked.filter(
    (path) =>
      DEPENDENCY_FOLDERS.includes(basename(path)) && !isAmong(copied, path) && !notIgnored.includes(path),
  );
  return { folders: folders.slice(0, MOST_FOLDERS), notIgnored };
}
