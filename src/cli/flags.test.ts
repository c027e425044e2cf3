import { describe, expect, it } from "vitest";
import { capFlags } from "../core/caps.ts";
import { formatNotOneOf } from "./flag.ts";
import { type Flag, flags, formatValueName, looksLikeFlag } from "./flags.ts";
import { RequestError } from "./request-error.ts";

describe("the table of flags", () => {
  it("has the flags that messages about limits name", () => {
    for (const [cap, flag] of Object.entries(capFlags)) {
      expect(flags[cap as keyof typeof capFlags].usage).toBe(`${flag} <n>`);
    }
  });

  it.each<[keyof typeof flags, string, unknown]>([
    ["concurrency", "8", 8],
    ["graph", "svg", "svg"],
    ["maxPlanBytes", "2000000", 2_000_000],
    ["agent", "demo", "demo"],
  ])("reads --%s %s", (name, text, value) => {
    expect((flags[name] as Flag).parse?.(text)).toBe(value);
  });

  it.each<[keyof typeof flags, string, string]>([
    ["concurrency", "0", "is not a whole number from 1 to 256"],
    ["concurrency", "-1", "is not a whole number from 1 to 256"],
    ["concurrency", "1e3", "is not a whole number from 1 to 256"],
    ["concurrency", "257", "is not a whole number from 1 to 256"],
    ["concurrency", "", "is not a whole number from 1 to 256"],
    ["maxDepth", "99999999999999999999", "is not a whole number from 1 to 256"],
    ["graph", "xml", "is not one of mermaid, dot, svg"],
    ["agent", " ", "is empty"],
    ["agent", "-x", "begins with a dash"],
    ["model", "opus ", "begins or ends with a space"],
    ["agent", "cla\nude", "contains a control character"],
    ["model", "op\u009bus", "contains a control character"],
  ])("refuses --%s %j", (name, text, message) => {
    expect(() => (flags[name] as Flag).parse?.(text)).toThrow(new RequestError(message));
  });
});

describe("a value of a flag", () => {
  it("is nothing that begins like a flag", () => {
    expect(["--json", "-j", "-x.yaml"].map(looksLikeFlag)).toEqual([true, true, true]);
    expect(["-1", "x", "", "a-b", "-", "- a list"].filter(looksLikeFlag)).toEqual([]);
  });

  it("has a name", () => {
    expect([flags.agent, flags.concurrency, flags.json].map(formatValueName)).toEqual([
      "a name",
      "a number",
      null,
    ]);
  });

  it("is compared with the known ones, even if there is only one", () => {
    expect(formatNotOneOf(["native"])).toBe("is not native");
    expect(formatNotOneOf(["a", "b"])).toBe("is not one of a, b");
  });
});
