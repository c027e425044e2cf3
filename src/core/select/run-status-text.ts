import type { LandingRefusal } from "../facts.ts";
import type { RefusedMove } from "../landing-types.ts";
import { count, shortRef } from "../text/figures.ts";
import {
  command,
  commitId,
  gateName,
  listing,
  money,
  name,
  path,
  type Sentence,
  sentence,
  time,
} from "../text/sentence.ts";
import { formatPauseEnd } from "./failure-text.ts";
import { formatFailedStep } from "./format-step.ts";
import { countStatuses, type Progress } from "./progress.ts";
import type { DoneWhere, Obstacle, RunDoing, RunExit, RunStatus, Stopper } from "./run-status.ts";
import type { TaskRow } from "./task-rows.ts";
import type { StatusKind } from "./task-status.ts";

/** One or two words, for a badge or a tab title: `running`, `partly landed`. */
export function formatRunWord(status: RunStatus): string {
  switch (status.kind) {
    case "running":
      return DOING[status.doing];
    case "landed":
      return status.obstacle === null ? "landed" : "landed, not pushed";
    case "partly-landed":
      return "partly landed";
    case "not-landed":
      return status.obstacle?.kind === "red-base" && !status.obstacle.hasBegun ? "not started" : "not landed";
    default:
      return status.kind;
  }
}

const DOING: { readonly [D in RunDoing]: string } = {
  tasks: "running",
  "base-check": "checking the base commit",
  landing: "landing",
  undoing: "undoing the landing",
};

/**
 * The status as a clause behind the name of its run: `landed on main as 8d1c3f0`, `paused until 14:55`. `isBranchShown`: the branch stands
 * beside it.
 */
export function formatRunStatus(status: RunStatus, { isBranchShown = false } = {}): Sentence {
  const word = formatRunWord(status);
  switch (status.kind) {
    case "running":
      return status.readyAt === null ? word : sentence`${word}, ready about ${time(status.readyAt, null)}`;
    case "paused":
      return status.until === null ? word : sentence`${word}${formatPauseEnd(status.until, status.isCheck)}`;
    case "landed":
    case "partly-landed": {
      const { target, commit } = status;
      const verb = status.kind === "landed" ? "landed" : "partly landed";
      const where = isBranchShown
        ? sentence`${commitId(commit)}`
        : sentence`on ${name(shortRef(target))} as ${commitId(commit)}`;
      const isPushed = status.obstacle?.kind !== "not-pushed";
      const undone = status.kind === "partly-landed" && status.isLastUndone ? ", last landing undone" : "";
      const dropped =
        status.kind === "partly-landed" && status.dropped > 0
          ? `, ${count(status.dropped, "task")} dropped`
          : "";
      return sentence`${verb} ${where}${dropped}${undone}${isPushed ? "" : ", not pushed"}`;
    }
    case "done":
      return sentence`done, ${formatWhereDone(status.where)}`;
    case "stopped":
      return sentence`stopped by ${formatStopper(status.by)}, not landed`;
    case "not-landed":
      return status.obstacle === null ? word : sentence`${word}: ${formatObstacleShort(status.obstacle)}`;
    default:
      return word;
  }
}

const formatStopper = (by: Stopper): string => (by.kind === "person" ? "you" : by.signal);

export function formatWhereDone(where: DoneWhere): Sentence {
  switch (where.kind) {
    case "nothing":
      return "nothing to land";
    case "integration":
      return sentence`merged on ${name(where.branch)}`;
    case "pushed":
      return sentence`pushed to ${name(where.branch)} of ${name(where.remote)}`;
    case "pull-requests": {
      const { pullRequests } = where;
      const url = pullRequests[0]?.url ?? "";
      return pullRequests.length > 1
        ? sentence`${count(pullRequests.length, "pull request")}, first ${name(url)}`
        : sentence`pull request ${name(url)}`;
    }
  }
}

/** In a few words; the sentence is `formatObstacle`. */
export function formatObstacleShort(obstacle: Obstacle): string {
  if (obstacle.kind === "refused") return REFUSALS[obstacle.why];
  if (obstacle.kind === "red-base" && obstacle.isUnprepared) return "setup failed on the base commit";
  if (obstacle.kind !== "step") return OBSTACLES[obstacle.kind];
  return obstacle.step === null ? "a step kept failing" : formatFailedStep(obstacle.step);
}

const OBSTACLES: { readonly [K in Exclude<Obstacle["kind"], "refused" | "step">]: string } = {
  budget: "over budget",
  "red-base": "the base commit is red",
  "not-pushed": "not pushed",
};

