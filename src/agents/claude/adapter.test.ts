import { describe, expect, test } from "vitest";
import { claude } from "./adapter.ts";

describe("claude --version", () => {
  const parse = (stdout: string, code: number | null = 0, stderr = "") =>
    claude.probe?.parse({ stdout, stderr, code });

  test("a version that plait knows", () => {
    expect(parse("2.1.197 (Claude Code)\n")).toEqual({ ok: true, version: "2.1.197", warning: null });
  });

  test("a newer one is used, with a warning; an older one is not", () => {
    expect(parse("3.0.0")).toMatchObject({
      ok: true,
      version: "3.0.0",
      warning: expect.stringContaining("3.0.0"),
    });
    expect(parse("1.0.128 (Claude Code)")).toMatchObject({
      ok: false,
      problem: { hint: "update it: claude update" },
    });
  });

  test.each([
    ["not there", parse("", null), /is not installed/],
    ["broken", parse("", 1, "no such module\n"), /exit code 1: no such module/],
    ["something else", parse("hello"), /: hello/],
  ])("%s", (_what, probed, message) => {
    expect(probed).toMatchObject({ ok: false, problem: { message: expect.stringMatching(message) } });
  });
});

describe("the account of Claude", () => {
  const facts = (env: Record<string, string>, model: string | null = null) => ({
    env,
    model,
    fingerprint: (secret: string) => `#${secret.length}`,
  });

  test("is the login of the user, unless the environment names another", () => {
    expect(claude.account(facts({ HOME: "/home/x", ANTHROPIC_API_KEY: "" }))).toEqual({
      vendor: "anthropic",
      account: "login",
      model: "default",
    });
    expect(
      claude.account(facts({ ANTHROPIC_API_KEY: "secret-1", ANTHROPIC_BASE_URL: "http://x" }, "opus")),
    ).toEqual({
      vendor: "anthropic",
      account: "api-key:#8 server:#8",
      model: "opus",
    });
  });

  test("holds no secret (I13)", () => {
    const names = [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
    ];
    for (const name of names) {
      expect(JSON.stringify(claude.account(facts({ [name]: "hunter2" })))).not.toContain("hunter2");
    }
  });
});

describe("the sub-agents that Claude knows", () => {
  const parse = claude.subAgents?.parse ?? (() => null);
  const init = '{"type":"system","subtype":"init","agents":["general-purpose","team:dba",7]}';

  test("stand in its first event", () => {
    expect(parse(`warming up\n${init}\n{"type":"result"}\n`)).toEqual(["general-purpose", "team:dba"]);
  });

  test("are not known before, nor from an event that does not tell", () => {
    expect(parse("")).toBeNull();
    expect(parse(init.slice(0, 40))).toBeNull();
    expect(parse('{"type":"system","subtype":"init"}')).toBeNull();
  });

  test("are asked for without a server that could take a token, and without a trace", () => {
    const { argv, env, stdin } = claude.subAgents!.invocation;
    expect(stdin).toBe("/cost");
    expect(argv).toContain("--no-session-persistence");
    expect(env).toEqual({ ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "0" });
    expect(argv).toContain('{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:9"}}');
  });
});
