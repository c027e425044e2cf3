import type { EpochMs } from "../facts.ts";
import type { Oid, TaskId } from "../ids.ts";
import { type Command, formatCommand, forRun } from "./command.ts";
import { elapsed, formatGateName, shortOid } from "./figures.ts";

/**
 * Text that plait says to a person, in typed parts: the terminal colors them, the web UI links them, JSON carries them. A sentence is
 * made once and never read again: whoever needs a part of it takes the data that it was made from.
 */
export type Sentence = string | readonly SentencePart[];

export type SentencePart =
  | string
  | { readonly kind: "task"; readonly task: TaskId }
  /** By its full id; seven characters are shown. */
  | { readonly kind: "commit"; readonly commit: Oid }
  /** Anything else that has a name: a run, a gate, a branch, an agent. */
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "duration"; readonly ms: number }
  | { readonly kind: "money"; readonly usd: number }
  /** `until 14:55`, `at 14:55`, or with no lead `14:55`, as whoever reads it has the time. */
  | { readonly kind: "time"; readonly at: EpochMs; readonly lead: TimeLead };

export type TimeLead = "until" | "at" | null;

export type FormatTime = (at: EpochMs, lead: TimeLead) => string;

/** ``sentence`${task(id)} failed: ${reason}` ``: parts and whole sentences may stand in it. */
export function sentence(
  strings: TemplateStringsArray,
  ...values: readonly (Sentence | SentencePart | number)[]
): Sentence {
  const parts: SentencePart[] = [];
  const add = (part: SentencePart): void => {
    const last = parts.at(-1);
    if (part === "") return;
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  strings.forEach((text, n) => {
    add(text);
    const value = values[n];
    if (value === undefined) return;
    for (const part of typeof value === "number" ? [String(value)] : listParts(value)) add(part);
  });
  return parts;
}

export const task = (id: TaskId): SentencePart => ({ kind: "task", task: id });
export const commitId = (commit: Oid): SentencePart => ({ kind: "commit", commit });
export const name = (text: string): SentencePart => ({ kind: "name", text });
/** Behind the word `gate`. */
export const gateName = (text: string): SentencePart => name(formatGateName(text));
export const path = (text: string): SentencePart => ({ kind: "path", path: text });
export const command = (typed: Command): SentencePart => ({ kind: "command", command: typed });
export const duration = (ms: number): SentencePart => ({ kind: "duration", ms });
export const money = (usd: number): SentencePart => ({ kind: "money", usd });
export const time = (at: EpochMs, lead: TimeLead): SentencePart => ({ kind: "time", at, lead });

/** What to do about something: `resume the run: plait resume shop-k7f2`. */
export const fix = (purpose: string, typed: Command): Sentence => sentence`${purpose}: ${command(typed)}`;

/** With its commands as this run needs them. */
export const sentenceForRun = (run: { readonly allowRoot: boolean }, one: Sentence): Sentence =>
  typeof one === "string"
    ? one
    : one.map((part) =>
        typeof part !== "string" && part.kind === "command" ? command(forRun(run, part.command)) : part,
      );

export const isEmpty = (one: Sentence): boolean => one.length === 0;

export function listParts(one: Sentence | SentencePart): readonly SentencePart[] {
  return Array.isArray(one) ? one : [one as SentencePart];
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listing(parts: readonly SentencePart[], most = parts.length): Sentence {
  const shown = parts.slice(0, most);
  const more = parts.length - shown.length;
  const all: readonly SentencePart[] = more > 0 ? [...shown, `${more} more`] : shown;
  return all.flatMap((part, n): SentencePart[] => {
    if (n === 0) return [part];
    return [n === all.length - 1 ? " and " : ", ", part];
  });
}

/** As one string, for readers that know no parts. */
export function plainText(one: Sentence | SentencePart, formatTime: FormatTime = formatUtc): string {
  if (typeof one === "string") return one;
  return listParts(one)
    .map((part) => plainPart(part, formatTime))
    .join("");
}

export function plainPart(part: SentencePart, formatTime: FormatTime = formatUtc): string {
  if (typeof part === "string") return part;
  switch (part.kind) {
    case "task":
      return part.task;
    case "commit":
      return shortOid(part.commit);
    case "name":
      return part.text;
    case "path":
      return part.path;
    case "command":
      return formatCommand(part.command);
    case "duration":
      return elapsed(part.ms);
    case "money":
      return `$${part.usd.toFixed(2)}`;
    default:
      return formatTime(part.at, part.lead);
  }
}

/** Where the reader's time zone is not known: `until 14:55 UTC`. */
const formatUtc: FormatTime = (at, lead) => {
  const [hour, minute] = [Math.floor(at / 3_600_000) % 24, Math.floor(at / 60_000) % 60];
  return `${lead === null ? "" : `${lead} `}${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")} UTC`;
};

/** With a capital, unless it begins with something that is written as it is typed. */
export function capitalize(one: Sentence): Sentence {
  const [first, ...rest] = listParts(one);
  if (typeof first !== "string") return one;
  const capital = first.charAt(0).toUpperCase() + first.slice(1);
  return rest.length === 0 ? capital : [capital, ...rest];
}

/** With a period, unless it ends like a sentence already: text of other programs may. */
export function withPeriod(one: Sentence): Sentence {
  const last = listParts(one).at(-1);
  return typeof last === "string" && /[.!?]$/.test(last) ? one : sentence`${one}.`;
}

/** Without its period: text of other programs goes on as a clause. */
export function withoutPeriod(one: Sentence): Sentence {
  const parts = listParts(one);
  const last = parts.at(-1);
  return typeof last === "string" && last.endsWith(".") ? [...parts.slice(0, -1), last.slice(0, -1)] : one;
}

/** Several sentences as one paragraph; empty ones are left out. */
export function paragraph(sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((one) => !isEmpty(one))
    .flatMap((one, n) => (n === 0 ? listParts(one) : [" ", ...listParts(one)]));
}
