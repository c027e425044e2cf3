import { describe, expect, test } from "vitest";
import type { MissingSubAgent } from "../app/index.ts";
import { subAgentChoice } from "./sub-agents.ts";

const missing: readonly MissingSubAgent[] = [
  { name: "baker", agent: { name: "claude", title: "Claude Code" }, tasks: [], known: [] },
];
const helpFor = (words: readonly string[], takesAgent = true) =>
  subAgentChoice({ options: {} }, { words, takesAgent })
    .help(missing)
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());

describe("where a sub-agent is missing", () => {
  test("what was typed is shown again, with the flags that decide", () => {
    expect(helpFor(["run", "my plan.md", "-j", "2"])).toEqual([
      "plait run 'my plan.md' -j 2 --without-sub-agents",
      "plait run 'my plan.md' -j 2 --agent claude",
    ]);
    expect(helpFor(["parallel-orchestra", "run", "--", "-m.md"], false)).toEqual([
      "plait parallel-orchestra run --without-sub-agents -- -m.md",
      "PLAIT_AGENT=claude plait parallel-orchestra run -- -m.md",
    ]);
  });

  test("nobody is asked who cannot answer", async () => {
    expect(process.stdin.isTTY && process.stderr.isTTY).toBeFalsy();
    const { mayReplace } = subAgentChoice({ options: {} }, { words: ["run"], takesAgent: true });
    expect(await mayReplace(missing)).toBe(false);
  });
});
