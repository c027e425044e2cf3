// One configuration file, from text to what it says. Loaded only where there is such a file.

import { BUILT_IN_NAMES } from "../agents/built-in.ts";
import { type CommandAgent, type CommandProblem, commandProblems } from "../agents/command/config.ts";
import { adviceOn } from "../config/advice.ts";
import { agentsOf, choiceOf } from "../config/merge.ts";
import { type ConfigFile, configFile, parseConfig } from "../config/schema.ts";
import { checkAgent } from "../core/analyze/commands.ts";
import { checkEnv } from "../core/analyze/environment.ts";
import { collectFindings } from "../core/analyze/findings.ts";
import { portsFrom } from "../core/analyze/ports.ts";
import { checkPreparation } from "../core/analyze/preparation.ts";
import type { Caps } from "../core/caps.ts";
import { findPortsProblem } from "../core/ports.ts";
import type { Diagnostic } from "../core/source.ts";
import { quoted } from "../core/text/figures.ts";
import { findingsOf } from "../formats/findings.ts";
import { preparationOf } from "../formats/native/settings-draft.ts";
import { schemaDiagnostics } from "../formats/schema-diagnostics.ts";
import { indexText, type TextIndex } from "../formats/text-index.ts";
import { parseYaml } from "../formats/yaml/parse.ts";
import { keyRangeAt, type Path, plain, rangeAt, type Tree } from "../formats/yaml/tree.ts";
import { isLoopback } from "../util/loopback.ts";
import { buildFileFinding } from "./file-catalog.ts";

export type ReadConfig = {
  /** Null when there is any error. */
  readonly says: ConfigFile | null;
  readonly diagnostics: readonly Diagnostic[];
};

export type ConfigText = {
  readonly file: string;
  readonly text: string;
  /** The user's file may do more than one that comes with a repository. */
  readonly origin: "user" | "project";
  /** Redirecting variables that the user allows. */
  readonly allowedEnv?: readonly string[];
};

/** The reader of YAML asks for limits of plans; only the depth means something here. */
const CAPS: Caps = { maxPlanBytes: 0, maxDepth: 32, maxTasks: Number.MAX_SAFE_INTEGER, maxPromptBytes: 0 };

export function readConfig(config: ConfigText): ReadConfig {
  const { file, text } = config;
  const index = indexText(file, text, "configuration");
  const parsed = parseYaml(index, { part: { start: 0, end: text.length }, caps: CAPS, json: false });
  const syntax = parsed.diagnostics;
  if (parsed.tree === null) return { says: syntax.length > 0 ? null : {}, diagnostics: syntax };
  const { tree } = parsed;
  const checked = parseConfig(plain(tree));
  if (!checked.success) {
    const context = {
      index,
      tree,
      schema: configFile,
      adviceOn,
      codeFor: ([first]: Path) => (first === "ports" ? "bad-ports" : null),
    };
    const { diagnostics } = schemaDiagnostics(findingsOf(checked.error.issues), context);
    return { says: null, diagnostics: [...syntax, ...diagnostics] };
  }
  const places = { index, tree };
  const diagnostics = [
    ...syntax,
    ...meaningProblems(checked.data, places, config),
    ...(config.origin === "project" ? listUserOnly(checked.data, places) : []),
  ];
  return { says: diagnostics.length > 0 ? null : checked.data, diagnostics };
}

type Places = { readonly index: TextIndex; readonly tree: Tree };

/** What only the user's own file may say. */
function listUserOnly(says: ConfigFile, { index, tree }: Places): Diagnostic[] {
  const found: (readonly [Path, string])[] = [];
  if (says["allow-env"] !== undefined) found.push([["allow-env"], "is only allowed in your own file"]);
  const addresses: [Path, string | undefined][] = [
    [["notify", "webhook"], says.notify?.webhook],
    [["traces", "endpoint"], says.traces?.endpoint],
  ];
  for (const [path, address] of addresses)
    if (address !== undefined && isLoopback(new URL(address).hostname))
      found.push([path, "points to your own machine"]);
  return found.map(([path, problem]) => {
    const params = { key: path.join("."), problem };
    const at = path.length === 1 ? keyRangeAt(index, tree, path) : rangeAt(index, tree, path);
    return buildFileFinding("config-only-yours", params, at);
  });
}

/** What a schema cannot see. */
function meaningProblems(says: ConfigFile, { index, tree }: Places, config: ConfigText): Diagnostic[] {
  const { origin, allowedEnv = [] } = config;
  const own = agentsOf(says).flatMap(({ env }) => Object.keys(env));
  const { report, sorted } = collectFindings(origin === "user" ? own : allowedEnv);
  const agent = says.defaults?.agent;
  const value = choiceOf(agent);
  if (value !== undefined) {
    checkAgent({ value, at: rangeAt(index, tree, ["defaults", "agent"]) }, "defaults", report);
  }
  const { prepare } = says;
  if (prepare !== undefined) {
    const places = {
      at: (...path: Path) => rangeAt(index, tree, ["prepare", ...path]),
      keyAt: (...path: Path) => keyRangeAt(index, tree, ["prepare", ...path]),
    };
    const subject = "the configuration";
    checkPreparation(preparationOf(prepare, places), { subject, at: places.at(), report });
  }
  const { from, to } = says.ports ?? {};
  const ports = from === undefined || to === undefined ? null : portsFrom(null, says.ports);
  const problem = ports === null ? null : findPortsProblem(ports); // a range of two files is checked with the plan
  if (problem !== null) report("bad-ports", problem, rangeAt(index, tree, ["ports"]));
  const problems = agentsOf(says).flatMap((one) => {
    const place = ["agents", one.name];
    const env = Object.entries(one.env).map(([name, value]) => ({
      name: { value: name, at: keyRangeAt(index, tree, [...place, "env", name]) },
      value: { value, at: rangeAt(index, tree, [...place, "env", name]) },
    }));
    checkEnv(env, `the agent ${quoted(one.name)}`, report);
    return agentProblems(one, index, tree);
  });
  return [...problems, ...sorted()];
}

const fields = {
  argv: "run",
  readOnlyArgs: "read-only-args",
  versionArgv: "version",
  exits: "exits",
} as const;

function agentProblems(agent: CommandAgent, index: TextIndex, tree: Tree): Diagnostic[] {
  const place: Path = ["agents", agent.name];
  const rangeOf = ({ at }: CommandProblem) => {
    if (at === null) return keyRangeAt(index, tree, place);
    const path = [...place, fields[at[0]], at[1]];
    return at[0] === "exits" ? keyRangeAt(index, tree, path) : rangeAt(index, tree, path);
  };
  return commandProblems(agent, BUILT_IN_NAMES).map((found) => {
    const params = { agent: agent.name, problem: found.problem, advice: found.hint };
    return buildFileFinding("config-agent", params, rangeOf(found));
  });
}
