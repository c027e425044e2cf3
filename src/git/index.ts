// The entry to git: what other folders use, and nothing else of it. In the order of a run:
//
//   before     listTracked: the files that tasks are made of; readHistory: which of them change together
//              probeRepository, userName: where files of the user's belong; cloneCommit: a place for who looks or tries
//              listChanges, commitChanges: a plan that worktrees are to start with, on the branch of the user
//   start      openRepository(createGit(…), folder) → Repository, or a refusal with what to type
//              outside any: findStandIn or makeStandIn, which stands in for it
//              untrackedNamed, untrackedEnvFiles → what is copied; hidePaths
//              openShadow · recordFingerprint · openPool · startIntegration · removeStaleLocks
//   resume     the same calls find what is there; repairLanding first; pool.leases() and pool.leaseOf(attempt) for what a
//              killed driver left; whatever it had done already is found done (git is believed over the journal)
//              by isolation: worktrees of the repository, or each with one of its own (slot-repositories.ts)
//   attempt    pool.reserve(attempt) → its path, for the fact that comes first; pool.acquire(attempt, base) → Lease
//              the agent works in lease.slot.path with agentGitEnvironment
//              saveAttempt(lease) → Saved: everything it left is at one ref
//              ├── pool.continueLease(lease, next)   a fix round goes on in the same worktree; with the work of others
//              │                                     merged in: release, mergedFiles, acquire with these files
//              ├── pool.release(lease)               all is saved
//              └── pool.keep(lease, name)            Saved.leftBehind is not empty: the worktree stays
//   check      changedTexts, plantedSince, addedSecrets, pathsInHistory: what may not be merged
//   merge      mergeTasks(from, tasks) → a candidate, or a conflict; pool.acquireScratch(candidate) to judge it;
//              advance(from, to), by compare-and-swap
//   land       buildLanding(onto: the target now) → what lands in the style that is asked for: the tip itself, or commits
//              of its own, to be gated where the tree is another; a conflict; or refused by a hook or the signing
//              land(to) → landed, refused, or moved: then build on where it moved to, gate that, and land it
//   publish    before the folder is cleaned: pushTarget, or pushBranch for a pull request instead of a landing
//   end        pool.close · cleanRefs → the refs that stay · keepChanges · cleanRunFolder
//   old runs   leftBranches, mergeLeftBranch: what parallel-orchestra had not merged; trackedAmong: where no file may be written
//   later      withObjects: what tasks changed, and what a tree holds
//              listSaved · restoreSaved · restoreFile · diffText · diffStats · logGraph
//              undoLanding(from, to of run.landed) → undone, refused, not-landed; then the run can land again
//
// What can be expected is a value; a GitError that is thrown is a disk, a permission or a broken repository.

export { addedSecrets, commitTexts, type FoundSecret, type SecretSearch } from "./added-text.ts";
export { blobText } from "./blobs.ts";
export { changedTexts, listPaths, textsAt } from "./changed-texts.ts";
export { type CheckoutGuard, guardCheckout } from "./checkout-guard.ts";
export { cleanModuleRefs, cleanRefs, cleanRunFolder, removeStaleLocks } from "./clean.ts";
export { cloneCommit, hideInClone, isPartial, setCloneBack } from "./clone-commit.ts";
export { readHistory } from "./co-change.ts";
export { commitChanges, type FileChange, findCommitProblem, listChanges } from "./commit-changes.ts";
export { configValue } from "./config.ts";
export { unresolvedInSaved, unresolvedPaths } from "./conflict-markers.ts";
export { changedPath, diffTrees } from "./diff.ts";
export { diffStats } from "./diff-stat.ts";
export { countCommits, diffText, listCommits, logGraph } from "./diff-text.ts";
export { agentGitEnvironment } from "./environment.ts";
export { hidePaths, pathsInHistory } from "./excludes.ts";
export { GitError, isGitFailure } from "./failure.ts";
export type { CutText } from "./fair-cut.ts";
export { removeFolder } from "./files.ts";
export { type Fingerprint, recordFingerprint } from "./fingerprint.ts";
export { land } from "./land.ts";
export { type BuildInput, type Built, buildLanding, hasOwnCommits } from "./land-build.ts";
export { readOwnMessages } from "./land-chain.ts";
export { joinTarget } from "./land-join.ts";
export { formatItem } from "./land-message.ts";
export { findUses } from "./land-place.ts";
export { repairLanding } from "./land-repair.ts";
export type { Lease } from "./lease.ts";
export { type LeftBranch, leftBranches, mergeLeftBranch } from "./left-branches.ts";
export { type Merged, mergedFiles, mergeTasks, type ToMerge } from "./merge.ts";
export {
  type LoggedCommit,
  type Objects,
  type TreeChange,
  type TreeEntry,
  type TreeFile,
  withObjects,
} from "./objects.ts";
export { changeTexts, hooksInTree, type JudgedChange, plantedSince, recordOwnChanges } from "./planted.ts";
export { openPool, type Pool } from "./pool.ts";
export { type Pushed, pushBranch, pushProblem, pushTarget } from "./push.ts";
export { listCommitted, listReceived, readCommitted } from "./received.ts";
export {
  advance,
  continueIntegration,
  isAncestor,
  MovedBranch,
  startIntegration,
} from "./ref-updates.ts";
export {
  integrationRef,
  isBranchName,
  isOnUserBranch,
  mergedInto,
  readRef,
  readRefs,
  readRevision,
  repositoryFolder,
  shortName,
} from "./refs.ts";
export { openRepository, probeRepository, type Repository, userName } from "./repository.ts";
export { type ChangedFile, changesLeft, keepChanges, type RestoredFile, restoreFile } from "./restore.ts";
export { retryGit } from "./retry-git.ts";
export { createGit, type Git } from "./run.ts";
export { formatSandboxedConfig, openToSandbox, type SandboxedGit } from "./sandboxed.ts";
export { listSaved, restoreSaved, type Saved, type SavedWork, saveAttempt } from "./save.ts";
export { frozenPaths, openShadow, type Shadow } from "./shadow.ts";
export { findStandIn, makeRepository, makeStandIn } from "./stand-in.ts";
export { checkSubmodules } from "./submodules.ts";
export { isMovedByCheckout } from "./target-moves.ts";
export {
  countUncommitted,
  listTracked,
  listUncommitted,
  listWorkTree,
  type Tracked,
  trackedIn,
} from "./tracked.ts";
export { type UndoInput, type Undoing, undoLanding } from "./undo.ts";
export {
  isIgnored,
  listChangedFiles,
  listIndexed,
  listUntrackedFolders,
  untrackedEnvFiles,
  untrackedIn,
  untrackedInClone,
  untrackedNamed,
} from "./untracked.ts";
