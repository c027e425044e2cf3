import { describe, expect, test } from "vitest";
import type { Conclusion, Ending, Reading } from "../adapter.ts";
import { claude } from "./adapter.ts";

const ENDING: Ending = {
  code: 0,
  signal: null,
  stderr: "",
  at: 0,
  zone: "UTC",
  endedBy: null,
  before: null,
  access: "write",
  gated: false,
};

function conclude(events: readonly object[], ending: Partial<Ending> = {}): Conclusion {
  const lines = events.map((event) => JSON.stringify(event));
  const reading = lines.reduce<Reading>((so, line) => so.read(line).next, claude.reader());
  return reading.conclude({ ...ENDING, ...ending });
}

const init = (version?: string) => ({ type: "system", subtype: "init", claude_code_version: version });
const good = (more: object = {}) => ({ type: "result", subtype: "success", is_error: false, ...more });

describe("the cost of a conversation that goes on", () => {
  const told = good({ total_cost_usd: 3, usage: { input_tokens: 30, output_tokens: 3 } });
  const before = { costUsd: 1, inputTokens: 10, outputTokens: 1 };
  const all = { costUsd: 3, inputTokens: 30, outputTokens: 3 };
  const rest = { costUsd: 2, inputTokens: 20, outputTokens: 2 };

  test.each([
    ["2.1.276", all],
    ["2.1.277", rest],
    ["2.1.277-beta.1", rest],
    ["2.2.0", rest],
    ["3.0.1", rest],
    ["2.0.999", all],
    ["new", all],
    [undefined, all],
  ])("by %s", (version, usage) => {
    expect(conclude([init(version), told], { before }).usage).toEqual(usage);
    expect(conclude([init(version), told]).usage).toEqual(all);
  });

  test("is not known without a result", () => {
    expect(conclude([init("2.1.325")], { before, code: 1 }).usage).toMatchObject({ costUsd: null });
  });
});

describe("what a clock ends after a good result", () => {
  const endedBy = { reason: "timeout", clock: "idle" } as const;
  const said = (text: string, more: object = {}) => ({
    type: "assistant",
    message: { content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    ...more,
  });
  const waits = { type: "system", subtype: "background_tasks_changed", tasks: [{}] };
  const interrupted = { type: "result", subtype: "error_during_execution", is_error: true, errors: ["x"] };

  test.each([
    ["waits", [good({ result: "Done." }), waits]],
    ["says that it was interrupted", [good({ result: "Done." }), waits, interrupted]],
  ])("is done work, when Claude only %s", (_what, events) => {
    const conclusion = conclude(events, { endedBy, code: null, signal: "SIGKILL" });
    expect(conclusion).toMatchObject({ failure: null, text: "Done." });
  });

  test.each([
    ["it", said("I see that the build has ended, and")],
    ["its sub-agent", said("I am at it.", { parent_tool_use_id: "toolu_1" })],
  ])("is not, when %s went on", (_who, event) => {
    expect(conclude([good(), event], { endedBy }).failure).toMatchObject(endedBy);
    expect(conclude([good(), init("2.1.325")], { endedBy }).failure).toMatchObject(endedBy);
  });

  test("is judged like any other: a no is a no, and a denial with no gate too", () => {
    const no = good({ result: "Status: BLOCKED" });
    expect(conclude([no], { endedBy }).failure).toMatchObject({ reason: "agent-said-no" });
    const denied = good({ permission_denials: [{ tool_name: "Bash" }] });
    expect(conclude([denied], { endedBy }).failure).toMatchObject({ reason: "denied" });
  });

  test("is a failure when the result was none", () => {
    expect(conclude([interrupted], { endedBy }).failure).toMatchObject(endedBy);
  });

  test("is cancelled, when it was not a clock but somebody who asked", () => {
    const asked = { reason: "cancelled", because: "stop" } as const;
    expect(conclude([good()], { endedBy: asked }).failure).toMatchObject(asked);
  });
});

describe("an answer in the form that was asked for", () => {
  test("is told beside the final message, and is not there where the model never gave one", () => {
    const answered = good({ result: '{"x":1}', structured_output: { x: 1 } });
    expect(conclude([init(), answered])).toMatchObject({ failure: null, answer: { x: 1 } });
    expect(conclude([init(), good({ result: "I would rather not." })])).not.toHaveProperty("answer");
  });

  test("is not kept where it has no end (I10)", () => {
    const large = { text: "x".repeat(1_000_001) };
    expect(conclude([init(), good({ structured_output: large })])).not.toHaveProperty("answer");
  });
});
