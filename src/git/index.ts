// The door to git: what other folders use, and nothing else of it. In the order of a run:
//
//   start      openRepository(createGit(…), folder) → Repository, or a refusal with what to type
//              openShadow · recordFingerprint · openPool · startIntegration · removeStaleLocks
//   resume     the same calls find what is there; repairLanding first, then findMerges (git is believed over the journal),
//              pool.found and pool.leaseOf(attempt) for what a killed driver left
//   attempt    pool.reserve(attempt) → its path, for the fact that comes first; pool.acquire(attempt, base) → Lease
//              the agent works in lease.slot.path with agentGitEnvironment; takeSnapshot looks at it meanwhile
//              changesSince(fingerprint): whatever differs now was planted
//              saveAttempt(lease) → Saved: everything it left is at one ref; takeOffStash clears the shared stash of it
//              ├── pool.continueLease(lease, next)   a fix round goes on in the same worktree; with the work of others
//              │                                     merged in: release, mergedFiles, acquire with these files
//              ├── pool.release(lease)               all is saved
//              └── pool.keep(lease, name)            Saved.leftBehind is not empty: the worktree stays
//   check      pathsInHistory, addedSecrets: what may not be merged
//   merge      mergeTasks(from, tasks) → a candidate, or a conflict; inGateTree(candidate, judge) with changedTracked;
//              advance(from, to), by compare-and-swap
//   land       land(to) → landed, refused, or moved: then joinTarget (or joinAsUser), gate that, and land it
//   end        pool.close · cleanRefs → the refs that stay · cleanRunFolder
//   later      listSaved · restoreSaved · expireSaved · diffText · logGraph
//
// What can be expected is a value; a GitError that is thrown is a disk, a permission or a broken repository.

export { type AddedSecrets, addedSecrets, type NotLookedAt } from "./added-text.ts";
export { type CleanInput, cleanRefs, cleanRunFolder, removeStaleLocks } from "./clean.ts";
export { type ChangedPath, changedPath, diffTrees } from "./diff.ts";
export { type CutText, diffText } from "./diff-text.ts";
export { agentGitEnvironment } from "./environment.ts";
export { pathsInHistory, writeExcludes } from "./excludes.ts";
export { GitError, type GitFailure, type GitFailureReason, isGitFailure } from "./failure.ts";
export { changesSince, type Fingerprint, type FingerprintChange, recordFingerprint } from "./fingerprint.ts";
export { changedTracked, inGateTree } from "./gate-tree.ts";
export type { IgnoredFiles } from "./ignored.ts";
export {
  type Advanced,
  advance,
  type FoundMerge,
  findMerges,
  readIntegration,
  startIntegration,
} from "./integration.ts";
export { land } from "./land.ts";
export { type Joined, type JoinInput, joinAsUser, joinTarget } from "./land-join.ts";
export { findUses } from "./land-place.ts";
export { type Repaired, repairLanding } from "./land-repair.ts";
export type { LandInput, Landing, Refused } from "./landing.ts";
export type { Lease, Slot } from "./lease.ts";
export { countCommits, logGraph } from "./log-graph.ts";
export { makeRepository } from "./make-repository.ts";
export {
  type Conflict,
  type Merged,
  type MergedTask,
  type MergeInput,
  mergedFiles,
  mergeTasks,
  type ToMerge,
} from "./merge.ts";
export { plantedSince } from "./planted.ts";
export { openPool, type Pool, type PoolOptions } from "./pool.ts";
export { attemptBranch, integrationRef, readRef, readRefs, savedRef, shortName } from "./refs.ts";
export {
  type Head,
  type Identity,
  type Opened,
  openRepository,
  type Repository,
  type RepositoryRefusal,
} from "./repository.ts";
export { createGit, type Git, type GitOptions, type GitSpawn } from "./run.ts";
export { type Saved, type SaveInput, saveAttempt } from "./save.ts";
export { expireSaved, listSaved, type Restored, restoreSaved, type SavedWork } from "./saved-work.ts";
export { openShadow, type Shadow } from "./shadow.ts";
export { takeSnapshot } from "./snapshot.ts";
export { takeOffStash } from "./stash.ts";
export type { MovedRef, Tip } from "./tips.ts";
export type { LeftBehind } from "./work-tree.ts";
