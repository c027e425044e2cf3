import type { Account, AccountFacts, Adapter, Probed, ProbeOutput } from "../adapter.ts";
import { lastLine } from "../text.ts";
import { invokeCodex } from "./invoke.ts";
import { login } from "./login.ts";
import { codexReader } from "./read.ts";

/** OpenAI's Codex, run headless by `codex exec`. What is said here about it was observed with 0.166.0. */
export const codex: Adapter = {
  name: "codex",
  title: "Codex",
  supports: { conversation: true, subAgents: false, budget: false, models: true, cost: false },
  probe: { argv: ["codex", "--version"], parse: parseVersion },
  subAgents: null,
  login,
  account,
  invoke: invokeCodex,
  reader: codexReader,
  resumeCommand: (conversation) => ["codex", "resume", conversation],
};

const INSTALL = "install it: npm install -g @openai/codex";

/** Its numbers begin with 0 and change every few days, so there is no major one to know. */
const OLDEST = [0, 166];

function parseVersion({ stdout, stderr, code }: ProbeOutput): Probed {
  if (code === null) return problem("codex was not found or cannot be started", INSTALL);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) {
    const said = lastLine(stderr, 200) || lastLine(stdout, 200) || "nothing";
    return problem(`codex --version ended with exit code ${code} and said: ${said}`, INSTALL);
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [knownMajor = 0, knownMinor = 0] = OLDEST;
  const isOlder = major === knownMajor && minor < knownMinor;
  const isOther = isOlder || major > knownMajor;
  const warning = `plait knows codex ${OLDEST.join(".")} and later ones of ${knownMajor}; this is ${version}, which may print other things`;
  return { ok: true, version, warning: isOther ? warning : null };
}

function problem(message: string, hint: string): Probed {
  return { ok: false, problem: { message, hint } };
}

/** What decides as whom it logs in, and where. Providers of the user's own read their keys from variables of any name. */
const IDENTITY = [
  ["CODEX_API_KEY", "api-key"],
  ["CODEX_ACCESS_TOKEN", "access-token"],
  ["OPENAI_API_KEY", "openai-key"],
  ["OPENAI_BASE_URL", "server"],
  ["CODEX_HOME", "config"],
] as const;

function account({ env, model, fingerprint }: AccountFacts): Account {
  const parts = IDENTITY.flatMap(([variable, label]) => {
    const value = env[variable];
    return value === undefined || value === "" ? [] : [`${label}:${fingerprint(value)}`];
  });
  return { vendor: "openai", account: parts.join(" ") || "login", model: model ?? "default" };
}
