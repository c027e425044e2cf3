import type { EpochMs } from "../../core/facts.ts";
import { minuteOfDay, wallClock } from "../wall-clock.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * When "You’ve hit your usage limit. … try again at 2:33 AM." ends, or "… at Nov 18th, 2026 9:26 AM.": a time of the same day, or
 * with its date, by the clocks of the machine. Null when it names none. A change to or from summer time in between moves the
 * answer by an hour, no more.
 */
export function resetTime(text: string, at: EpochMs, zone: string): EpochMs | null {
  const match = PATTERN.exec(text);
  const now = wallClock(at, zone);
  if (match === null || now === null) return null;
  const [, month = "", day, year, hours = "", minutes = "", half = ""] = match;
  const minute = minuteOfDay(hours, minutes, half);
  if (minute === null) return null;
  const midnight =
    month === "" ? now - (now % DAY) : Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
  // The seconds are cut off: a minute later it is over for certain. What is past was reset a moment ago.
  const ahead = midnight + minute * MINUTE + MINUTE - now;
  return Math.floor(at / MINUTE) * MINUTE + Math.max(ahead, MINUTE);
}

const PATTERN = new RegExp(
  String.raw`\btry again at (?:(${MONTHS.join("|")}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP]M)\b`,
);
