import type { Account, AccountFacts, Adapter, Probed, ProbeOutput } from "../adapter.ts";
import { type Identity, identityIn, versionOf } from "../cli-program.ts";
import { invokeCodex } from "./invoke.ts";
import { login, loginFile } from "./login.ts";
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
  login,
  loginFile,
  takesSharedFile: null,
  servers: ({ OPENAI_BASE_URL }) => (OPENAI_BASE_URL ? [OPENAI_BASE_URL] : SERVERS),
  account,
  invoke: invokeCodex,
  reader: codexReader,
  resumeCommand: (conversation) => ["codex", "resume", conversation],
};

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

/** Providers that the user has configured read their keys from variables of any name; where they are configured stands here. */
const IDENTITY: Identity = [
  ["CODEX_API_KEY", "api-key"],
  ["CODEX_ACCESS_TOKEN", "access-token"],
  ["OPENAI_API_KEY", "openai-key"],
  ["OPENAI_BASE_URL", "server"],
  ["CODEX_HOME", "config"],
];

function account(facts: AccountFacts): Account {
  return { vendor: "openai", account: identityIn(IDENTITY, facts), model: facts.model ?? "default" };
}
