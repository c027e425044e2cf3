import { describe, expect, test } from "vitest";
import { parseDuration, parseSize } from "./units.ts";

describe("a duration", () => {
  test.each([
    ["45m", 2_700_000],
    ["10s", 10_000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["1d2h3m4s5ms", 93_784_005],
    ["0s", 0],
    ["007m", 420_000],
  ])("%s", (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each(["", "45", "m", "1.5h", "-5m", "30m1h", "5m5m", "5 m", " 5m", "5m\n", "5M", "five minutes"])(
    "%j is none",
    (text) => expect(parseDuration(text)).toBeNull(),
  );
});

describe("a size", () => {
  test.each([
    ["50MB", 50_000_000],
    ["10MiB", 10_485_760],
    ["1.5 GB", 1_500_000_000],
    ["3kB", 3_000],
    ["3KB", 3_000],
    ["2KiB", 2_048],
    ["1GiB", 1_073_741_824],
    ["7B", 7],
  ])("%s", (text, bytes) => expect(parseSize(text)).toBe(bytes));

  test.each(["", "50", "MB", "-1MB", "50 megs", "50mb", "50Mb", "1e3MB"])("%j is none", (text) =>
    expect(parseSize(text)).toBeNull(),
  );
});
