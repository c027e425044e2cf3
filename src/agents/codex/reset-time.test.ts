import { describe, expect, test } from "vitest";
import { resetTime } from "./reset-time.ts";

const at = (time: string): number => Date.parse(`2026-11-15T${time}Z`);
const says = (when: string): string =>
  `You’ve hit your usage limit. Upgrade to Pro (x), or try again at ${when}.`;

describe("when a limit ends, by the words of Codex: a minute later than it says, which has no seconds", () => {
  test.each([
    ["later today", "2:33 AM", "UTC", "00:10:30", at("02:34:00")],
    ["in the evening", "11:05 PM", "UTC", "22:00:00", at("23:06:00")],
    ["noon", "12:00 PM", "UTC", "11:59:00", at("12:01:00")],
    ["this very minute", "3:19 AM", "UTC", "03:19:45", at("03:20:00")],
    ["a moment ago", "3:19 AM", "UTC", "03:21:30", at("03:22:00")],
    ["by another clock", "4:19 AM", "Europe/Berlin", "00:10:00", at("03:20:00")],
    ["where today is tomorrow", "1:00 AM", "Asia/Kolkata", "18:50:00", at("19:31:00")],
    ["in days", "Nov 18th, 2026 9:26 AM", "UTC", "09:13:00", at("09:27:00") + 3 * 86_400_000],
    ["next year", "Jan 1st, 2027 12:00 AM", "UTC", "09:13:00", Date.parse("2027-01-01T00:01:00Z")],
  ])("%s", (_what, when, zone, now, expected) => {
    expect(resetTime(says(when), at(now), zone)).toBe(expected);
  });

  test.each([
    ["25:00 AM", "UTC"],
    ["soon", "UTC"],
    ["Foo 1st, 2027 12:00 AM", "UTC"],
    ["3:19 AM", "Nowhere/Land"],
  ])("%j by the clocks of %s tells nothing", (when, zone) => {
    expect(resetTime(says(when), at("00:00:00"), zone)).toBeNull();
  });
});
