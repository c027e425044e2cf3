import type { Fact } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { failureWord } from "../../../core/select/failure-text.ts";
import { followsText, happeningWords } from "../../../core/select/happening-words.ts";
import { type Happening, happenings, type TaskHappening } from "../../../core/select/happenings.ts";
import { elapsed, shortOid } from "../../../core/select/run-words.ts";
import type { ShownState } from "../../../core/select/task-rows.ts";
import { isLater, turnText } from "../../../core/select/turns.ts";
import { timeOfDay, untilText } from "../../../report/local-times.ts";
import { dollars } from "../figures.ts";
import { dim, type Line, type Span, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cutMiddle, pad, padStart } from "../width.ts";
import { stoppingText } from "./banner.ts";
import { cutLine, type Interrupt, type Look, sign } from "./look.ts";

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

/** What is laid out in columns of its own, or told in more words than elsewhere. */
function wordsOf(one: Happening, state: RunState, { mode, interrupt = "stops" }: HappenedLook): Words {
  const told = happeningWords(one, untilText);
  const words: Words = { sign: told.isWarning ? "warning" : told.shown, word: told.word, text: told.rest };
  switch (one.kind) {
    case "merged":
    case "passed":
      return { ...words, text: doneText(one, mode) };
    case "retry":
      return mode === "terminal" ? retryWords(one) : words;
    case "stopping":
      return { ...words, text: stoppingText(state, one.mode, interrupt) };
    default:
      return words;
  }
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

type Retry = Extract<TaskHappening, { kind: "retry" }>;

/** On a terminal the word says what happened, in a log that it is tried again. */
function retryWords(one: Retry): Words {
  const word = failureWord(one.failure);
  const isConflict = word === "conflict";
  const text = `${withoutWord(one)}; ${followsText(one)}${isConflict ? " on the new tip" : ""}`;
  return { sign: isConflict ? "backoff" : "failed", word, text };
}

/** The column before says `red`, `conflict` or `crashed` already. */
function withoutWord({ failure, why }: Retry): string {
  if (failure.reason === "conflict") return why.replace(/^conflict /, "");
  if (failure.reason === "crash") return why.replace(/^agent crashed: /, "");
  if (failure.reason !== "gate") return why;
  return why.replace(`gate ${failure.gate} red`, () => `gate ${failure.gate}`);
}
