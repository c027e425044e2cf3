import { afterAll, beforeAll, expect, test } from "vitest";
import { describeClaude } from "./claude-program.ts";
import {
  badRequest,
  broke,
  forbidden,
  noSuchModel,
  overloaded,
  rateLimited,
  type Step,
  scriptMark,
  tooLong,
  unauthorized,
  usageLimit,
} from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { attempt, claudeHome, type Setup } from "./support.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

async function meet(name: string, steps: readonly Step[], setup: Setup = {}) {
  server.play({ [name]: steps });
  return attempt({ home: await claudeHome(server, setup), prompt: `Do it. ${scriptMark(name)}` });
}

describeClaude("what the real Claude meets is told by its reason", () => {
  test.each([
    ["unknown key", unauthorized, "auth", /Invalid API key/],
    ["forbidden", forbidden, "auth", /403/],
    ["unknown model", noSuchModel, "rejected", /issue with the selected model/],
    ["bad request", badRequest("No such field."), "rejected", /400 No such field/],
    ["no money", broke, "billing", /Credit balance is too low/],
    ["prompt too long", tooLong, "context", /Prompt is too long/],
    ["overloaded", overloaded, "overloaded", /529/],
    ["server error", { status: 500, type: "api_error", message: "Oops." }, "overloaded", /500 Oops/],
    ["cut connection", { cutAfter: 4 }, "network", /ECONNRESET/],
  ])("%s", async (name, fault: Step, reason, detail) => {
    const { conclusion, exit } = await meet(name, [fault]);
    expect(conclusion.failure).toMatchObject({ reason, detail: expect.stringMatching(detail) });
    expect(exit.code).toBe(1);
  });

  test("nobody is logged in", async () => {
    const { conclusion } = await meet("nobody", [], { env: { ANTHROPIC_API_KEY: "" } });
    expect(conclusion.failure).toMatchObject({ reason: "auth", detail: expect.stringContaining("/login") });
    expect(server.requestsOf("nobody")).toEqual([]);
  });

  test("too many requests: what Claude itself would wait is no answer", async () => {
    const { conclusion } = await meet("no wait", [rateLimited()]);
    expect(conclusion.failure).toMatchObject({ reason: "rate-limit", retryAfterMs: null });
  });

  test("too many requests, for so long that Claude does not wait", async () => {
    const { conclusion } = await meet("hour", [rateLimited(3600)]);
    expect(conclusion.failure).toMatchObject({ reason: "rate-limit", retryAfterMs: null });
    expect(server.requestsOf("hour")).toHaveLength(1);
  });

  test("a moment of too many requests is no failure: it waits as long as the server asks for", async () => {
    const { conclusion, events } = await meet("moment", [
      rateLimited(2),
      overloaded,
      { text: "Got through." },
    ]);
    expect(conclusion).toMatchObject({ failure: null, text: "Got through." });
    expect(events.filter(({ kind }) => kind === "retry")).toEqual([
      { kind: "retry", status: 429, delayMs: 2_000 },
      { kind: "retry", status: 529, delayMs: expect.any(Number) },
    ]);
  });

  test("with a subscription a throttled request is a rate limit, a used-up limit says when it resets", async () => {
    const login = "subscription";
    const throttled = await meet("throttled", [rateLimited(5)], { login });
    expect(throttled.conclusion.failure).toMatchObject({
      reason: "rate-limit",
      retryAfterMs: null, // Claude does not report the header, and does not retry
      detail: expect.stringContaining("not your usage limit"),
    });
    const resetsAt = Math.floor(Date.now() / 1000) + 3_600;
    const used = await meet("used up", [usageLimit(resetsAt)], { login });
    expect(used.conclusion.failure).toMatchObject({ reason: "usage-limit", resetsAt: resetsAt * 1000 });
  });

  test("an agent that nobody has defined", async () => {
    const work = { agent: { use: "claude", name: "nobody", model: null } };
    const home = await claudeHome(server);
    const { conclusion } = await attempt({ home, prompt: "Do it.", work });
    expect(conclusion.failure).toMatchObject({
      reason: "crash",
      detail: expect.stringContaining("--agent 'nobody' not found"),
    });
  });

  test("a conversation that is not there", async () => {
    const conversation = { kind: "continue", id: "11111111-2222-4333-8444-555555555555" } as const;
    const home = await claudeHome(server);
    const { conclusion } = await attempt({ home, prompt: "Go on.", input: { conversation } });
    expect(conclusion).toMatchObject({
      failure: { reason: "agent-error", detail: expect.stringContaining("No conversation found") },
      conversation: null,
    });
  });
});
