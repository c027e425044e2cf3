import type { SourceRange } from "../source.ts";

/** Figures as people read them: forecasts are rounded, because they are guesses; what was measured is exact. */

const SECOND = 1_000;
const KIB = 1024;
const MINUTE = 60 * SECOND;

/** `40 s`, `58 m`, `3 h 20 m`, `14 h`. */
export function duration(ms: number): string {
  if (ms < 90 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} m`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes >= 10 * 60) return `${Math.round(minutes / 60)} h`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** The same for narrow columns: `40s`, `58m`, `3h20`. */
export function shortDuration(ms: number): string {
  return ms < 90 * MINUTE
    ? duration(ms).replace(" ", "")
    : `${Math.floor(Math.round(ms / MINUTE) / 60)}h${String(Math.round(ms / MINUTE) % 60).padStart(2, "0")}`;
}

/** A length in the unit of the preview: `about 58 m`, or `4 task lengths` when the plan states no times. */
export function amount(value: number, unit: "ms" | "task"): string {
  if (unit === "ms") return `about ${duration(value)}`;
  return value === 1 ? "1 task length" : `${value} task lengths`;
}

/** `1.3x`. */
export function factor(value: number): string {
  return `${(Math.round(value * 10) / 10).toFixed(1)}x`;
}

export function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** `0:54`, `4:06`, `1:02:00`: seconds that have passed. */
export function elapsed(ms: number): string {
  return clockwise(Math.floor(Math.max(0, ms) / SECOND));
}

/** `0:54`: seconds that are left; the last one counts until it is over. */
export function countdown(ms: number): string {
  return clockwise(Math.ceil(Math.max(0, ms) / SECOND));
}

/** `now`, `in 0:54`, and for what is far away `in 3h20`. */
export function formatDelay(ms: number): string {
  if (ms <= 0) return "now";
  return ms < 3_600 * SECOND ? `in ${countdown(ms)}` : `in ${shortDuration(ms)}`;
}

/** The same in a sentence: `now`, `in 9s`, `in 2m`. */
export function describeDelay(ms: number): string {
  return ms <= 0 ? "now" : `in ${shortDuration(Math.ceil(ms / SECOND) * SECOND)}`;
}

function clockwise(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** `180k`, `1.2M`, `10.9M`. */
export function tokenCount(n: number): string {
  if (n < 1_000) return String(n);
  if (n < 999_500) return `${Math.round(n / 1_000)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** `12 bytes`, `3.4 KiB`, `1.2 MiB`, `2.0 GiB`. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const steps = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / KIB ** steps).toFixed(1)} ${["", "KiB", "MiB", "GiB"][steps]}`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  const ending = teen ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const [last, ...rest] = [...names].reverse();
  return rest.length === 0 ? (last ?? "") : `${rest.reverse().join(", ")} and ${last}`;
}

/** `a, b`, `a, b and 3 more`. */
export function cutList(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** As people know a branch or an object: `main`, `8d1c3f0`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, "");
export const shortOid = (id: string): string => id.slice(0, 7);

/** `plan.yaml:4:11`; the file alone where there are no lines. */
export const formatPosition = ({ file, start }: SourceRange): string =>
  start.line === 0 ? file : `${file}:${start.line}:${start.col}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const LONGEST = 80;

/** Text of a user inside a message: marked, on one line, and never longer than a line. */
export function quoted(text: string): string {
  const line = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}

/** Behind the word `gate`: a name that is a command is quoted, so that the sentence around it reads on. */
export const formatGateName = (gate: string): string => (/\s/.test(gate) ? `"${gate}"` : gate);

/** `a`, `b` and 3 more tasks. */
export function listQuoted(ids: readonly string[], noun: string, most = 4): string {
  const shown = ids.slice(0, most).map(quoted);
  const rest = ids.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more ${noun}` : listed(shown);
}

/** What to use instead: ``use `a` ``, ``use one of `a` and `b` ``. */
export const listChoices = (ids: readonly string[], noun: string, most?: number): string =>
  `use ${ids.length === 1 ? "" : "one of "}${listQuoted(ids, noun, most)}`;

/** 1 pair, 2 pairs, 12,000 pairs. */
export function counted(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits} ${noun}${count === 1 ? "" : "s"}`;
}

/** `<U+001B>`: a character that must not be printed. */
export function formatCodePoint(char: string): string {
  const hex = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${hex}>`;
}
