import type { Fact } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { formatAttemptNumber } from "../../../core/select/attempt-number.ts";
import { formatFailureWord } from "../../../core/select/failure-text.ts";
import { formatNextAttempt, formatNotice } from "../../../core/select/notice-text.ts";
import { findNotices, type Notice, type TaskNotice } from "../../../core/select/notices.ts";
import { formatStoppingRest } from "../../../core/select/run-banner.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { dollars, elapsed, shortOid } from "../../../core/text/figures.ts";
import { plainText, type Sentence, sentence, sentenceForRun } from "../../../core/text/sentence.ts";
import { localTime, timeOfDay } from "../../../report/local-times.ts";
import { dim, type Line, type Span, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cutMiddle, pad, padStart } from "../width.ts";
import { formatHarderStop } from "./banner.ts";
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
  const told = findNotices(fact, before, after).filter(
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

type Words = { readonly sign: StatusKind | "warning"; readonly word: string; readonly text: Sentence };
type Columns = Words & { readonly subject: string; readonly name: number };

function terminalLine(
  { at }: Notice,
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
  return cutLine([...head, shown(plainText(text, localTime(at)), glyphs)], look);
}

function plainLine({ at }: Notice, { subject, name, word, text }: Columns, { glyphs }: HappenedLook): Line {
  return [
    `${timeOfDay(at)}  ${pad(subject, name)}${pad(word, 8)}  `,
    harmless(shown(plainText(text, localTime(at)), glyphs)),
  ];
}

/** Runners take `##[` for a command wherever it stands in a line. */
export function harmless(text: string): string {
  return text.replaceAll("##[", "## [");
}

/** What is laid out in columns of its own, or told in more words than elsewhere. */
function wordsOf(one: Notice, state: RunState, { mode, interrupt = "stops" }: HappenedLook): Words {
  const told = formatNotice(one);
  const words: Words = { sign: told.isWarning ? "warning" : told.sign, word: told.word, text: told.rest };
  switch (one.kind) {
    case "merged":
    case "passed":
      return { ...words, text: doneText(one, mode) };
    case "retry":
      return mode === "terminal" ? retryWords(one) : words;
    case "stopping":
      return {
        ...words,
        text: sentenceForRun(state, formatStoppingRest(state, formatHarderStop(interrupt))),
      };
    default:
      return words;
  }
}

function doneText(
  one: Extract<TaskNotice, { kind: "merged" | "passed" }>,
  mode: "terminal" | "plain",
): string {
  const time = elapsed(one.workMs);
  return [
    one.commit === null ? null : shortOid(one.commit),
    mode === "terminal" ? padStart(time, 5) : time,
    one.costUsd === null ? null : dollars(one.costUsd),
    one.last !== null && one.last.n > 1 ? formatAttemptNumber(one.last) : null,
    mode === "plain" && one.gates > 0 ? `gates ${one.gates} green` : null,
  ]
    .filter((part) => part !== null)
    .join("  ");
}

type Retry = Extract<TaskNotice, { kind: "retry" }>;

/** On a terminal the word says what happened, in a log that a retry follows. */
function retryWords(one: Retry): Words {
  const word = formatFailureWord(one.failure);
  const isConflict = word === "conflict";
  const text = sentence`${one.rest}; ${formatNextAttempt(one)}`;
  return { sign: isConflict ? "retrying" : "failed", word, text };
}
