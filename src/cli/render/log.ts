import type { LoggedFact, TranscriptEntry } from "../../app/index.ts";
import type { EpochMs } from "../../core/facts.ts";
import type { AttemptId, RunId } from "../../core/ids.ts";
import { type AttemptNumber, formatAttemptCount } from "../../core/select/attempt-number.ts";
import { formatFact } from "../../core/select/fact-text.ts";
import { formatNotice } from "../../core/select/notice-text.ts";
import type { Notice } from "../../core/select/notices.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { StatusKind } from "../../core/select/task-status.ts";
import { formatDelay } from "../../core/text/figures.ts";
import { plainText as plainSentence } from "../../core/text/sentence.ts";
import { hourAndMinute, localTime, timeOfDay } from "../../report/local-times.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, type Span, type Style, styled } from "./line.ts";
import { sign } from "./run/look.ts";
import { wholeLine } from "./run/tails.ts";
import { shown } from "./visible.ts";
import { cutEnd, pad, wrapWords } from "./width.ts";

/** Lines of a log: time, kind, text. */
export type LogLook = {
  readonly glyphs: Glyphs;
  /** Null where lines may be as long as they are: in a file or a pipe. */
  readonly width: number | null;
  /** Without times, and what is too long for a line loses its end. */
  readonly isShort?: boolean;
};

/** An attempt, and how it ended or what it does. */
export type LoggedAttempt = AttemptNumber & { readonly status: StatusKind };

/** What the log of one attempt begins with: its number, which `--attempt` takes, and which retry or fix it is. */
export function logHead(row: TaskRow, attempt: LoggedAttempt, { glyphs }: LogLook): Line {
  const who = row.agent === null ? "command" : [row.agent.use, row.agent.model].filter(Boolean).join(" ");
  const count = formatAttemptCount(attempt);
  const told = [attempt.status, ...(count === "" ? [] : [count]), shown(who, glyphs)].join(", ");
  const number = ` #${attempt.n}`;
  const title = row.title === row.task ? "" : `  ${shown(row.title, glyphs)}`;
  return [sign(attempt.status, glyphs), " ", bold(row.task), number, title, dim(`  ${told}`)];
}

const TIME = 10;
const KIND = 7;

type LogRow = {
  readonly at: EpochMs;
  readonly kind: string;
  readonly text: string;
  readonly style?: Style | undefined;
  /** Goes on with what stands above: it has neither time nor kind. */
  readonly isMore?: true;
};

function toldLines(told: LogRow, look: LogLook): Line[] {
  const { at, kind, text, style, isMore = false } = told;
  const { glyphs, width, isShort = false } = look;
  const head: Line = isShort
    ? [kindSpan(pad(cutEnd(kind, SHORT_KIND - 1, ""), SHORT_KIND))]
    : [dim(pad(timeOfDay(at), TIME)), kindSpan(pad(kind, KIND))];
  const used = isShort ? SHORT_KIND : TIME + KIND;
  const room = width === null ? null : Math.max(isShort ? 4 : 20, width - used);
  const lines = text
    .replaceAll("\t", "  ")
    .split("\n")
    .map((line) => shown(line.trimEnd(), glyphs))
    .flatMap((line) => {
      if (room === null) return [line];
      return isShort ? [cutEnd(line, room, glyphs.cut)] : wrapWords(line, room);
    });
  const tint = (line: string): Span => (style === undefined ? line : styled(style, line));
  return lines.map((line, n): Line => [...(n === 0 && !isMore ? head : [" ".repeat(used)]), tint(line)]);
}

const SHORT_KIND = 6;

/** Who did it: what is neither plait's nor a word of the agent is one of its tools. */
function kindSpan(kind: string): Span {
  const word = kind.trimEnd();
  if (word === "gate") return styled("magenta", kind);
  return ASIDE.has(word) ? dim(kind) : styled("cyan", kind);
}

const ASIDE: ReadonlySet<string> = new Set(["plait", "text", "sub", "agent", "out"]);

/** Tools end long after they began, and are named by their call: this remembers which is which. */
export function entryLines(look: LogLook): (entry: TranscriptEntry) => Line[] {
  const tools = new Map<string, string>();
  return (entry) => {
    if (entry.kind === "tool" && entry.call !== null) tools.set(entry.call, entry.name);
    const told = toldOf(entry, tools);
    return told === null ? [] : toldLines({ at: entry.at, ...told }, look);
  };
}

/** Of what a tool printed before it failed. */
const FAILED_LINES = 10;

/** Null for what the facts say better: what it cost, and that a tool did what it was asked. */
function toldOf(entry: TranscriptEntry, tools: ReadonlyMap<string, string>): Omit<LogRow, "at"> | null {
  switch (entry.kind) {
    case "text":
      return { kind: entry.by === "agent" ? "text" : "sub", text: entry.text.trim() };
    case "tool":
      return toolTold(entry.name, entry.target);
    case "tool-ended": {
      if (entry.ok) return cameOf(entry);
      const name = entry.call === null ? null : (tools.get(entry.call) ?? null);
      const exit = entry.code === undefined ? "" : `, exit ${entry.code}`;
      const last = (entry.output ?? "").split("\n").slice(-FAILED_LINES);
      const output = entry.output === undefined ? [] : last.map((line) => `  ${line}`);
      const text = [`${name ?? "it"} failed${exit}`, ...output].join("\n");
      return { kind: "tool", text, style: "red" };
    }
    case "started":
      return { kind: "agent", text: entry.model === null ? "begins" : `begins, model ${entry.model}` };
    case "retry": {
      const after = entry.status === null ? "" : ` after status ${entry.status}`;
      const delay = entry.delayMs === null ? "" : ` ${formatDelay(entry.delayMs)}`;
      return { kind: "agent", text: `retrying${after}${delay}`, style: "yellow" };
    }
    case "limit": {
      const until = entry.resetsAt === null ? "" : ` until ${hourAndMinute(entry.resetsAt)}`;
      return { kind: "agent", text: `met a limit${until}`, style: "yellow" };
    }
    case "denied":
      return { kind: "agent", text: `was refused ${entry.tool}`, style: "yellow" };
    case "note":
      return { kind: "agent", text: entry.text };
    case "noise":
      return { kind: "out", text: entry.text };
    case "cut":
      return {
        kind: "plait",
        text: `${entry.bytes.toLocaleString("en-US")} bytes are left out here`,
        style: "yellow",
      };
    default:
      return null;
  }
}

