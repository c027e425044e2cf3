import { join } from "node:path";
import type { Login, LoginAnswer, LoginFile } from "../adapter.ts";
import { isTrueAt, numberAt, objectAt, parseObject, textAt } from "../json.ts";

/**
 * Whether Codex may ask its model. `codex login status` knows only of OpenAI, and says no to those who have configured another
 * provider; the server that editors talk to knows both. It answers from local files, in a tenth of a second.
 */
export const login: Login = {
  invocation: (env) => {
    const { CODEX_API_KEY = "" } = env;
    if (CODEX_API_KEY !== "") return null; // that server does not look at it, but `codex exec` does
    const stdin = REQUESTS.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("");
    return { argv: ["codex", "app-server"], env: {}, stdin, notes: [] };
  },
  parse: parseLogin,
};

const QUESTION = 2;

const REQUESTS = [
  { id: 1, method: "initialize", params: { clientInfo: { name: "plait", title: "plait", version: "1" } } },
  { method: "initialized" },
  { id: QUESTION, method: "account/read", params: { refreshToken: false } },
];

/** An answer that is not understood is no reason to refuse: the first attempt will tell. */
function parseLogin(stdout: string): LoginAnswer | null {
  const answer = stdout
    .split("\n")
    .map(parseObject)
    .find((line) => numberAt(line, "id") === QUESTION);
  if (answer === undefined) return null;
  const result = objectAt(answer, "result");
  const isNobody = isTrueAt(result, "requiresOpenaiAuth") && objectAt(result, "account") === null;
  return { problem: isNobody ? NOT_LOGGED_IN : null };
}

const NOT_LOGGED_IN = {
  message: "codex is not logged in",
  hint: "log in: codex login (or set CODEX_API_KEY to an API key of OpenAI)",
};

/** A login with ChatGPT names its account; one with a key is as good as the key. */
export const loginFile: LoginFile = {
  path: ({ CODEX_HOME = "", HOME = "" }) => {
    if (CODEX_HOME !== "") return join(CODEX_HOME, "auth.json");
    return HOME === "" ? null : join(HOME, ".codex", "auth.json");
  },
  parse: (text) => {
    const file = parseObject(text);
    return textAt(objectAt(file, "tokens"), "account_id") ?? textAt(file, "OPENAI_API_KEY");
  },
};
