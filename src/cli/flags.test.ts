import { describe, expect, it } from "vitest";
import { capFlags } from "../core/caps.ts";
import { commands } from "./commands.ts";
import { type Flag, flags } from "./flags.ts";
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
  ])("refuses --%s %j", (name, text, message) => {
    expect(() => (flags[name] as Flag).parse?.(text)).toThrow(new RequestError(message));
  });
});

describe("the table of commands", () => {
  it("gives every command at least three examples of itself", () => {
    for (const { name, examples } of commands) {
      expect(examples.length).toBeGreaterThanOrEqual(3);
      expect(examples[0]?.[0]).toMatch(new RegExp(`^plait ${name}\\b`));
    }
  });
});
