import { count, describeDelay, formatDelay, shortRef } from "../text/figures.ts";
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
import { type AttemptNumber, formatAttemptCount, formatAttemptNumber } from "./attempt-number.ts";
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
  /** A clause for the row of its task or run, whose name stands beside it. */
  readonly text: Sentence;
  /** Between that name and the clause, where both are one sentence: a space where the name is its subject. */
  readonly joint: " " | ": ";
};

export function formatNotice(one: Notice): NoticeText {
  if (one.task !== null) return formatTaskNotice(one);
  return formatRunLevelNotice(one);
}

/** With the name of its task or run: `cart failed: timed out after 30:00`, `shop-k7f2: 1 task paused until 14:55: claude usage limit`. */
export function formatNoticeSentence(one: Notice): Sentence {
  const { text, joint } = formatNotice(one);
  return sentence`${one.task === null ? name(one.run) : taskPart(one.task)}${joint}${text}`;
}

type Form = Pick<NoticeText, "word" | "rest"> & Partial<Pick<NoticeText, "text" | "isWarning" | "joint">>;

/** Unless another text is given, the clause is the word and the rest. */
function build(sign: StatusKind, form: Form): NoticeText {
  const { word, rest } = form;
  const text = isEmpty(rest) ? word : sentence`${word}, ${rest}`;
  return { sign, isWarning: false, joint: " ", text, ...form };
}

