import { count, inText, shortOid, shortRef } from "../text/figures.ts";
import { isEmpty, name, path, type Sentence, sentence, task as taskPart, time } from "../text/sentence.ts";
import { type AttemptNumber, formatAttemptNumber } from "./attempt-number.ts";
import { someOf } from "./failure-text.ts";
import type { Notice, TaskNotice } from "./notices.ts";
import type { RunNoticeBody } from "./run-notices.ts";
import type { StatusKind } from "./task-status.ts";
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
        word: "retry",
        rest: sentence`${one.why}, ${formatNextAttempt(one)}`,
        text: sentence`${one.why}; ${formatNextAttempt(one)}`,
      });
    case "failed": {
      const why = sentence`${one.why}${formatLater(one.last)}`;
      const saved = one.kept === null ? "" : sentence`, saved at ${name(one.kept)}`;
      return build("failed", {
        word: "failed",
        rest: sentence`${why}${saved}`,
        text: sentence`failed: ${why}`,
      });
    }
    case "paused": {
      const until = time(one.until, "until");
      const rest = sentence`${one.why} ${until}`;
      return build("paused", { word: "paused", rest, text: sentence`paused ${until}: ${one.why}` });
    }
    case "held":
      return formatHeld(one.why);
    case "open": {
      const conflicts = one.conflicts === 0 ? "" : `, ${count(one.conflicts, "file")} with conflicts`;
      const rest = sentence`at ${path(one.worktree)}${conflicts}`;
      return build("held", { word: "open", rest, text: sentence`open ${rest}` });
    }
    case "skipped": {
      const rest = one.because === null ? "not selected" : sentence`needs ${taskPart(one.because)}`;
      return build("skipped", { word: "skipped", rest });
    }
    case "dropped":
      return build("dropped", { word: "dropped", rest: "by you" });
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
  const as = commit === null ? "" : sentence` as ${name(shortOid(commit))}`;
  return build(kind, { word: kind, rest: "", text: sentence`${kind}${as}${formatLater(last)}` });
}

type Retry = Extract<TaskNotice, { kind: "retry" }>;

/** `#2, retry 1 of 2 in 5s`. */
export const formatNextAttempt = ({ next, inMs }: Retry): string =>
  `${formatAttemptNumber(next)} ${inText(inMs)}`;

const formatLater = (last: AttemptNumber | null): string =>
  last === null || last.n === 1 ? "" : `, ${formatAttemptNumber(last)}`;

/** Also for a fact that says just this. */
export function formatRunLevelNotice(one: RunNoticeBody): NoticeText {
  switch (one.kind) {
    case "landed": {
      const [branch, commit] = [name(shortRef(one.target)), name(shortOid(one.commit))];
      const rest = sentence`${commit} on ${branch}`;
      return build("merged", { word: "landed", rest, text: sentence`landed on ${branch} as ${commit}` });
    }
    case "limited":
      return warn("paused", "paused", sentence`${formatWait(one.wait)}, reached in another run`);
    case "refused":
      return whole("held", "refused", sentence`not landed: ${one.detail}`);
    case "target-conflict": {
      const text = sentence`${name(one.target)} has new commits that conflict with the run in ${someOf(one.paths)}; the agent of ${taskPart(one.by)} resolves it`;
      return warn("retrying", "conflict", text);
    }
    case "undone":
      return whole("dropped", "undone", sentence`undid the landing on ${name(shortRef(one.target))}`);
    case "not-undone":
      return whole("held", "refused", sentence`not undone: ${one.detail}`);
    case "run-held":
      return formatHeld(one.why);
    case "base":
      return formatBaseVerdict(one);
    case "stopping": {
      const why = one.failedFast ? "stopping because a task failed" : STOPS[one.mode];
      return warn("stopped", "stopping", `${why}, ${count(one.attempts, "attempt")} running`);
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
      const retry = one.retryInMs === null ? "" : `, retrying ${inText(one.retryInMs)}`;
      const text = `${one.step} failed${retry}: ${one.detail}`;
      return warn("retrying", retry === "" ? "failed" : "retrying", text);
    }
  }
}

const STOPS = {
  drain: "stopping once running attempts finish",
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
  const { gate, verdict, summary, isKnown } = one;
  const isWarning = isKnown && verdict === "red";
  const known = isWarning ? ", known red" : "";
  return build(verdict === "green" ? "passed" : isKnown ? "retrying" : "failed", {
    word: verdict,
    rest: sentence`gate ${name(gate)} on the base commit: ${summary}${known}`,
    text: sentence`gate ${name(gate)} ${verdict} on the base commit${known}${summary === "" ? "" : `: ${summary}`}`,
    isWarning,
  });
}
