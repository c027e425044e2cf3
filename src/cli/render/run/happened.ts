import type { Fact } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { failureWord } from "../../../core/select/failure-text.ts";
import { type Happening, happenings, type TaskHappening } from "../../../core/select/happenings.ts";
import { count } from "../../../core/select/preview/words.ts";
import type { RunHappening } from "../../../core/select/run-happenings.ts";
import { elapsed, inText, shortOid, shortRef } from "../../../core/select/run-words.ts";
import type { ShownState } from "../../../core/select/task-rows.ts";
import { isLater, turnText } from "../../../core/select/turns.ts";
import { timeOfDay } from "../../../report/local-times.ts";
import { dollars } from "../figures.ts";
import { dim, type Line, type Span, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cutMiddle, pad, padStart } from "../width.ts";
import { stoppingText } from "./banner.ts";
import { cutLine, type Interrupt, type Look, sign, untilText } from "./look.ts";

/** The lines that stay: one for everything a fact changed that a person wants to know of. */
export type HappenedLook = Look & {
  /** `plain` is for logs: no signs, `start` as well, and nothing is cut off. */
  readonly mode: "terminal" | "plain";
  readonly interrupt?: Interrupt;
};

const LONGEST_NAME = 24;
const NARROW = 60;

export function happened(fact: Fact, before: RunState, after: RunState, look: HappenedLook): Line[] {
  const told = happenings(fact, before, after).filter(
    ({ kind }) => kind !== "start" || look.mode === "plain",
  );
  if (told.length === 0) return [];
  const name = nameWidth(after);
  return told.map((one) => {
    const words = wordsOf(one, after, look);
    const subject = cutMiddle(one.task ?? one.run, LONGEST_NAME, look.glyphs.cut);
    return look.mode === "plain"
      ? plainLine(one, { ...words, subject, name }, look)
      : terminalLine(one, { ...words, subject, name }, look);
  });
}

/** The same for all lines of a run, so that they stand below each other. */
function nameWidth({ index, run }: RunState): number {
  const longest = index.plan.tasks.reduce((most, { id }) => Math.max(most, id.length), run.length);
  return Math.min(LONGEST_NAME, longest) + 2;
}

type Words = { readonly sign: ShownState | "warning"; readonly word: string; readonly text: string };
type Columns = Words & { readonly subject: string; readonly name: number };

function terminalLine(
  { at }: Happening,
  { subject, name, word, text, sign: state }: Columns,
  look: HappenedLook,
): Line {
  const { glyphs } = look;
  const glyph: Span = state === "warning" ? styled("yellow", glyphs.warning) : sign(state, glyphs);
  // Where it is narrow, what happened is worth more than when, and than what stands below each other.
  const head: Line =
    look.width < NARROW
      ? [glyph, ` ${subject} ${word} `]
      : [dim(timeOfDay(at)), " ", glyph, ` ${pad(subject, name)}${pad(word, 10)}`];
  return cutLine([...head, shown(text, glyphs)], look);
}

function plainLine(
  { at }: Happening,
  { subject, name, word, text }: Columns,
  { glyphs }: HappenedLook,
): Line {
  return [`${timeOfDay(at)}  ${pad(subject, name)}${pad(word, 7)}  `, harmless(shown(text, glyphs))];
}

/** Runners take `##[` for a command wherever it stands in a line. */
export function harmless(text: string): string {
  return text.replaceAll("##[", "## [");
}

function wordsOf(one: Happening, state: RunState, { mode, interrupt = "stops" }: HappenedLook): Words {
  return one.task === null ? runWords(one, state, interrupt) : taskWords(one, mode);
}

function taskWords(one: TaskHappening, mode: HappenedLook["mode"]): Words {
  switch (one.kind) {
    case "start":
      return { sign: "running", word: "start", text: startText(one) };
    case "merged":
    case "passed":
      return { sign: one.kind, word: one.kind, text: doneText(one, mode) };
    case "retry":
      return retryWords(one, mode);
    case "failed":
      return { sign: "failed", word: "failed", text: failedText(one) };
    case "parked":
      return {
        sign: "parked",
        word: "parked",
        text: `${one.why} ${untilText(one.until, one.at, { at: "until", in: "for" })}`,
      };
    case "held":
      return { sign: "held", word: "held", text: one.why };
    case "open":
      return { sign: "held", word: "open", text: openText(one) };
    case "skipped":
      return { sign: "skipped", word: "skipped", text: one.because === null ? "" : `needs ${one.because}` };
    case "cancelled":
      return { sign: "cancelled", word: "cancelled", text: "" };
    default:
      return { sign: "cancelled", word: "stopped", text: keptText(one.kept) ?? "nothing to save" };
  }
}

