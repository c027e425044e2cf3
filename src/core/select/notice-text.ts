import { count, formatDelay, shortRef } from "../text/figures.ts";
import {
  commitId,
  gateName,
  isEmpty,
  name,
  path,
  type Sentence,
  sentence,
  task as taskPart,
  withoutPeriod,
} from "../text/sentence.ts";
import { type AttemptNumber, formatAttemptNumber } from "./attempt-number.ts";
import { formatPauseEnd, someOf } from "./failure-text.ts";
import type { Notice, TaskNotice } from "./notices.ts";
import type { RunNoticeBody } from "./run-notices.ts";
import { formatRefusedMove } from "./run-status-text.ts";
import type { StatusKind } from "./task-status.ts";
import { formatSkipCause } from "./task-status-text.ts";
import { formatWait } from "./waits.ts";

/** A notice in words: for the lines that stay in a terminal, for logs, for the web UI and for programs. */
export type NoticeText = {
  /** The sign beside it. */
  readonly sign: StatusKind;
  /** Nothing has failed, and yet a person should know. */
  readonly isWarning: boolean;
  /** For a column: `paused`. */
  readonly word: string;
  /** Behind that column. */
  readonly rest: Sentence;
  /** A clause that follows the name of its task or run. */
  readonly text: Sentence;
};

export function formatNotice(one: Notice): NoticeText {
  if (one.task !== null) return formatTaskNotice(one);
  return formatRunLevelNotice(one);
}

type Form = Pick<NoticeText, "word" | "rest"> & Partial<Pick<NoticeText, "text" | "isWarning">>;

/** Unless another text is given, the clause is the word and the rest. */
function build(sign: StatusKind, form: Form): NoticeText {
  const { word, rest } = form;
  return { sign, isWarning: false, text: isEmpty(rest) ? word : sentence`${word}, ${rest}`, ...form };
}

function formatTaskNotice(one: TaskNotice): NoticeText {
  switch (one.kind) {
    case "start":
      return build("running", { word: "start", rest: formatStarter(one), text: formatStart(one) });
    case "merged":
    case "passed":
      return formatDone(one);
    case "retry":
      return build("retrying", {
        word: one.next.count?.kind === "fix" ? "fix" : "retry",
        rest: sentence`${withoutPeriod(one.why)}; ${formatNextAttempt(one)}`,
        text: sentence`${withoutPeriod(one.why)}; ${formatNextAttempt(one)}`,
      });
    case "failed": {
      const why = sentence`${one.why}${formatLater(one.last)}`;
      const saved = one.kept === null ? "" : ", work saved";
      return build("failed", {
        word: "failed",
        rest: sentence`${why}${saved}`,
        text: sentence`failed: ${why}`,
      });
    }
    case "paused": {
      const end = formatPauseEnd(one.until, one.isCheck);
      const rest = sentence`${one.why}${end}`;
      return build("paused", { word: "paused", rest, text: sentence`paused${end}: ${one.why}` });
    }
    case "held":
      return formatHeld(one.why);
    case "open": {
      const conflicts = one.conflicts === 0 ? "" : `, ${count(one.conflicts, "file")} with conflicts`;
      const rest = sentence`at ${path(one.worktree)}${conflicts}`;
      return build("held", { word: "open", rest, text: sentence`open ${rest}` });
    }
    case "skipped": {
      const rest = formatSkipCause(one.because);
      return build("skipped", { word: "skipped", rest, text: sentence`skipped: ${rest}` });
    }
    case "dropped":
      return build("dropped", { word: "dropped", rest: "by you", text: "dropped by you" });
    case "stopped": {
      const rest = one.kept === null ? "no work to save" : sentence`saved at ${name(one.kept)}`;
      return build("stopped", { word: "stopped", rest });
    }
  }
}

const formatHeld = (reason: Sentence): NoticeText =>
  build("held", { word: "held", rest: reason, text: sentence`held: ${reason}` });

type Start = Extract<TaskNotice, { kind: "start" }>;

const formatAgent = ({ agent }: Start): string => [agent?.use, agent?.model].filter(Boolean).join(" ");

function formatStarter(one: Start): string {
  const { agent, command, number } = one;
  if (agent === null && command === null) return "submitted by you";
  const who = agent === null ? `command ${command}` : formatAgent(one);
  return number.n === 1 ? who : `${who}, ${formatAttemptNumber(number)}`;
}

function formatStart(one: Start): string {
  const { agent, command, number } = one;
  const who = agent !== null ? `, ${formatAgent(one)}` : command === null ? ", submitted by a person" : "";
  return `attempt ${formatAttemptNumber(number)} started${who}`;
}