const REFUSALS: { readonly [R in LandingRefusal]: string } = {
  "no-target": "no branch to land on",
  dirty: "files it would change have uncommitted changes",
  moved: "the target branch no longer exists",
  conflict: "the target branch conflicts with the run",
  gate: "a gate is red on the merged result",
  hook: "a git hook refused the landing",
  config: "hooks or git config changed during the run",
  unexplained: "the target branch moved while agents were running",
  busy: "git is busy with the branch",
  sign: "git could not sign the commit",
  identity: "git has no user name and email",
};

/** Why, in full. */
export function formatObstacle(obstacle: Obstacle): Sentence {
  switch (obstacle.kind) {
    case "budget":
      return sentence`spent ${money(obstacle.spentUsd)} of ${money(obstacle.budgetUsd)}`;
    case "red-base": {
      const { gates, summary, isUnprepared, commit, hasBegun } = obstacle;
      const which = sentence`${gates.length === 1 ? "gate" : "gates"} ${listing(gates.map(gateName))}`;
      const why = gates.length > 1 || summary === "" ? "" : ` (${summary})`;
      const then = hasBegun
        ? "running agents were interrupted and their work is saved"
        : "no agent was started";
      if (isUnprepared)
        return sentence`setup failed on the base commit ${commitId(commit)} (${summary}); ${then}`;
      return sentence`${which} ${gates.length === 1 ? "is" : "are"} red on the base commit ${commitId(commit)}${why}; ${then}`;
    }
    case "step":
      return obstacle.step === null
        ? obstacle.detail
        : `${formatObstacleShort(obstacle)} (${obstacle.detail})`;
    case "refused":
      return formatRefusedMove(obstacle);
    default:
      return obstacle.detail;
  }
}

const MOST_FILES = 3;

/** Why a landing or an undo did not move the branch: `a.txt in /shop would be overwritten and is not committed`. */
export function formatRefusedMove({ detail, files = [], worktree, commands = [] }: RefusedMove): Sentence {
  const which = listing(files.map(path), MOST_FILES);
  const [first, ...then] = commands.map(command);
  const byHand =
    first === undefined
      ? ""
      : then.reduce<Sentence>((so, next) => sentence`${so} | ${next}`, sentence`; by hand: ${first}`);
  if (files.length === 0) return sentence`${detail}${byHand}`;
  if (worktree === undefined) return sentence`${detail}: ${which}${byHand}`;
  const are = files.length === 1 ? "is" : "are";
  return sentence`${which} in ${path(worktree)} would be overwritten and ${are} not committed`;
}

/** The sign beside it: that of a task with the same status. */
export function findRunSign(status: RunStatus): StatusKind {
  if (status.kind === "running")
    return status.doing === "tasks" ? "running" : status.doing === "base-check" ? "checking" : "merging";
  if (status.kind === "landed" && status.obstacle !== null) return "failed";
  return SIGNS[status.kind] ?? "failed";
}

const SIGNS: { readonly [K in RunStatus["kind"]]?: StatusKind } = {
  paused: "paused",
  stopping: "retrying",
  held: "held",
  interrupted: "held",
  landed: "merged",
  done: "merged",
  undone: "dropped",
  stopped: "stopped",
};

/** `21 of 24 done, 2 failed, 1 skipped`; in a sentence `21 of 24 tasks done, …`. */
export function formatCounts(
  rows: readonly TaskRow[],
  figures: Pick<Progress, "done" | "total">,
  noun: "" | "tasks" = "",
): string {
  const counts = countStatuses(rows);
  const stuck = (["failed", "held", "skipped", "dropped"] as const).map((word) => ({
    word,
    n: counts[word],
  }));
  const left = stuck.reduce((rest, { n }) => rest - n, rows.length - figures.done);
  const others = [...stuck, { word: "unfinished", n: left }].filter(({ n }) => n > 0);
  return [formatDone(figures, noun), ...others.map(({ n, word }) => `${n} ${word}`)].join(", ");
}

/** `10 of 24 done`. */
export const formatDone = (
  { done, total }: Pick<Progress, "done" | "total">,
  noun: "" | "tasks" = "",
): string => `${done} of ${total} ${noun === "" ? "" : `${noun} `}done`;

/** What the exit code of a run means, in help and reports. */
export const exitMeanings: { readonly [E in RunExit]: string } = {
  0: "every task done, and landed if requested",
  1: "ended, but not everything landed",
  3: "environment problem; fix it, then run or resume",
};