/** `at /…/tax, 1 file with conflicts`. */
export function openText({ worktree, conflicts }: Extract<TaskHappening, { kind: "open" }>): string {
  return `at ${worktree}${conflicts === 0 ? "" : `, ${count(conflicts, "file")} with conflicts`}`;
}

function startText({ agent, command, attempt, turn }: Extract<TaskHappening, { kind: "start" }>): string {
  if (agent === null && command === null) return "what you handed in";
  const who = agent === null ? `command ${command}` : [agent.use, agent.model].filter(Boolean).join(" ");
  return attempt === 1 || turn === null ? who : `${who}, ${turnText(turn)}`;
}

function doneText(
  one: Extract<TaskHappening, { kind: "merged" | "passed" }>,
  mode: "terminal" | "plain",
): string {
  const time = elapsed(one.workMs);
  return [
    one.commit === null ? null : shortOid(one.commit),
    mode === "terminal" ? padStart(time, 5) : time,
    one.costUsd === null ? null : dollars(one.costUsd),
    isLater(one.last) ? turnText(one.last) : null,
    mode === "plain" && one.gates > 0 ? `gates ${one.gates} green` : null,
  ]
    .filter((part) => part !== null)
    .join("  ");
}

/** On a terminal the word says what happened, in a log that it is tried again. */
function retryWords(one: Extract<TaskHappening, { kind: "retry" }>, mode: "terminal" | "plain"): Words {
  const follows = `${turnText(one.next)} ${inText(one.inMs)}`;
  if (mode === "plain") return { sign: "backoff", word: "retry", text: `${one.why}, ${follows}` };
  const word = failureWord(one.failure);
  const isConflict = word === "conflict";
  const text = `${withoutWord(one)}; ${follows}${isConflict ? " on the new tip" : ""}`;
  return { sign: isConflict ? "backoff" : "failed", word, text };
}

/** The column before says `red`, `conflict` or `crashed` already. */
function withoutWord({ failure, why }: Extract<TaskHappening, { kind: "retry" }>): string {
  if (failure.reason === "conflict") return why.replace(/^conflict /, "");
  if (failure.reason === "crash") return why.replace(/^agent crashed: /, "");
  if (failure.reason !== "gate") return why;
  return why.replace(`gate ${failure.gate} red`, () => `gate ${failure.gate}`);
}

function failedText({ why, last, kept }: Extract<TaskHappening, { kind: "failed" }>): string {
  return [why, isLater(last) ? turnText(last) : null, keptText(kept)]
    .filter((part) => part !== null)
    .join(", ");
}

const keptText = (ref: string | null): string | null => (ref === null ? null : `kept at ${ref}`);

function runWords(one: RunHappening, state: RunState, interrupt: Interrupt): Words {
  switch (one.kind) {
    case "landed":
      return { sign: "merged", word: "landed", text: `${shortOid(one.commit)} on ${shortRef(one.target)}` };
    case "refused":
      return { sign: "held", word: "refused", text: `not landed: ${one.detail}` };
    case "undone":
      return { sign: "cancelled", word: "undone", text: `taken back from ${shortRef(one.target)}` };
    case "not-undone":
      return { sign: "held", word: "refused", text: `not taken back: ${one.detail}` };
    case "run-held":
      return { sign: "held", word: "held", text: one.why };
    case "base":
      return {
        sign: one.verdict === "green" ? "passed" : one.isKnown ? "warning" : "failed",
        word: one.verdict,
        text: `gate ${one.gate} on the base: ${one.summary}${one.isKnown && one.verdict === "red" ? ", known" : ""}`,
      };
    case "stopping":
      return { sign: "warning", word: one.mode, text: stoppingText(state, one.mode, interrupt) };
    case "paused":
      return { sign: "warning", word: "paused", text: "what runs goes on, nothing starts" };
    case "unpaused":
      return { sign: "running", word: "goes on", text: "" };
    case "resumed":
      return { sign: "running", word: "resumed", text: `${one.done} done before` };
    case "revised":
      return { sign: "running", word: "revised", text: `the plan has ${count(one.tasks, "task")} now` };
    case "slots":
      return { sign: "running", word: "slots", text: `${one.slots} from now on` };
    default:
      return { sign: "warning", word: "trouble", text: `${one.detail}; tried again` };
  }
}
