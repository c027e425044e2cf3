import { describe, expect, it } from "vitest";
import { secretsOf } from "./secrets.ts";

describe("secrets of an environment", () => {
  it.each([
    "API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD_PASS",
    "GITHUB_PAT",
    "NPM_TOKEN",
    "CLIENT_SECRET_2",
    "SSH_PASSPHRASE",
    "openaiApiKey",
  ])("%s names one", (name) => {
    expect(secretsOf({ [name]: " some value\n" })).toEqual(["some value"]);
  });

  it.each(["HOME", "PWD", "SSH_AUTH_SOCK", "TOKENIZERS_PARALLELISM", "KEYBOARD", "TOKEN_FILE", "KEY_PATH"])(
    "%s names none",
    (name) => {
      expect(secretsOf({ [name]: "some value" })).toEqual([]);
    },
  );

  it("are at least eight bytes long, and each counts once", () => {
    expect(secretsOf({ A_TOKEN: "1234567", B_TOKEN: "12345678", C_TOKEN: "12345678" })).toEqual(["12345678"]);
  });

  it("are also the passwords in addresses, as written and as meant", () => {
    expect(secretsOf({ DATABASE_URL: "postgres://me:very%20secret@db:5432/x" })).toEqual([
      "very%20secret",
      "very secret",
    ]);
    expect(secretsOf({ PAGE: "https://example.com:8080/a@b" })).toEqual([]);
    expect(secretsOf({ PROXY: "http://u:100%25%@proxy" })).toEqual([]);
    expect(secretsOf({ PROXY: "http://u:100%-secret@proxy" })).toEqual(["100%-secret"]);
  });
});
