import { join } from "node:path";
import type { Login, LoginAnswer, LoginFile } from "../adapter.ts";
import { objectAt, parseObject, textAt } from "../json.ts";

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

/** Claude keeps its tokens elsewhere, or in a keychain; whose they are is in its settings. */
export const loginFile: LoginFile = {
  path: ({ CLAUDE_CONFIG_DIR = "", HOME = "" }) => {
    const folder = CLAUDE_CONFIG_DIR || HOME;
    return folder === "" ? null : join(folder, ".claude.json");
  },
  parse: (text) => {
    const account = objectAt(parseObject(text), "oauthAccount");
    const parts = ["accountUuid", "organizationUuid"].map((name) => textAt(account, name) ?? "");
    return parts.every((part) => part === "") ? null : parts.join(" ");
  },
};