/** Behind the column are figures, which each view lays out. */
function formatDone({ kind, commit, last }: Extract<TaskNotice, { kind: "merged" | "passed" }>): NoticeText {
  const as = commit === null ? "" : sentence` as ${commitId(commit)}`;
  return build(kind, { word: kind, rest: "", text: sentence`${kind}${as}${formatLater(last)}` });
}

type Retry = Extract<TaskNotice, { kind: "retry" }>;

/** `retrying in 0:05 (#2, retry 1 of 2)`. */
export const formatNextAttempt = ({ next, inMs }: Retry): string =>
  `${next.count?.kind === "fix" ? "fixing" : "retrying"} ${formatDelay(inMs)} (${formatAttemptNumber(next)})`;

const formatLater = (last: AttemptNumber | null): string =>
  last === null || last.n === 1 ? "" : ` (${formatAttemptNumber(last)})`;

/** Also for a fact that says just this. */
export function formatRunLevelNotice(one: RunNoticeBody): NoticeText {
  switch (one.kind) {
    case "landed": {
      const [branch, commit] = [name(shortRef(one.target)), commitId(one.commit)];
      const rest = sentence`${commit} on ${branch}`;
      return build("merged", { word: "landed", rest, text: sentence`landed on ${branch} as ${commit}` });
    }
    case "limited":
      return warn("paused", "paused", sentence`${formatWait(one.wait)} (seen in another run)`);
    case "refused":
      return whole("held", "refused", sentence`not landed: ${formatRefusedMove(one)}`);
    case "target-conflict": {
      const text = sentence`${name(one.target)} has new commits that conflict with the run in ${someOf(one.paths)}; the agent of ${taskPart(one.by)} resolves it`;
      return warn("retrying", "conflict", text);
    }
    case "undone":
      return whole("dropped", "undone", sentence`undid the landing on ${name(shortRef(one.target))}`);
    case "not-undone":
      return whole("held", "refused", sentence`not undone: ${formatRefusedMove(one)}`);
    case "run-held":
      return formatHeld(one.why);
    case "base":
      return formatBaseVerdict(one);
    case "stopping": {
      const why = one.failedFast ? "stopping because a task failed" : STOPS[one.mode];
      const left = one.attempts === 0 ? "" : `, ${count(one.attempts, "attempt")} running`;
      return warn("stopped", "stopping", `${why}${left}`);
    }
    case "paused": {
      const rest = "running attempts continue, no new ones start";
      return build("paused", { word: "paused", rest, text: "paused", isWarning: true });
    }
    case "unpaused":
      return build("running", { word: "unpaused", rest: "", text: "unpaused" });
    case "resumed":
      return build("running", { word: "resumed", rest: `${one.done} done before` });
    case "revised":
      return whole("running", "revised", `the plan now has ${count(one.tasks, "task")}`);
    case "slots": {
      const text = `using ${count(one.slots, "slot")}`;
      return build("running", { word: "slots", rest: `${one.slots} from now on`, text });
    }
    case "trouble": {
      const retry = one.retryInMs === null ? "" : `; retrying ${formatDelay(one.retryInMs)}`;
      const text = `${one.step}: ${one.detail}${retry}`;
      return warn("retrying", retry === "" ? "failed" : "retrying", text);
    }
  }
}

const STOPS = {
  drain: "stopping when running attempts finish",
  stop: "stopping now",
  kill: "killing running attempts",
} as const;

/** What stands behind the column says it all. */
const whole = (sign: StatusKind, word: string, text: Sentence): NoticeText =>
  build(sign, { word, rest: text, text });

const warn = (sign: StatusKind, word: string, text: Sentence): NoticeText =>
  build(sign, { word, rest: text, text, isWarning: true });

/** A known red gate stops nothing. */
function formatBaseVerdict(one: Extract<RunNoticeBody, { kind: "base" }>): NoticeText {
  const { gate, verdict, summary, isKnown, isUnprepared } = one;
  if (isUnprepared) {
    const text = sentence`setup failed on the base commit: ${summary}`;
    return build("failed", { word: verdict, rest: text, text });
  }
  const isWarning = isKnown && verdict === "red";
  const known = isWarning ? ", known red" : "";
  return build(verdict === "green" ? "passed" : isKnown ? "retrying" : "failed", {
    word: verdict,
    rest: sentence`gate ${gateName(gate)} on the base commit: ${summary}${known}`,
    text: sentence`gate ${gateName(gate)} ${verdict} on the base commit${known}${summary === "" ? "" : `: ${summary}`}`,
    isWarning,
  });
}
