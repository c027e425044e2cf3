import { describe, expect, test } from "vitest";
import { inputOf, invocationOf } from "../../../test/agents/input.ts";
import type { Conclusion, Ending, Reading } from "../adapter.ts";
import { claude } from "./adapter.ts";
import { claudeStandIn } from "./stand-in.ts";

const mine = claudeStandIn("/opt/mine");

const ENDING: Ending = {
  ...{ code: 0, signal: null, stderr: "", at: 0, zone: "UTC", endedBy: null, before: null },
  ...{ access: "write", gated: false },
};

function conclude(lines: readonly string[], ending: Partial<Ending> = {}): Conclusion {
  const reading = lines.reduce<Reading>((so, line) => so.read(line).next, mine.reader());
  return reading.conclude({ ...ENDING, ...ending });
}

describe("a program that stands for Claude", () => {
  test("is started as Claude is, and asked nothing before", () => {
    const asClaude = invocationOf(claude, { access: "read-only" });
    const { argv, ...rest } = invocationOf(mine, { access: "read-only" });
    expect(argv).toEqual(["/opt/mine", ...asClaude.argv.slice(1)]);
    expect({ ...asClaude, ...rest }).toEqual(asClaude);
    expect([mine.probe, mine.login, mine.subAgents]).toEqual([null, null, null]);
    expect(mine.resumeCommand("abc")).toEqual(["/opt/mine", "--resume", "abc"]);
  });

  test("decides itself whether it works for root, and is told when the user allows it", () => {
    expect(invocationOf(mine, { isRoot: true }).env).not.toHaveProperty("IS_SANDBOX");
    expect(invocationOf(mine, { isRoot: true, allowRoot: true }).env).toMatchObject({ IS_SANDBOX: "1" });
    expect(mine.invoke(inputOf({ isRoot: true }))).toMatchObject({ ok: true });
  });

  test("that prints plain text and exits with 0 has said what it printed", () => {
    expect(conclude(["Done.", "\u001b[1mAll\u001b[0m of it."])).toMatchObject({
      failure: null,
      text: "Done.\nAll of it.",
    });
    expect(conclude([])).toMatchObject({ failure: null, text: "" });
  });

  test("says no by its last line, whatever else that holds", () => {
    const line = '{"status":"FAILED","cycles":"two","reason":"tests are red"}';
    expect(conclude(["Tried.", line]).failure).toMatchObject({ reason: "agent-said-no" });
    expect(conclude(['{"status":"SUCCESS","cycles":"two"}'])).toMatchObject({ failure: null });
  });

  test.each(['{"type":"result"}', '{"type":"done","files":3}'])(
    "prints %s as text like any other",
    (line) => {
      expect(conclude(["Done.", line])).toMatchObject({ failure: null, text: `Done.\n${line}` });
    },
  );

  test("that speaks as Claude is judged as Claude: no result is a crash, also with exit code 0", () => {
    const init = JSON.stringify({ type: "system", subtype: "init", session_id: "abc" });
    const result = {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Good.",
      session_id: "abc",
    };
    expect(conclude(["warming up", init])).toMatchObject({ failure: { reason: "crash" } });
    expect(conclude([init, JSON.stringify(result)])).toMatchObject({
      failure: null,
      text: "Good.",
      conversation: "abc",
    });
  });

  test.each([
    [1, "", "crash"],
    [1, "something else", "crash"],
    [2, "usage: …", "rejected"],
    [126, "rate limit", "rejected"],
    [127, "", "rejected"],
    [1, "Permission denied", "rejected"],
    [1, "PERMISSION_DENIED", "rejected"],
    [1, "authentication failed", "rejected"],
    [1, "authentication_error", "rejected"],
    [1, "Invalid API key", "rejected"],
    [1, "invalid_api_key", "rejected"],
    [1, "Credit balance too low", "rejected"],
    [1, "credit_balance_exceeded, rate limit", "rejected"],
    [1, "rate limit, permission denied", "rejected"],
    [1, "Rate Limit reached", "rate-limit"],
    [1, "rate_limit_error", "rate-limit"],
    [1, "ratelimit", "rate-limit"],
    [1, "quota exceeded", "rate-limit"],
    [1, "QUOTA_EXHAUSTED", "rate-limit"],
    [1, "nopermission-deniedx", "crash"],
  ])("exit code %d with %j on stderr is %s", (code, stderr, reason) => {
    expect(conclude(["rate limit"], { code, stderr }).failure).toMatchObject({ reason });
  });

  test("killed or out of time, it has not done it", () => {
    expect(conclude(["half"], { code: null, signal: "SIGKILL" }).failure).toMatchObject({ reason: "crash" });
    const endedBy = { reason: "timeout", clock: "total" } as const;
    expect(conclude(["half"], { code: null, endedBy }).failure).toMatchObject({ reason: "timeout" });
  });
});
