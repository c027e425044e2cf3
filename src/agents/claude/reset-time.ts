import type { EpochMs } from "../../core/facts.ts";
import { minuteOfDay, wallClock } from "../wall-clock.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const JUST_PAST_MINUTES = 5;

/**
 * The next moment that a text like "You've hit your session limit · resets 3:19am (UTC)" speaks of; null when it names none
 * that can be understood. A change to or from summer time in between moves the answer by an hour, no more.
 */
export function resetTime(text: string, at: EpochMs): EpochMs | null {
  const match = /\bresets (?:at )?(\d{1,2})(?::(\d{2}))? ?([ap]m) \(([A-Za-z0-9_+/-]+)\)/i.exec(text);
  if (match === null) return null;
  const [, hours = "", minutes = "0", half = "", zone = ""] = match;
  const wanted = minuteOfDay(hours, minutes, half);
  const now = wallClock(at, zone);
  if (wanted === null || now === null) return null;
  const ahead = (wanted - ((now / MINUTE) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  // It was said a moment ago: what is just past has been reset, and is not a day away.
  const isPast = ahead === 0 || ahead > DAY_MINUTES - JUST_PAST_MINUTES;
  return Math.floor(at / MINUTE) * MINUTE + (isPast ? 1 : ahead) * MINUTE;
}
