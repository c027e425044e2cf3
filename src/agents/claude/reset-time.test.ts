import { describe, expect, test } from "vitest";
import { resetTime } from "./reset-time.ts";

const at = (time: string): number => Date.parse(`2026-11-15T${time}Z`);
const says = (when: string): string => `You've hit your session limit · resets ${when}`;

describe("when a limit ends, by the words of Claude", () => {
  test.each([
    ["later today", "3:19am (UTC)", "00:10:30", at("03:19:00")],
    ["tomorrow", "3:19am (UTC)", "22:00:00", at("03:19:00") + 86_400_000],
    ["after noon", "3pm (UTC)", "12:30:00", at("15:00:00")],
    ["noon", "12pm (UTC)", "11:59:00", at("12:00:00")],
    ["midnight", "12:00 AM (UTC)", "23:59:00", at("00:00:00") + 86_400_000],
    ["this very minute", "3:19am (UTC)", "03:19:45", at("03:20:00")],
    ["a moment ago", "3:19am (UTC)", "03:21:00", at("03:22:00")],
    ["in another zone", "4:19am (Europe/Berlin)", "00:10:00", at("03:19:00")],
    ["in a zone of half hours", "8:49am (Asia/Kolkata)", "00:10:00", at("03:19:00")],
  ])("%s", (_what, when, now, expected) => {
    expect(resetTime(says(when), at(now))).toBe(expected);
  });

  test.each(["3:19am", "3:19am (Nowhere/Land)", "25:00am (UTC)", "0:10am (UTC)", "3:75am (UTC)", "soon", ""])(
    "%j tells nothing",
    (when) => expect(resetTime(says(when), at("00:00:00"))).toBeNull(),
  );
});
