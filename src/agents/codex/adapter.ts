import { join } from "node:path";
import type { Env } from "../../core/plan.ts";
import type { Adapter, LoginAnswer, Probed, ProbeOutput } from "../adapter.ts";
import { withoutRefresh } from "../agent-home.ts";
import { type Identity, identityIn, versionOf } from "../cli-program.ts";
import { isTrueAt, numberAt, objectAt, parseObject, textAt } from "../json.ts";
import { invokeCodex } from "./invoke.ts";
import { codexReader } from "./read.ts";

/** OpenAI's Codex, run headless by `codex exec`. What is said here about it was observed with 0.166.0. */
export const codex: Adapter = {
  name: "codex",
  title: "Codex",
  supports: {
    conversation: true,
    subAgents: false,
    budget: false,
    models: true,
    cost: false,
    systemPrompt: false,
    answers: true,
  },
  probe: { argv: ["codex", "--version"], parse: parseVersion },
  subAgents: null,
  /**
   * `codex login status` knows only of OpenAI, and says no to those who have configured another provider; the server that editors talk to
   * knows both. It answers from local files, in a tenth of a second.
   */
  login: {
    invocation: (env) => {
      const { CODEX_API_KEY = "" } = env;
      if (CODEX_API_KEY !== "") return null; // that server does not look at it, but `codex exec` does
      const stdin = REQUESTS.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("");
      return { argv: ["codex", "app-server"], env: {}, stdin, notes: [] };
    },
    parse: parseLogin,
  },
  /** A login with ChatGPT names its account; one with a key is as good as the key. */
  loginFile: {
    path: (env) => {
      const folder = codexFolder(env);
      return folder === null ? null : join(folder, "auth.json");
    },
    parse: (text) => {
      const file = parseObject(text);
      return textAt(objectAt(file, "tokens"), "account_id") ?? textAt(file, "OPENAI_API_KEY");
    },
  },
  home: {
    folder: codexFolder,
    reads: ["config.toml", "AGENTS.md", "skills", "prompts", "rules"],
    conversations: "sessions",
    files: [
      {
        path: (env) => join(codexFolder(env) ?? "", "auth.json"),
        fill: (text) =>
          withoutRefresh(text, ({ tokens, ...file }) =>
            typeof tokens === "object" && tokens !== null
              ? { ...file, tokens: { ...tokens, refresh_token: "" } }
              : file,
          ),
      },
    ],
    variables: /^(?:OPENAI|CODEX)_/,
    named: { file: "config.toml", pattern: /^\s*env_key\s*=\s*["'](\w+)["']/gm },
  },
  takesSharedFile: null,
  servers: ({ OPENAI_BASE_URL }) => (OPENAI_BASE_URL ? [OPENAI_BASE_URL] : SERVERS),
  account: (facts) => ({
    vendor: "openai",
    account: identityIn(IDENTITY, facts),
    model: facts.model ?? "default",
  }),
  invoke: invokeCodex,
  reader: codexReader,
  resumeCommand: (conversation) => ["codex", "resume", conversation],
};

function codexFolder({ CODEX_HOME = "", HOME = "" }: Env): string | null {
  if (CODEX_HOME !== "") return CODEX_HOME;
  return HOME === "" ? null : join(HOME, ".codex");
}

/** The one of those who have a key, and the one of those who have logged in. */
const SERVERS = ["https://api.openai.com", "https://chatgpt.com"];

const INSTALL = "install it: npm install -g @openai/codex";

/** Its numbers begin with 0 and change every few days: the oldest that plait has seen. */
const OLDEST_MINOR = 166;

function parseVersion(output: ProbeOutput): Probed {
  const told = versionOf("codex", output, INSTALL);
  if (!told.ok) return told;
  const { version } = told;
  const [major = 0, minor = 0] = told.parts;
  const isKnown = major === 0 && minor >= OLDEST_MINOR;
  const warning = `codex ${version} is older than plait supports (0.${OLDEST_MINOR}); its output may be misread`;
  return { ok: true, version, warning: isKnown ? null : warning };
}

const QUESTION = 2;

const REQUESTS = [
  { id: 1, method: "initialize", params: { clientInfo: { name: "plait", title: "plait", version: "1" } } },
  { method: "initialized" },
  { id: QUESTION, method: "account/read", params: { refreshToken: false } },
];

/** An answer that is not understood is no reason to refuse: the first attempt will tell. */
function parseLogin(stdout: string): LoginAnswer | null {
  const lines = stdout.split("\n").map(parseObject);
  const answer = lines.find((line) => numberAt(line, "id") === QUESTION);
  if (answer === undefined) return null;
  const result = objectAt(answer, "result");
  const isNobody = isTrueAt(result, "requiresOpenaiAuth") && objectAt(result, "account") === null;
  return { problem: isNobody ? NOT_LOGGED_IN : null };
}

const NOT_LOGGED_IN = {
  message: "codex is not logged in",
  hint: "log in: codex login (or set CODEX_API_KEY to an OpenAI API key)",
};

/** Providers that the user has configured read their keys from variables of any name; where they are configured stands here. */
const IDENTITY: Identity = [
  ["CODEX_API_KEY", "api-key"],
  ["CODEX_ACCESS_TOKEN", "access-token"],
  ["OPENAI_API_KEY", "openai-key"],
  ["OPENAI_BASE_URL", "server"],
  ["CODEX_HOME", "config"],
];
