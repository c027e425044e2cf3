import { join } from "node:path";
import type { Env } from "../../core/plan.ts";
import type { Adapter, LoginAnswer, Probed, ProbeOutput } from "../adapter.ts";
import { withoutRefresh } from "../agent-home.ts";
import { type Identity, identityIn, isVersionSince, notUsable, versionOf } from "../cli-program.ts";
import { objectAt, parseObject, textAt, textsAt } from "../json.ts";
import { invokeClaude } from "./invoke.ts";
import { claudeReader } from "./read.ts";

/**
 * A server that nobody listens at. What plait asks Claude here Claude answers by itself, so nothing is sent to a model, whoever serves
 * it. Should a release not know a command and take the words for a prompt, it cannot connect, and ends without a token spent.
 */
const NOWHERE = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

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
  /** Claude tells the agents it knows, from every source, in its first event. */
  subAgents: {
    folder: ".claude",
    invocation: {
      argv: [
        "claude",
        "-p",
        ...["--output-format", "stream-json", "--verbose"],
        "--no-session-persistence", // else `claude --continue` would continue this one
        // Wins over an `env` key in the settings of the user and of the project.
        ...["--settings", JSON.stringify({ env: NOWHERE })],
      ],
      env: { ...NOWHERE, CLAUDE_CODE_MAX_RETRIES: "0" },
      stdin: "/cost",
      notes: [],
    },
    parse: parseSubAgents,
  },
  /** Answers from its own files, in a second. */
  login: {
    invocation: () => ({
      argv: ["claude", "auth", "status"],
      env: { ...NOWHERE, CLAUDE_CODE_MAX_RETRIES: "0" },
      stdin: "",
      notes: [],
    }),
    parse: parseLogin,
  },
  /** Claude keeps its tokens elsewhere, or in a keychain; whose they are is in its settings. */
  loginFile: {
    path: ({ CLAUDE_CONFIG_DIR = "", HOME = "" }) => {
      const folder = CLAUDE_CONFIG_DIR || HOME;
      return folder === "" ? null : join(folder, ".claude.json");
    },
    parse: (text) => {
      const account = objectAt(parseObject(text), "oauthAccount");
      const parts = ["accountUuid", "organizationUuid"].map((name) => textAt(account, name) ?? "");
      return parts.every((part) => part === "") ? null : parts.join(" ");
    },
  },
  home: {
    folder: claudeFolder,
    reads: [
      "settings.json",
      "CLAUDE.md",
      "agents",
      "skills",
      "commands",
      "plugins",
      "hooks",
      "output-styles",
    ],
    conversations: "projects",
    files: [
      {
        path: ({ CLAUDE_CONFIG_DIR = "", HOME = "" }) => join(CLAUDE_CONFIG_DIR || HOME, ".claude.json"),
        // Not the user's own: it lists all projects and servers, and servers planted there would run outside.
        fill: () => JSON.stringify({ hasCompletedOnboarding: true }),
      },
      {
        path: (env) => join(claudeFolder(env) ?? "", ".credentials.json"),
        fill: (text) =>
          withoutRefresh(text, ({ claudeAiOauth }) =>
            typeof claudeAiOauth === "object" && claudeAiOauth !== null
              ? { claudeAiOauth: { ...claudeAiOauth, refreshToken: "" } }
              : null,
          ),
      },
    ],
    variables: /^(?:ANTHROPIC|CLAUDE)_/,
  },
  takesSharedFile: (version) => isVersionSince(version, FIRST_WITH_SHARED_FILE),
  servers: (env) => {
    const { ANTHROPIC_BASE_URL = "" } = env;
    if (CLOUDS.some((name) => !["", "0", "false"].includes(env[name] ?? ""))) return [];
    return [ANTHROPIC_BASE_URL || "https://api.anthropic.com"];
  },
  account: (facts) => ({
    vendor: "anthropic",
    account: identityIn(IDENTITY, facts),
    model: facts.model ?? "default",
  }),
  invoke: invokeClaude,
  reader: claudeReader,
  resumeCommand: (conversation) => ["claude", "--resume", conversation],
};

function claudeFolder({ CLAUDE_CONFIG_DIR = "", HOME = "" }: Env): string | null {
  if (CLAUDE_CONFIG_DIR !== "") return CLAUDE_CONFIG_DIR;
  return HOME === "" ? null : join(HOME, ".claude");
}

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

/** It brings some along, so an empty list is one that it does not tell. */
function parseSubAgents(stdout: string): readonly string[] | null {
  for (const line of stdout.split("\n")) {
    const event = parseObject(line);
    if (textAt(event, "type") !== "system" || textAt(event, "subtype") !== "init") continue;
    const names = textsAt(event, "agents");
    return names.length === 0 ? null : names;
  }
  return null;
}

/** An answer that is not understood is no reason to refuse: the first attempt will tell. */
function parseLogin(stdout: string): LoginAnswer | null {
  const { loggedIn: isIn = null } = parseObject(stdout) ?? {};
  if (typeof isIn !== "boolean") return null;
  return { problem: isIn ? null : NOT_LOGGED_IN };
}

const NOT_LOGGED_IN = {
  message: "claude is not logged in",
  hint: "log in: claude auth login (or set CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY)",
};

/** Observed first with 2.1.197: the file, and the flag that moves what differs between worktrees behind it. */
const FIRST_WITH_SHARED_FILE = [2, 1, 197];

/** Clouds have servers of their own, by region. */
const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"] as const;

const IDENTITY: Identity = [
  ["ANTHROPIC_API_KEY", "api-key"],
  ["ANTHROPIC_AUTH_TOKEN", "auth-token"],
  ["CLAUDE_CODE_OAUTH_TOKEN", "oauth-token"],
  ["ANTHROPIC_BASE_URL", "server"],
  ["CLAUDE_CONFIG_DIR", "config"],
];
