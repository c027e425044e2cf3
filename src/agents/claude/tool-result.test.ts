import { expect, it } from "vitest";
import type { AgentEvent } from "../event.ts";
import { claudeReader } from "./read.ts";

/** What is made of the end of one tool. */
function ended(block: object, told: unknown): AgentEvent[] {
  const content = [{ type: "tool_result", tool_use_id: "t1", ...block }];
  const line = JSON.stringify({ type: "user", message: { content }, tool_use_result: told });
  return [...claudeReader().read(line).events];
}

it("an edit tells how many lines it added and removed", () => {
  const structuredPatch = [{ lines: [" a", "-b", "+c", "+d"] }, { lines: ["+e", " f"] }];
  expect(ended({ content: "updated" }, { filePath: "/a.ts", structuredPatch })).toEqual([
    { kind: "tool-ended", call: "t1", ok: true, change: { added: 3, removed: 1 } },
  ]);
});

it("a file that was read tells its lines, and nothing of its text", () => {
  const told = {
    type: "text",
    file: { filePath: "/a.ts", content: "secret", numLines: 212, totalLines: 212 },
  };
  expect(ended({ content: "1\tsecret" }, told)).toEqual([
    { kind: "tool-ended", call: "t1", ok: true, lines: 212 },
  ]);
});

it("a command tells its code and the end of what it printed, however much that is", () => {
  const content = `Exit code 2\n${"x".repeat(5_000_000)}\n2 failed\n`;
  const [event] = ended({ content, is_error: true }, `Error: ${content}`);
  expect(event).toMatchObject({ ok: false, code: 2 });
  const { output = "" } = event as Extract<AgentEvent, { kind: "tool-ended" }>;
  expect(output).toHaveLength(2_000);
  expect(output.endsWith("\n2 failed")).toBe(true);
  expect(ended({ content: [{ type: "text", text: "3 passed" }] }, { stdout: "3 passed" })).toEqual([
    { kind: "tool-ended", call: "t1", ok: true, code: 0, output: "3 passed" },
  ]);
});
