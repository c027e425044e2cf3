import type { EpochMs } from "../../core/facts.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const JUST_PAST_MINUTES = 5;

/**
 * The next moment that a text like "You've hit your session limit · resets 3:19am (UTC)" speaks of; null when it names none
 * that can be understood. Without a zone it would be the agent's local time, which is not known here.
 */
export function resetTime(text: string, at: EpochMs): EpochMs | null {
  const match = /\bresets (?:at )?(\d{1,2})(?::(\d{2}))? ?([ap]m) \(([A-Za-z0-9_+/-]+)\)/i.exec(text);
  if (match === null) return null;
  const [, hours = "", minutes = "0", half = "", zone = ""] = match;
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour < 1 || hour > 12 || minute > 59) return null;
  const wanted = ((hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0)) * 60 + minute;
  const now = minuteOfDay(at, zone);
  if (now === null) return null;
  const ahead = (wanted - now + DAY_MINUTES) % DAY_MINUTES;
  // It was said a moment ago: what is just past has been reset, and is not a day away.
  const isPast = ahead === 0 || ahead > DAY_MINUTES - JUST_PAST_MINUTES;
  return Math.floor(at / MINUTE) * MINUTE + (isPast ? 1 : ahead) * MINUTE;
}

/** By the clocks of a time zone. A change to or from summer time in between moves the answer by an hour, no more. */
function minuteOfDay(at: EpochMs, zone: string): number | null {
  try {
    const clock = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const [hours = "", minutes = ""] = clock.format(at).split(":");
    return Number(hours) * 60 + Number(minutes);
  } catch (error) {
    if (error instanceof RangeError) return null; // no zone that this machine knows
    throw error;
  }
}