function formatTaskNotice(one: TaskNotice): NoticeText {
  switch (one.kind) {
    case "start":
      return build("running", {
        word: "start",
        rest: formatStarter(one),
        text: formatStart(one),
        joint: ": ",
      });
    case "merged":
    case "passed":
      return formatDone(one);
    case "retry":
      return build("retrying", {
        word: one.next.count?.kind === "fix" ? "fix" : "retry",
        rest: sentence`${withoutPeriod(one.why)}; ${formatNextAttempt(one)}`,
        text: sentence`${withoutPeriod(one.why)}; ${describeRetry(one)}`,
        joint: ": ",
      });
    case "failed": {
      const isFirst = one.last === null || one.last.n === 1;
      const number = isFirst ? "" : ` (${formatAttemptNumber(one.last)})`;
      const saved = one.kept === null ? "" : ", work saved";
      return build("failed", {
        word: "failed",
        rest: sentence`${one.why}${number}${saved}`,
        text: sentence`failed${isFirst ? "" : formatAttempts(one.last)}: ${one.why}`,
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
      return build("held", { word: "open", rest, text: sentence`its worktree is open ${rest}`, joint: ": " });
    }
    case "skipped": {
      const rest = formatSkipCause(one.because);
      return build("skipped", { word: "skipped", rest, text: sentence`skipped: ${rest}` });
    }
    case "dropped":
      return build("dropped", { word: "dropped", rest: "by you", text: "dropped by you" });
    case "stopped": {
      if (one.kept === null) return build("stopped", { word: "stopped", rest: "no work to save" });
      const saved = sentence`saved at ${name(one.kept)}`;
      return build("stopped", {
        word: "stopped",
        rest: saved,
        text: sentence`stopped; its work is ${saved}`,
      });
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
  if (agent === null && command === null) return `submitted by you as attempt ${number.n}`;
  const who = agent === null ? "" : `, ${formatAgent(one)}`;
  return `${formatAttemptNumber(number, "attempt ")} started${who}`;
}

/** Behind the column are figures, which each view lays out. */
function formatDone({ kind, commit, last }: Extract<TaskNotice, { kind: "merged" | "passed" }>): NoticeText {
  const as = commit === null ? "" : sentence` as ${commitId(commit)}`;
  const later = last === null || last.n === 1 ? "" : formatAttempts(last);
  return build(kind, { word: kind, rest: "", text: sentence`${kind}${as}${later}` });
}

type Retry = Extract<TaskNotice, { kind: "retry" }>;

/** `retrying in 0:05 (#2, retry 1 of 2)`. */
export const formatNextAttempt = (one: Retry): string =>
  `${formatRetryDelay(one)} (${formatAttemptNumber(one.next)})`;

const formatRetryDelay = ({ next, inMs }: Retry): string => `${formatRetryVerb(next)} ${formatDelay(inMs)}`;

/** In a sentence, with only the number that runs out: `retrying in 5s (retry 1 of 2)`. */
function describeRetry({ next, inMs }: Retry): string {
  const number = formatAttemptCount(next) || `attempt ${next.n}`;
  return `${formatRetryVerb(next)} ${describeDelay(inMs)} (${number})`;
}

const formatRetryVerb = ({ count }: AttemptNumber): string => (count?.kind === "fix" ? "fixing" : "retrying");

const formatAttempts = ({ n }: AttemptNumber): string => ` after ${count(n, "attempt")}`;

/** Also for a fact that says just this. */
export function formatRunLevelNotice(one: RunNoticeBody): NoticeText {
  switch (one.kind) {
    case "landed": {
      const [branch, commit] = [name(shortRef(one.target)), commitId(one.commit)];
      const rest = sentence`${commit} on ${branch}`;
      return build("merged", { word: "landed", rest, text: sentence`landed on ${branch} as ${commit}` });
    }
    case "limited":
      return warn("paused", "paused", sentence`${formatWait(one.wait)} (detected by another run)`);
    case "refused":
      return { ...whole("held", "refused", sentence`not landed: ${formatRefusedMove(one)}`), joint: " " };
    case "target-conflict": {
      const text = sentence`${name(one.target)} has new commits that conflict with the run in ${someOf(one.paths)}; the agent of ${taskPart(one.by)} resolves it`;
      return warn("retrying", "conflict", text);
    }
    case "undone":
      return whole("dropped", "undone", sentence`removed the landing from ${name(shortRef(one.target))}`);
    case "not-undone":
      return whole("held", "refused", sentence`could not undo the landing: ${formatRefusedMove(one)}`);
    case "run-held":
      return formatHeld(one.why);
    case "base":
      return formatBaseVerdict(one);
    case "stopping": {
      return warn("stopped", "stopping", formatStopNotice(one));
    }
    case "paused": {
      const rest = "running attempts continue, no new ones start";
      return build("paused", { word: "paused", rest, text: "paused", isWarning: true });
    }
    case "unpaused":
      return build("running", { word: "unpaused", rest: "", text: "unpaused" });
    case "resumed":
      return build("running", {
        word: "resumed",
        rest: `${one.done} already done`,
        text: `resumed; ${count(one.done, "task")} already done`,
      });
    case "revised":
      return whole("running", "revised", `the plan now has ${count(one.tasks, "task")}`);
    case "slots": {
      const most = one.slots === 1 ? "one attempt at a time" : `up to ${one.slots} attempts in parallel`;
      const text = `runs ${most} from now on`;
      return build("running", { word: "slots", rest: `${one.slots} from now on`, text });
    }
    case "trouble": {
      const retry = one.retryInMs === null ? "" : `; retrying ${describeDelay(one.retryInMs)}`;
      const text = `${one.step} (${one.detail})${retry}`;
      return warn("retrying", retry === "" ? "failed" : "retrying", text);
    }
  }
}

/** What becomes of the attempts that run. */
function formatStopNotice({
  mode,
  attempts,
  failedFast,
}: Extract<RunNoticeBody, { kind: "stopping" }>): string {
  const running = count(attempts, "attempt");
  const because = failedFast && mode !== "drain" ? " because a task failed" : "";
  if (attempts === 0) return `stopping${because}`;
  if (mode === "drain") return `stopping once ${running} ${attempts === 1 ? "finishes" : "finish"}`;
  if (mode === "kill") return `stopping now; killing ${running}`;
  return `stopping${because || " now"}; interrupting ${running} and saving ${attempts === 1 ? "its" : "their"} work`;
}

/** What stands behind the column says it all. */
const whole = (sign: StatusKind, word: string, text: Sentence): NoticeText =>
  build(sign, { word, rest: text, text, joint: ": " });

const warn = (sign: StatusKind, word: string, text: Sentence): NoticeText =>
  build(sign, { word, rest: text, text, isWarning: true, joint: ": " });

/** A known red gate stops nothing. */
function formatBaseVerdict(one: Extract<RunNoticeBody, { kind: "base" }>): NoticeText {
  const { gate, verdict, summary, isKnown, isUnprepared } = one;
  if (isUnprepared) {
    const text = sentence`setup failed on the base commit: ${summary}`;
    return build("failed", { word: verdict, rest: text, text, joint: ": " });
  }
  const isWarning = isKnown && verdict === "red";
  const known = isWarning ? ", known red" : "";
  return build(verdict === "green" ? "passed" : isKnown ? "retrying" : "failed", {
    word: verdict,
    rest: sentence`gate ${gateName(gate)} on the base commit: ${summary}${known}`,
    text: sentence`gate ${gateName(gate)} is ${verdict} on the base commit${known}${summary === "" ? "" : ` (${summary})`}`,
    isWarning,
    joint: ": ",
  });
}
