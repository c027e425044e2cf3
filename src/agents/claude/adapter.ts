import type { Env } from "../../core/plan.ts";
import type { Account, AccountFacts, Adapter, Probed, ProbeOutput } from "../adapter.ts";
import { type Identity, identityIn, isVersionSince, notUsable, versionOf } from "../cli-program.ts";
import { invokeClaude } from "./invoke.ts";
import { login, loginFile } from "./login.ts";
import { claudeReader } from "./read.ts";
import { subAgents } from "./sub-agents.ts";

/** Claude Code, run headless with `-p`. What is said here about it was observed with 2.1.197 and 2.1.325. */
export const claude: Adapter = {
  name: "claude",
  title: "Claude Code",
  supports: {
    conversation: true,
    subAgents: true,
    budget: true,
    models: true,
    cost: true,
    systemPrompt: true,
    answers: true,
  },
  probe: { argv: ["claude", "--version"], parse: parseVersion },
  subAgents,
  login,
  loginFile,
  takesSharedFile,
  servers,
  account,
  invoke: invokeClaude,
  reader: claudeReader,
  resumeCommand: (conversation) => ["claude", "--resume", conversation],
};

const KNOWN_MAJOR = 2;
const INSTALL = "install it: npm install -g @anthropic-ai/claude-code";

function parseVersion(output: ProbeOutput): Probed {
  const told = versionOf("claude", output, INSTALL);
  if (!told.ok) return told;
  const { version } = told;
  const [major = 0] = told.parts;
  if (major < KNOWN_MAJOR) {
    const problem = `claude ${version} is too old, plait needs ${KNOWN_MAJOR} or newer`;
    return notUsable(problem, "update it: claude update");
  }
  const warning = `claude ${version} is newer than plait supports (${KNOWN_MAJOR}); its output may be misread`;
  return { ok: true, version, warning: major > KNOWN_MAJOR ? warning : null };
}

/** Observed first with 2.1.197: the file, and the flag that moves what differs between worktrees behind it. */
const FIRST_WITH_SHARED_FILE = [2, 1, 197];

function takesSharedFile(version: string): boolean {
  return isVersionSince(version, FIRST_WITH_SHARED_FILE);
}

/** Clouds have servers of their own, by region. */
const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"] as const;

function servers(env: Env): readonly string[] {
  const { ANTHROPIC_BASE_URL = "" } = env;
  if (CLOUDS.some((name) => !["", "0", "false"].includes(env[name] ?? ""))) return [];
  return [ANTHROPIC_BASE_URL || "https://api.anthropic.com"];
}

const IDENTITY: Identity = [
  ["ANTHROPIC_API_KEY", "api-key"],
  ["ANTHROPIC_AUTH_TOKEN", "auth-token"],
  ["CLAUDE_CODE_OAUTH_TOKEN", "oauth-token"],
  ["ANTHROPIC_BASE_URL", "server"],
  ["CLAUDE_CONFIG_DIR", "config"],
];

function account(facts: AccountFacts): Account {
  return { vendor: "anthropic", account: identityIn(IDENTITY, facts), model: facts.model ?? "default" };
}
