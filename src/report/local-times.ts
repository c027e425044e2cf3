import type { EpochMs } from "../core/facts.ts";
import { shortDuration } from "../core/text/figures.ts";
import type { FormatTime } from "../core/text/sentence.ts";

/** Times of day as the person who looks has them: `14:44:28`. */
export function timeOfDay(at: EpochMs): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** `14:44`. */
export const hourAndMinute = (at: EpochMs): string => timeOfDay(at).slice(0, 5);

const [SOON, NEXT] = [20 * 3_600_000, 2 * 60_000];

/** `until 14:55`, `until 14:55:07` where it is near; a time of day says nothing about the day after tomorrow. */
export function untilText(until: EpochMs, now: EpochMs, words = { at: "until", in: "for" }): string {
  const left = until - now;
  if (left >= SOON) return `${words.in} ${shortDuration(left)}`;
  return `${words.at} ${left < NEXT ? timeOfDay(until) : hourAndMinute(until)}`;
}

/** Times in sentences, as the person who looks has them: `until 14:55`, `14:55`. */
export const localTime =
  (now: EpochMs): FormatTime =>
  (at, lead) =>
    lead === null
      ? dayAndTime(at, now)
      : untilText(at, now, lead === "until" ? { at: "until", in: "for" } : { at: "at", in: "in" });

/** For a title, and for what was another day: `2026-11-15 14:44:28`. */
export function fullTime(at: EpochMs): string {
  const day = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())} ${timeOfDay(at)}`;
}

/** `2026-11-15 14:44`. */
export const dayAndMinute = (at: EpochMs): string => fullTime(at).slice(0, 16);

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY_MS = 24 * 3_600_000;

/** As near as it is: `14:02`, `Yesterday 17:21`, `Fri 10:11`, `2026-11-03 10:11`. */
export function dayAndTime(at: EpochMs, now: EpochMs): string {
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS);
  if (days === 0) return hourAndMinute(at);
  if (days === -1) return `Yesterday ${hourAndMinute(at)}`;
  return Math.abs(days) < 7 ? `${WEEKDAYS[new Date(at).getDay()]} ${hourAndMinute(at)}` : dayAndMinute(at);
}

const midnight = (at: EpochMs): number => new Date(at).setHours(0, 0, 0, 0);
