import type { EpochMs } from "../core/facts.ts";

/**
 * What the clocks of a time zone show, as milliseconds from midnight of 1970 by the same clocks, so that times that people
 * write can be compared with it. Whole minutes; null for a zone that this machine does not know.
 */
export function wallClock(at: EpochMs, zone: string): number | null {
  try {
    const clock = new Intl.DateTimeFormat("en-GB", { ...FIELDS, timeZone: zone });
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute] = KEYS.map((key) => parts.get(key));
    return Date.UTC(year, month - 1, day, hour, minute);
  } catch (error) {
    if (error instanceof RangeError) return null; // no zone that this machine knows
    throw error;
  }
}

const KEYS = ["year", "month", "day", "hour", "minute"] as const;
const FIELDS = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;

/** From a clock of twelve hours; null where no clock shows it. */
export function minuteOfDay(hours: string, minutes: string, half: string): number | null {
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour < 1 || hour > 12 || minute > 59) return null;
  return ((hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0)) * 60 + minute;
}
