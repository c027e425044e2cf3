/** The library: what the command line does, without a command line. */
export type { Caps } from "../core/caps.ts";
export { type Decision, grantBudget, type RunAction, type RunCommand } from "../core/decide.ts";
export type { SettingsLayers } from "../core/draft.ts";
export type { EachNote } from "../core/each/expand.ts";
export type { Fact, Policy, RunOutcome } from "../core/facts.ts";
export type { Plan, Task } from "../core/plan.ts";
export type { RunState } from "../core/run-state.ts";
export type { RunListener, RunView } from "../core/run-view.ts";
export type { LoggedFact } from "../core/select/run-log.ts";
export type { Diagnostic, Severity, SourceRange } from "../core/source.ts";
export type { LocalRun } from "../engines/local/local-run.ts";
export type { Prompt, PromptPlan } from "../formats/prompts/draft.ts";
export { isJournalError } from "../journal/failure.ts";
export { killLive } from "../process/spawn.ts";
export { guardTerminal, isInForeground, type TerminalGuard } from "../process/terminal.ts";
export type { TranscriptEntry } from "../report/page/wire.ts";
export {
  type Acted,
  type AskedAction,
  actOnRun,
  type DriverProgram,
  parseAction,
} from "./act-on-run.ts";
export { describeMovedBranch } from "./base-hints.ts";
export { checkLanding } from "./check-landing.ts";
export { describeSandbox, type SandboxReport } from "./check-sandbox.ts";
export {
  type Checkout,
  copyAllInto,
  copyBeside,
  lookAtCheckout,
  otherCheckout,
  writePrivately,
} from "./checkout.ts";
export { type Cleaned, type CleanedRun, cleanRuns, type StayingRun } from "./clean-runs.ts";
export { type Linked, linkCommands, unlinkCommands } from "./command-links.ts";
export { type CpoFiles, openCpoFiles } from "./cpo/folder-files.ts";
export {
  type FolderRuns,
  type GoingOn,
  landedTasks,
  namedFrom,
  partOfPlan,
  planToGoOn,
  runsOfFolder,
  unfinishedOf,
} from "./cpo/go-on.ts";
export { type Demo, makeDemo } from "./demo.ts";
export { type DetachedRun, driveDetached } from "./detach-run.ts";
export { folderProblem, makeFolders } from "./folders.ts";
export { type AskedDriver, askDriver, type Followed, followRun, staysDriven } from "./follow-run.ts";
export {
  type Host,
  type OrRefusal,
  type Refusal,
  type Refused,
  refuse,
  refuseByRun,
  repositoryRefusal,
} from "./host.ts";
export { type HtmlLimits, type HtmlReport, htmlReport } from "./html-report.ts";
export { planSchema } from "./json-schemas.ts";
export { bringsIn, type LeftWork, unmergedIn, withLeftWork } from "./left-work.ts";
export {
  type Config,
  type ConfigQuestion,
  type ConfiguredAgent,
  type LoadedConfig,
  loadConfig,
} from "./load-config.ts";
export { formatNames, type LoadedPlan, type LoadOptions, loadPlan } from "./load-plan.ts";
export { makeFolder } from "./make-folder.ts";
export {
  type DroppedTask,
  dropTasks,
  ifGone,
  type OpenedTask,
  openTask,
  workInTerminal,
} from "./open-task.ts";
export { openPageRuns, type PageRuns, type PageRunsOptions } from "./page/page-runs.ts";
export type { RunFeed } from "./page/run-feed.ts";
export { type Printed, printedBy } from "./printed.ts";
export { type LogItem, type RunTexts, readLog, runTexts } from "./read-log.ts";
export { readText } from "./read-text.ts";
export { listRescue, type RescueItem, restoreWork } from "./rescue.ts";
export { type RestoredConfig, restoreConfig } from "./restore-config.ts";
export { completeRefusal, resumeRun, retryAllFailed, retryFailed } from "./resume-run.ts";
export { type Refreshed, refreshSettings, retryCancelled, reviseRun, withPrompt } from "./revise-run.ts";
export {
  artifactFiles,
  failedWebhooks,
  type LeftFile,
  type RunFiles,
  reportFiles,
  runFiles,
} from "./run-files.ts";
export { maskTexts } from "./run-mask.ts";
export {
  type FoundRun,
  findPageRun,
  findRun,
  findTask,
  type KnownRun,
  listRuns,
  repositoryOfRuns,
  SHOWN,
  type WantedRun,
} from "./runs.ts";
export { type Started, type StartInput, startRun } from "./start-run.ts";
export { readRunStatus, type SeenRun, statusDocument } from "./status-of.ts";
export { appendSummary } from "./step-summary.ts";
export { type MissingSubAgent, missingText, type SubAgentChoice } from "./sub-agents.ts";
export { failureTails, type Tail, type Tails } from "./tails.ts";
export { findAttempt, runDiff, type TaskDiff, taskDiff } from "./task-files.ts";
export { keepAgreed } from "./trust/agreed.ts";
export { findUnagreed, type TrustQuestion, type Unagreed } from "./trust/find-unagreed.ts";
export { type UndoOutcome, undoRun } from "./undo-run.ts";
export { earlierRun } from "./unfinished.ts";
export { findPager, openInBrowser, showInPager } from "./user-programs.ts";
export { graphOfRun, reportOf, timelineOfRun } from "./write-report.ts";
