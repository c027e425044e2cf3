import type { Login, LoginAnswer } from "../adapter.ts";
import { parseObject } from "../json.ts";

/**
 * Whether Claude may ask its model: it answers from its own files, in a second, whoever serves the model. A release that does
 * not know the command would take the words for a prompt: then there is a server that nobody listens at, and no token is spent.
 */
export const login: Login = {
  invocation: () => ({
    argv: ["claude", "auth", "status"],
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "0" },
    stdin: "",
    notes: [],
  }),
  parse: parseLogin,
};

/** An answer that is not understood is no reason to refuse: the first attempt will tell. */
function parseLogin(stdout: string): LoginAnswer | null {
  const { loggedIn: isIn = null } = parseObject(stdout) ?? {};
  if (typeof isIn !== "boolean") return null;
  return { problem: isIn ? null : NOT_LOGGED_IN };
}

const NOT_LOGGED_IN = {
  message: "claude is not logged in",
  hint: "log in: claude auth login (or set ANTHROPIC_API_KEY to an API key)",
};
