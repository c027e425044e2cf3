import type { EpochMs } from "../../core/facts.ts";

/** Times of day as the person who looks has them: `14:44:28`. */
export function timeOfDay(at: EpochMs): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** `14:44`. */
export const hourAndMinute = (at: EpochMs): string => timeOfDay(at).slice(0, 5);

/** For a title, and for what was another day: `2026-11-15 14:44:28`. */
export function fullTime(at: EpochMs): string {
  const day = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())} ${timeOfDay(at)}`;
}
