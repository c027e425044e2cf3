import type { Account, AccountFacts, Adapter, Probed, ProbeOutput } from "../adapter.ts";
import { lastLine } from "../text.ts";
import { invokeClaude } from "./invoke.ts";
import { claudeReader } from "./read.ts";
import { subAgents } from "./sub-agents.ts";

/** Claude Code, run headless with `-p`. What is said here about it was observed with 2.1.197 and 2.1.325. */
export const claude: Adapter = {
  name: "claude",
  title: "Claude Code",
  supports: { conversation: true, subAgents: true, budget: true, models: true, cost: true },
  probe: { argv: ["claude", "--version"], parse: parseVersion },
  subAgents,
  login: null,
  account,
  invoke: invokeClaude,
  reader: claudeReader,
  resumeCommand: (conversation) => ["claude", "--resume", conversation],
};

const KNOWN_MAJOR = 2;
const INSTALL = "install it: npm install -g @anthropic-ai/claude-code";

function parseVersion({ stdout, stderr, code }: ProbeOutput): Probed {
  if (code === null) return problem("claude was not found or cannot be started", INSTALL);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) {
    const said = lastLine(stderr, 200) || lastLine(stdout, 200) || "nothing";
    return problem(`claude --version ended with exit code ${code} and said: ${said}`, INSTALL);
  }
  const major = Number(version.split(".")[0]);
  if (major < KNOWN_MAJOR) {
    return problem(
      `claude ${version} is too old, plait needs ${KNOWN_MAJOR} or later`,
      "update it: claude update",
    );
  }
  const warning = `plait knows claude ${KNOWN_MAJOR}; this is ${version}, which may print other things`;
  return { ok: true, version, warning: major > KNOWN_MAJOR ? warning : null };
}

function problem(message: string, hint: string): Probed {
  return { ok: false, problem: { message, hint } };
}

/** What decides as whom it logs in. Which of them wins is Claude's business, so all that are set make the account. */
const IDENTITY = [
  ["ANTHROPIC_API_KEY", "api-key"],
  ["ANTHROPIC_AUTH_TOKEN", "auth-token"],
  ["CLAUDE_CODE_OAUTH_TOKEN", "oauth-token"],
  ["ANTHROPIC_BASE_URL", "server"],
  ["CLAUDE_CONFIG_DIR", "config"],
] as const;

function account({ env, model, fingerprint }: AccountFacts): Account {
  const parts = IDENTITY.flatMap(([variable, label]) => {
    const value = env[variable];
    return value === undefined || value === "" ? [] : [`${label}:${fingerprint(value)}`];
  });
  return { vendor: "anthropic", account: parts.join(" ") || "login", model: model ?? "default" };
}