/** How many lines a file grew and shrank by, and the end of what a command printed. */
function cameOf({
  change,
  output,
}: Extract<TranscriptEntry, { kind: "tool-ended" }>): Omit<LogRow, "at"> | null {
  const lines = output === undefined ? [] : output.split("\n").slice(-OUTPUT_LINES);
  const figures = change === undefined ? [] : [`+${change.added} -${change.removed}`];
  const text = [...figures, ...lines].join("\n");
  return text.trim() === "" ? null : { kind: "", text, style: "dim", isMore: true };
}

/** More than these nobody reads who wants to know what an agent did; the file of the transcript has them. */
const OUTPUT_LINES = 6;

/** `edit   src/tax.ts`: a short name is the kind. */
function toolTold(name: string, target: string | null): Omit<LogRow, "at"> {
  const text = target ?? "";
  return name.length < KIND - 1
    ? { kind: name.toLowerCase(), text }
    : { kind: "tool", text: `${name} ${text}`.trim() };
}

export type WorkerOf = (attempt: AttemptId | undefined) => "agent" | "command";

/** A fact, and what the red gate or the setup printed that it is about. */
export type ShownFact = {
  readonly logged: LoggedFact;
  readonly output: readonly string[];
  /** Where all of the output is. */
  readonly path: string | null;
};

/** A fact in the log of an attempt, what a red gate printed last, and what followed from it. */
export function attemptFactLines(of: ShownFact, worker: WorkerOf, look: LogLook): Line[] {
  const { logged, output, path } = of;
  const { fact, attempts, notices } = logged;
  const follows = notices.flatMap((one): LogRow[] => {
    const text = formatFollowing(one);
    const style = one.kind === "failed" ? "red" : undefined;
    return text === null ? [] : [{ at: fact.at, kind: "plait", text: `${one.task} ${text}`, style }];
  });
  const own = attempts.length === 0 ? [] : [ownFact(fact, worker(attempts[0]), output)];
  const lines = (all: readonly LogRow[]) => all.flatMap((told) => toldLines(told, look));
  const used = look.isShort === true ? SHORT_KIND : TIME + KIND;
  const whole: Line[] = path === null ? [] : [[" ".repeat(used), ...wholeLine(path, look.glyphs)]];
  return [...lines(own), ...whole, ...lines(follows)];
}

function ownFact(fact: LoggedFact["fact"], worker: "agent" | "command", output: readonly string[]): LogRow {
  const hasFailed =
    fact.type === "candidate.refused" || (fact.type === "attempt.ended" && fact.failure !== null);
  const text = plainSentence(formatFact(fact, worker), localTime(fact.at));
  if (fact.type !== "gate.judged")
    return { at: fact.at, kind: "plait", text, style: hasFailed ? "red" : undefined };
  const lines = [text, ...moreThanSummary(fact, output).map((line) => `  ${line}`)].join("\n");
  return { at: fact.at, kind: "plait", text: lines, style: fact.verdict === "red" ? "red" : undefined };
}

/** The summary often is the only line of output. */
const moreThanSummary = (fact: LoggedFact["fact"], output: readonly string[]): readonly string[] =>
  fact.type === "gate.judged" && output.length === 1 && output[0] === fact.summary ? [] : output;

/** A fact in the log of a run: whose it is stands in front. */
export function runFactLines(
  { logged: { fact, attempts, notices }, output, path }: ShownFact,
  { worker, run, name }: { readonly worker: WorkerOf; readonly run: RunId; readonly name: number },
  { glyphs }: LogLook,
): Line[] {
  const line = (who: string, text: string, style?: Style): Line => {
    const told = shown(text, glyphs);
    return [
      dim(pad(timeOfDay(fact.at), TIME)),
      pad(who, name + 2),
      style === undefined ? told : styled(style, told),
    ];
  };
  const text = plainSentence(formatFact(fact, worker(attempts[0])), localTime(fact.at));
  const who = attempts.length === 0 ? run : attempts.map((one) => one.replace("/", " #")).join(", ");
  const follows = notices.flatMap((one): Line[] => {
    const followed = formatFollowing(one);
    return followed === null ? [] : [line(one.task ?? run, followed)];
  });
  const printed = moreThanSummary(fact, output).map(
    (one): Line => [" ".repeat(TIME), styled("red", shown(one.replaceAll("\t", "  ").trimEnd(), glyphs))],
  );
  const whole: Line[] = path === null ? [] : [[" ".repeat(TIME - 2), ...wholeLine(path, glyphs)]];
  return [line(who, text), ...printed, ...whole, ...follows];
}

/** What follows from a fact for its task, where the fact does not say it itself. */
function formatFollowing(one: Notice): string | null {
  if (one.task === null || SAID.has(one.kind)) return null;
  return plainSentence(formatNotice(one).text, localTime(one.at));
}

const SAID: ReadonlySet<Notice["kind"]> = new Set<Notice["kind"]>(["start", "merged", "dropped"]);
