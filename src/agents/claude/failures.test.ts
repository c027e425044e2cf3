import { describe, expect, test } from "vitest";
import type { Conclusion, Ending, Reading } from "../adapter.ts";
import { claude } from "./adapter.ts";

// What the fixtures do not show: signs that come alone, and signs that must not be believed.

const ENDING: Ending = {
  code: 1,
  signal: null,
  stderr: "",
  at: 0,
  zone: "UTC",
  endedBy: null,
  before: null,
  access: "write",
  gated: false,
};

const said = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { content: [{ type: "text", text }] },
  parent_tool_use_id: null,
  ...more,
});
const failed = (more: object) => ({ type: "result", subtype: "success", is_error: true, ...more });
const retry = (error_status: number, retry_delay_ms: number) => ({
  type: "system",
  subtype: "api_retry",
  error_status,
  retry_delay_ms,
});
const limit = (status: string) => ({ type: "rate_limit_event", rate_limit_info: { status, resetsAt: 100 } });

function conclude(events: readonly object[], ending: Partial<Ending> = {}): Conclusion {
  const lines = events.map((event) => JSON.stringify(event));
  const reading = lines.reduce<Reading>((so, line) => so.read(line).next, claude.reader());
  return reading.conclude({ ...ENDING, ...ending });
}

const reasonOf = (events: readonly object[], ending: Partial<Ending> = {}) =>
  conclude(events, ending).failure?.reason;

describe("one sign is enough", () => {
  test.each([
    [{ api_error_status: 401 }, "auth"],
    [{ api_error_status: 403 }, "auth"],
    [{ api_error_status: 413 }, "context"],
    [{ api_error_status: 429 }, "rate-limit"],
    [{ api_error_status: 503 }, "overloaded"],
    [{ api_error_status: 400 }, "rejected"],
    [{ terminal_reason: "prompt_too_long" }, "context"],
    [{ result: "API Error: Request timed out" }, "network"],
    [{ result: "Something else" }, "agent-error"],
  ])("%j is %s", (fields, reason) => {
    expect(reasonOf([failed(fields)])).toBe(reason);
  });

  test.each([
    ["rate_limit", "rate-limit"],
    ["billing_error", "billing"],
    ["authentication_failed", "auth"],
    ["server_error", "network"],
  ])("the error %s is %s, also when the result never came", (error, reason) => {
    expect(reasonOf([said("API Error", { error }), failed({})])).toBe(reason);
    expect(reasonOf([said("API Error", { error })])).toBe(reason);
  });
});

describe("what is not a sign", () => {
  test("an error that Claude has got over", () => {
    expect(reasonOf([said("API Error", { error: "rate_limit" }), said("I go on.")])).toBe("crash");
  });

  test("the error of a sub-agent", () => {
    const inner = said("API Error", { error: "rate_limit", parent_tool_use_id: "toolu_1" });
    expect(reasonOf([inner])).toBe("crash");
    expect(conclude([said("Mine."), inner]).text).toBe("Mine.");
  });

  test("a limit that is over", () => {
    expect(reasonOf([limit("rejected"), limit("allowed"), failed({ api_error_status: 500 })])).toBe(
      "overloaded",
    );
    expect(reasonOf([limit("rejected"), failed({ api_error_status: 500 })])).toBe("usage-limit");
  });

  test("a rejected request without a reset time: the server throttles, and no usage limit is reached", () => {
    const throttled = { type: "rate_limit_event", rate_limit_info: { status: "rejected" } };
    const text = "API Error: Server is temporarily limiting requests (not your usage limit)";
    const end = failed({ api_error_status: 429, result: text });
    expect(conclude([throttled, said(text, { error: "rate_limit" }), end]).failure).toMatchObject({
      reason: "rate-limit",
      retryAfterMs: null,
    });
  });

  test("a limit that did not keep it from a good end", () => {
    const good = { type: "result", subtype: "success", is_error: false };
    expect(conclude([limit("rejected"), good], { code: 0 }).failure).toBeNull();
  });

  test("words about errors that are not its own", () => {
    const errors = ["Command timed out, 529 Overloaded, you hit your session limit"];
    expect(reasonOf([failed({ subtype: "error_during_execution", errors })])).toBe("agent-error");
  });

  test("a wait that Claude makes up, or one that is over", () => {
    const waits = (events: readonly object[]) =>
      conclude([...events, failed({ api_error_status: 429 })]).failure;
    expect(waits([retry(429, 526.3)])).toMatchObject({ retryAfterMs: null });
    expect(waits([retry(429, 1_000), retry(429, 1_128)])).toMatchObject({ retryAfterMs: 1_000 });
    expect(waits([retry(429, 7_000), said("I go on."), retry(429, 526)])).toMatchObject({
      retryAfterMs: null,
    });
  });

  test("the wait for something else than a rate limit", () => {
    const events = [retry(429, 7_000), retry(500, 9_000), failed({ api_error_status: 429 })];
    expect(conclude(events).failure).toMatchObject({ reason: "rate-limit", retryAfterMs: 7_000 });
  });
});

test("whatever it says, it was ended by plait when plait ended it", () => {
  const good = { type: "result", subtype: "success", is_error: false, result: "Status: BLOCKED" };
  const endedBy = { reason: "cancelled", because: "superseded" } as const;
  expect(conclude([good], { code: 0, endedBy }).failure).toMatchObject(endedBy);
});

test("tokens are counted by model: nothing else agrees with the cost", () => {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const opus = { inputTokens: 1, cacheCreationInputTokens: 2, cacheReadInputTokens: 3, outputTokens: 4 };
  const modelUsage = { opus, haiku: { inputTokens: 10, outputTokens: 20 } };
  expect(conclude([failed({ usage, modelUsage, total_cost_usd: 1 })]).usage).toEqual({
    costUsd: 1,
    inputTokens: 16,
    outputTokens: 24,
  });
  expect(conclude([failed({ usage, modelUsage: {} })]).usage).toMatchObject({ inputTokens: 0 });
});

test("denials of all results count, the rest is in the last one", () => {
  const good = { type: "result", subtype: "success", is_error: false };
  const denied = (tool_name: string) => ({ permission_denials: [{ tool_name }] });
  const results = [
    { ...good, ...denied("Bash"), result: "I wait.", total_cost_usd: 1 },
    { ...good, ...denied("Write"), result: "Done.", total_cost_usd: 3 },
  ];
  expect(conclude(results, { code: 0 })).toMatchObject({
    text: "Done.",
    usage: { costUsd: 3 },
    denials: ["Bash", "Write"],
  });
});

test("read-only work may be denied things", () => {
  const denials = { permission_denials: [{ tool_name: "Bash" }] };
  const good = { type: "result", subtype: "success", is_error: false, ...denials };
  expect(conclude([good], { code: 0, access: "read-only" })).toMatchObject({
    failure: null,
    denials: ["Bash"],
  });
  expect(reasonOf([good], { code: 0 })).toBe("denied");
});
