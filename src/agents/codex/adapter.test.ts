import { describe, expect, test } from "vitest";
import { codex } from "./adapter.ts";

describe("codex --version", () => {
  const parse = (stdout: string, code: number | null = 0, stderr = "") =>
    codex.probe?.parse({ stdout, stderr, code });

  test.each(["codex-cli 0.166.0\n", "codex-cli 0.170.2-alpha.1"])("%j is one that plait knows", (stdout) => {
    expect(parse(stdout)).toMatchObject({ ok: true, warning: null });
  });

  test.each(["0.165.9", "0.20.0", "1.0.0"])("%s is used, with a warning", (version) => {
    const warning = expect.stringContaining(version);
    expect(parse(`codex-cli ${version}\n`)).toEqual({ ok: true, version, warning });
  });

  test.each([
    ["not there", parse("", null), /is not installed/],
    ["broken", parse("", 1, "no such library\n"), /exit code 1: no such library/],
    ["something else", parse("hello"), /: hello/],
  ])("%s", (_what, probed, message) => {
    expect(probed).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(message), hint: "install it: npm install -g @openai/codex" },
    });
  });
});

describe("the account of Codex", () => {
  const facts = (env: Record<string, string>, model: string | null = null) => ({
    env,
    model,
    fingerprint: (secret: string) => `#${secret.length}`,
  });

  test("is the login of the user, unless the environment names another", () => {
    const login = { vendor: "openai", account: "login", model: "default" };
    expect(codex.account(facts({ HOME: "/home/x", CODEX_API_KEY: "" }))).toEqual(login);
    expect(codex.account(facts({ CODEX_API_KEY: "secret-1", CODEX_HOME: "/x" }, "gpt-5"))).toEqual({
      vendor: "openai",
      account: "api-key:#8 config:#2",
      model: "gpt-5",
    });
  });

  test("holds no secret (I13)", () => {
    for (const name of ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL"]) {
      expect(JSON.stringify(codex.account(facts({ [name]: "hunter2" })))).not.toContain("hunter2");
    }
  });
});

describe("whether somebody is logged in", () => {
  const { invocation, parse } = codex.login!;
  const answer = (result: object) => JSON.stringify({ id: 2, result });

  test("is asked of its server, unless a key is in the environment", () => {
    expect(invocation({ CODEX_API_KEY: "sk-1" })).toBeNull();
    const asked = invocation({ CODEX_API_KEY: "", OPENAI_API_KEY: "not read by codex exec" });
    expect(asked?.argv).toEqual(["codex", "app-server"]);
    const methods = asked?.stdin.trimEnd().split("\n");
    expect(methods?.map((line) => JSON.parse(line).method)).toEqual([
      "initialize",
      "initialized",
      "account/read",
    ]);
  });

  test.each([
    ["a login of OpenAI is needed and there is none", { account: null, requiresOpenaiAuth: true }, true],
    ["another provider is used", { account: null, requiresOpenaiAuth: false }, false],
    ["there is one", { account: { type: "chatgpt" }, requiresOpenaiAuth: true }, false],
    ["it says something else", {}, false],
  ])("%s", (_what, result, isMissing) => {
    const { problem } = parse(`{"id":1,"result":{}}\n{"method":"x"}\n${answer(result)}\n`) ?? {};
    expect(problem?.hint ?? null).toEqual(isMissing ? expect.stringContaining("codex login") : null);
  });

  test("is not known before the answer; an answer that is an error is one", () => {
    expect(parse('{"id":1,"result":{}}\n{"id":2,"resu')).toBeNull();
    expect(parse('{"id":2,"error":{"code":-32601}}')).toEqual({ problem: null });
  });
});
