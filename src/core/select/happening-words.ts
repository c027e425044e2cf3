import type { EpochMs } from "../facts.ts";
import { limitText } from "./failure-text.ts";
import type { Happening, TaskHappening } from "./happenings.ts";
import { count } from "./preview/words.ts";
import type { RunHappening } from "./run-happenings.ts";
import { inText, shortOid, shortRef } from "./run-words.ts";
import type { ShownState } from "./task-rows.ts";
import { isLater, turnText } from "./turns.ts";

/** What happened, in words: for the lines that stay in a terminal, for logs, for the page and for programs. */
export type HappeningWords = {
  /** The sign beside it. */
  readonly shown: ShownState;
  /** Nothing has failed, and yet somebody should know: a sign of its own, where there is one. */
  readonly isWarning: boolean;
  /** For a column: `parked`. */
  readonly word: string;
  /** What stands behind that column. */
  readonly rest: string;
  /** A clause that follows the name of its task or run. */
  readonly text: string;
};

/** `until 14:55`, as whoever looks has the time. */
type Until = (until: EpochMs, now: EpochMs) => string;

export function happeningWords(one: Happening, until: Until): HappeningWords {
  if (one.task !== null) return ofTask(one, until);
  return one.kind === "limited" ? limitedWords(one, until(one.until, one.at)) : runWords(one);
}

type Form = Pick<HappeningWords, "word" | "rest"> & Partial<Pick<HappeningWords, "text" | "isWarning">>;

/** Where nothing else is said, the clause is the word and what stands behind it. */
function words(shown: ShownState, form: Form): HappeningWords {
  const { word, rest } = form;
  return { shown, isWarning: false, text: rest === "" ? word : `${word}, ${rest}`, ...form };
}

function ofTask(one: TaskHappening, until: Until): HappeningWords {
  switch (one.kind) {
    case "start":
      return words("running", { word: "start", rest: whoStarts(one), text: startText(one) });
    case "merged":
    case "passed":
      return doneWords(one);
    case "retry":
      return words("backoff", { word: "retry", rest: retryText(one, ", "), text: retryText(one, "; ") });
    case "failed": {
      const text = `failed: ${one.why}${laterText(one.last)}`;
      const kept = one.kept === null ? "" : `, kept at ${one.kept}`;
      return words("failed", { word: "failed", rest: `${one.why}${laterText(one.last)}${kept}`, text });
    }
    case "parked": {
      const when = until(one.until, one.at);
      return words("parked", {
        ...{ word: "parked", rest: `${one.why} ${when}` },
        text: `parked ${when}: ${one.why}`,
      });
    }
    case "held":
      return heldWords(one.why);
    case "open": {
      const conflicts = one.conflicts === 0 ? "" : `, ${count(one.conflicts, "file")} with conflicts`;
      const rest = `at ${one.worktree}${conflicts}`;
      return words("held", { word: "open", rest, text: `open ${rest}` });
    }
    case "skipped":
      return words("skipped", { word: "skipped", rest: one.because === null ? "" : `needs ${one.because}` });
    case "cancelled":
      return words("cancelled", { word: "cancelled", rest: "" });
    default:
      return words("stopped", {
        ...{ word: "stopped", rest: one.kept === null ? "nothing to save" : `kept at ${one.kept}` },
      });
  }
}

const heldWords = (why: string): HappeningWords =>
  words("held", { word: "held", rest: why, text: `held: ${why}` });

type Start = Extract<TaskHappening, { kind: "start" }>;

const agentText = ({ agent }: Start): string => [agent?.use, agent?.model].filter(Boolean).join(" ");

function whoStarts(one: Start): string {
  const { agent, command, attempt, turn } = one;
  if (agent === null && command === null) return "what you handed in";
  const who = agent === null ? `command ${command}` : agentText(one);
  return attempt === 1 || turn === null ? who : `${who}, ${turnText(turn)}`;
}

function startText(one: Start): string {
  const { agent, command, attempt, turn } = one;
  const fix = turn?.kind === "fix" ? `, ${turnText(turn)}` : "";
  const who = agent !== null ? `, ${agentText(one)}` : command === null ? ", handed in by a person" : "";
  return `attempt ${attempt} started${fix}${who}`;
}

