import type { LandingRefusal } from "../facts.ts";
import { count, shortOid, shortRef } from "../text/figures.ts";
import { listing, money, name, type Sentence, sentence, time } from "../text/sentence.ts";
import type { Progress } from "./progress.ts";
import type { DoneWhere, Obstacle, RunDoing, RunStatus, Stopper } from "./run-status.ts";
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
      return status.until === null ? word : sentence`${word} ${time(status.until, "until")}`;
    case "landed":
    case "partly-landed": {
      const { target, commit } = status;
      const verb = status.kind === "landed" ? "landed" : "partly landed";
      const where = isBranchShown
        ? sentence`${name(shortOid(commit))}`
        : sentence`on ${name(shortRef(target))} as ${name(shortOid(commit))}`;
      const isPushed = status.obstacle?.kind !== "not-pushed";
      const undone = status.kind === "partly-landed" && status.isLastUndone ? ", last landing undone" : "";
      return sentence`${verb} ${where}${undone}${isPushed ? "" : ", not pushed"}`;
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
      return sentence`on ${name(where.branch)}`;
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
export const formatObstacleShort = (obstacle: Obstacle): string =>
  obstacle.kind === "refused" ? REFUSALS[obstacle.why] : OBSTACLES[obstacle.kind];

const OBSTACLES: { readonly [K in Exclude<Obstacle["kind"], "refused">]: string } = {
  budget: "over budget",
  "red-base": "the base commit is red",
  step: "a step of plait failed",
  "not-pushed": "not pushed",
};

const REFUSALS: { readonly [R in LandingRefusal]: string } = {
  "no-target": "no branch to land on",
  dirty: "files it would change have uncommitted changes",
  moved: "the branch moved during the landing",
  conflict: "the target branch conflicts with the run",
  gate: "a gate is red on the tree that would land",
  hook: "a git hook refused the landing",
  config: "hooks or git config changed during the run",
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
      const { gates, summary, commit, hasBegun } = obstacle;
      const which = sentence`${gates.length === 1 ? "gate" : "gates"} ${listing(gates.map(name))}`;
      const why = gates.length > 1 || summary === "" ? "" : ` (${summary})`;
      const then = hasBegun
        ? "running agents were interrupted and their work is saved"
        : "no agent was started";
      return sentence`${which} ${gates.length === 1 ? "is" : "are"} red on the base commit ${name(shortOid(commit))}${why}; ${then}`;
    }
    default:
      return obstacle.detail;
  }
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

/** `21 of 24 done, 2 failed, 1 skipped`. */
export function formatCounts(rows: readonly TaskRow[], figures: Pick<Progress, "done" | "total">): string {
  const stuck = (["failed", "held", "skipped", "dropped"] as const).map((kind) => ({
    word: kind,
    n: rows.filter(({ status }) => status.kind === kind).length,
  }));
  const left = stuck.reduce((rest, { n }) => rest - n, rows.length - figures.done);
  const others = [...stuck, { word: "left", n: left }].filter(({ n }) => n > 0);
  return [formatDone(figures), ...others.map(({ n, word }) => `${n} ${word}`)].join(", ");
}

/** `10 of 24 done`. */
export const formatDone = ({ done, total }: Pick<Progress, "done" | "total">): string =>
  `${done} of ${total} done`;
