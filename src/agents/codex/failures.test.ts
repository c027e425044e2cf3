import { describe, expect, test } from "vitest";
import type { Ending, Reading } from "../adapter.ts";
import { codex } from "./adapter.ts";

// What the fixtures do not show: other words for the same, and words that must not be believed.

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

function failureOf(events: readonly object[], ending: Partial<Ending> = {}) {
  const lines = events.map((event) => JSON.stringify(event));
  const reading = lines.reduce<Reading>((so, line) => so.read(line).next, codex.reader());
  return reading.conclude({ ...ENDING, ...ending }).failure;
}

const failed = (message: string) => ({ type: "turn.failed", error: { message } });
const completed = { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } };

describe("what a turn failed of is told by how the sentence begins", () => {
  test.each([
    [
      "You've hit your usage limit for gpt-5. Switch to another model now, or try again later.",
      "usage-limit",
    ],
    ["You’ve reached your monthly limit.", "usage-limit"],
    ["Your workspace is out of credits. Add credits to continue.", "billing"],
    ["unexpected status 529 : overloaded", "overloaded"],
    ["exceeded retry limit, last status: 500 Internal Server Error", "overloaded"],
    ["Your access token could not be refreshed. Please log out and sign in again.", "auth"],
    ["unexpected status 413 Payload Too Large: x", "context"],
    ["unexpected status 422 Unprocessable Entity: x", "rejected"],
    ['{"detail":"The model is not supported when using Codex with a ChatGPT account."}', "rejected"],
    ["something else", "agent-error"],
    ["", "agent-error"],
  ])("%j is %s", (message, reason) => {
    expect(failureOf([failed(message)])).toMatchObject({ reason, detail: expect.stringMatching(/./) });
  });

  test.each([
    ["unexpected status 400 Bad Request: You’ve hit your usage limit", "rejected"],
    ["stream disconnected before completion: unexpected status 401 Unauthorized", "network"],
    ["I read about error 429 and the usage limit", "agent-error"],
  ])("%j quotes another: it is %s", (message, reason) => {
    expect(failureOf([failed(message)])?.reason).toBe(reason);
  });

  test.each([
    ["2.5s", 2_500],
    ["350ms", 350],
    ["1m30s", 90_000],
    ["1h", 3_600_000],
    ["a while", null],
  ])("a wait of %s", (wait, retryAfterMs) => {
    const message = `rate limit exceeded: Please try again in ${wait}.`;
    expect(failureOf([failed(message)])).toMatchObject({ reason: "rate-limit", retryAfterMs });
  });
});

describe("what is no failure", () => {
  test("errors that Codex got over", () => {
    const error = (message: string) => ({ type: "error", message });
    const events = [error("Reconnecting... 1/5 (unexpected status 503 x)"), error("x"), completed];
    expect(failureOf(events, { code: 0 })).toBeNull();
  });

  test("a turn that failed, when another one followed it", () => {
    expect(failureOf([failed("x"), { type: "turn.started" }, completed], { code: 0 })).toBeNull();
  });
});

test("an end without a word is a crash, also with exit code 0", () => {
  expect(failureOf([], { code: 0 })).toEqual({ reason: "crash", detail: "exit code 0 without a result" });
  expect(failureOf([{ type: "turn.started" }], { stderr: "Killed\n" })).toEqual({
    reason: "crash",
    detail: "exit code 1 without a result: Killed",
  });
});