/** Behind the column are figures, which each view lays out. */
function doneWords({
  kind,
  commit,
  last,
}: Extract<TaskHappening, { kind: "merged" | "passed" }>): HappeningWords {
  const as = commit === null ? "" : ` as ${shortOid(commit)}`;
  return words(kind, { word: kind, rest: "", text: `${kind}${as}${laterText(last)}` });
}

type Retry = Extract<TaskHappening, { kind: "retry" }>;

const retryText = (one: Retry, separator: string): string => `${one.why}${separator}${followsText(one)}`;

/** `try 2 of 3 in 5s`. */
export const followsText = ({ next, inMs }: Retry): string => `${turnText(next)} ${inText(inMs)}`;

const laterText = (last: Parameters<typeof isLater>[0]): string =>
  isLater(last) ? `, ${turnText(last)}` : "";

type Body<T> = T extends unknown ? Omit<T, "at" | "task" | "run"> : never;

type Limited = Extract<RunHappening, { kind: "limited" }>;

function limitedWords({ agent, why, tasks }: Limited, until: string): HappeningWords {
  const text = `${limitText(agent, why)} ${until}, met by another run: ${tasks === 1 ? "1 task waits" : `${tasks} tasks wait`}`;
  return words("parked", { word: "limited", rest: text, text, isWarning: true });
}

/** Also for a fact that says just this. */
export function runWords(one: Exclude<Body<RunHappening>, { kind: "limited" }>): HappeningWords {
  switch (one.kind) {
    case "landed": {
      const [branch, commit] = [shortRef(one.target), shortOid(one.commit)];
      return words("merged", {
        ...{ word: "landed", rest: `${commit} on ${branch}`, text: `landed on ${branch} as ${commit}` },
      });
    }
    case "refused":
      return sentence("held", "refused", `not landed: ${one.detail}`);
    case "undone":
      return sentence("cancelled", "undone", `taken back from ${shortRef(one.target)}`);
    case "not-undone":
      return sentence("held", "refused", `not taken back: ${one.detail}`);
    case "run-held":
      return heldWords(one.why);
    case "base":
      return baseWords(one);
    case "stopping": {
      const why = one.failedFast ? "stopping, because a task failed" : `asked to ${one.mode}`;
      const text = `${why}, ${count(one.attempts, "attempt")} under way`;
      return words("stopped", { word: one.mode, rest: text, text, isWarning: true });
    }
    case "paused": {
      const rest = "what runs goes on, nothing starts";
      return words("parked", { word: "paused", rest, text: "paused", isWarning: true });
    }
    case "unpaused":
      return words("running", { word: "goes on", rest: "", text: "goes on after the pause" });
    case "resumed":
      return words("running", { word: "resumed", rest: `${one.done} done before` });
    case "revised":
      return sentence("running", "revised", `the plan has ${count(one.tasks, "task")} now`);
    case "slots": {
      const text = `${count(one.slots, "slot")} from now on`;
      return words("running", { word: "slots", rest: `${one.slots} from now on`, text });
    }
    default: {
      const text = `trouble, tried again: ${one.detail}`;
      return words("backoff", { word: "trouble", rest: `${one.detail}; tried again`, text, isWarning: true });
    }
  }
}

/** What stands behind the column says it all. */
const sentence = (shown: ShownState, word: string, text: string): HappeningWords =>
  words(shown, { word, rest: text, text });

/** A red that is known stops nothing. */
function baseWords({
  gate,
  verdict,
  summary,
  isKnown,
}: Pick<
  Extract<RunHappening, { kind: "base" }>,
  "gate" | "verdict" | "summary" | "isKnown"
>): HappeningWords {
  const isWarning = isKnown && verdict === "red";
  const known = isWarning ? ", known" : "";
  return words(verdict === "green" ? "passed" : isKnown ? "backoff" : "failed", {
    word: verdict,
    rest: `gate ${gate} on the base: ${summary}${known}`,
    text: `gate ${gate} ${verdict} on the base${known}${summary === "" ? "" : `: ${summary}`}`,
    isWarning,
  });
}
