import { expect, it } from "vitest";
import { stillLog } from "./log-text.ts";

const log = (text: string, cutBytes = 0) => ({ text, cutBytes });

it("a log that loses its middle stays as it is for who reads in it, and one that only grows does not", () => {
  const [seen, more, shifted] = [
    log("a\nb\n"),
    log("a\nb\nc\n"),
    log("a\n[2 bytes are left out]\nc\nd\n", 2),
  ];
  expect(stillLog(seen, more, true)).toBe(more);
  expect(stillLog(more, shifted, true)).toBe(more);
  expect(stillLog(more, shifted, false)).toBe(shifted);
});
