// What agents start by themselves because a repository's own settings say so: hooks, servers for tools, helpers for logins,
// plugins. Agents ask about these when a person opens the folder; without a person they do not.

import { findEnvRefusal } from "../../core/analyze/variables.ts";
import type { Caps } from "../../core/caps.ts";
import type { Execution } from "../../core/select/preview/executions.ts";
import { indexText } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { plain } from "../../formats/yaml/tree.ts";

const CLAUDE = [".claude", ".mcp.json"];
const CODEX = [".codex"];
const OTHERS = [".gemini", ".cursor", ".opencode", "opencode.json", "opencode.jsonc"];

/** Where settings lie that the agents of a plan read, from the root of the repository. */
export function listSettingsPaths(agents: ReadonlySet<string>): string[] {
  const used = [...agents].filter((name) => name !== "demo");
  const isOwn = (name: string) => name !== "claude" && name !== "codex";
  return [
    ...(used.some((name) => name === "claude" || isOwn(name)) ? CLAUDE : []),
    ...(used.some((name) => name === "codex" || isOwn(name)) ? CODEX : []),
    ...(used.some(isOwn) ? OTHERS : []),
  ];
}

const SETTINGS =
  /^(?:\.mcp\.json|opencode\.jsonc?|\.claude\/settings(?:\.local)?\.json|\.codex\/(?:config\.toml|hooks\.json)|\.gemini\/settings\.json|\.cursor\/(?:mcp|hooks)\.json|\.opencode\/opencode\.jsonc?)$/;
const WITH_FRONT = /^\.claude\/(?:agents|skills|commands)\/.*\.md$/;
const CODE = /^\.opencode\/plugins?\/.*\.[cm]?[jt]s$/;

export const mayExecute = (path: string): boolean =>
  SETTINGS.test(path) || WITH_FRONT.test(path) || CODE.test(path);

/** What the settings in this file have an agent start. */
export function listSettingsExecutions(path: string, text: string): Execution[] {
  if (CODE.test(path)) return [{ what: "plugin", text: "loaded by the agent" }];
  if (path.endsWith(".toml")) return listTomlExecutions(text);
  const [, front = ""] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? [];
  const value = parseSettings(WITH_FRONT.test(path) ? front : text);
  if (value === UNREADABLE && WITH_FRONT.test(path) && front === "") return [];
  if (value === UNREADABLE) return [{ what: "settings", text: "cannot be read" }];
  return [...listStarted(value, []), ...listRedirections(value)];
}

const UNREADABLE = Symbol("unreadable");

/** JSON is YAML, and comments that some of these files have are read away first. */
function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const index = indexText("settings", text.replace(/^\s*\/\/.*$/gm, ""), "configuration");
    const part = { start: 0, end: index.text.length };
    const { tree, diagnostics } = parseYaml(index, { part, caps: CAPS, json: false });
    return tree === null || diagnostics.length > 0 ? UNREADABLE : plain(tree);
  }
}

/** The reader of YAML asks for limits of plans; only the depth means something here. */
const CAPS: Caps = { maxPlanBytes: 0, maxDepth: 32, maxTasks: Number.MAX_SAFE_INTEGER, maxPromptBytes: 0 };

type Path = readonly string[];

const HELPERS =
  /(?:Helper|AuthRefresh|CredentialExport)$|^(?:enabledPlugins|extraKnownMarketplaces|plugin|plugins|enableAllProjectMcpServers|enabledMcpjsonServers)$/;

/** Whatever has a command or an address, by the keys that lead there. */
function listStarted(value: unknown, path: Path): Execution[] {
  if (typeof value !== "object" || value === null) return [];
  const { command, args, url, httpUrl } = value as Readonly<Record<string, unknown>>;
  const words = [command, args].flat().filter((word) => typeof word === "string");
  const address = [url, httpUrl].find((one) => typeof one === "string") as string | undefined;
  const what = path.filter((key) => !/^\d+$/.test(key) && key !== "hooks").join(" ") || "hook";
  const here = [
    ...(words.length > 0 ? [{ what, text: words.join(" ") }] : []),
    ...(address === undefined ? [] : [{ what, text: address }]),
  ];
  const below = Object.entries(value).flatMap(([key, one]) =>
    HELPERS.test(key)
      ? [{ what: key, text: typeof one === "string" ? one : JSON.stringify(one) }]
      : listStarted(one, [...path, key]),
  );
  return [...here, ...below];
}

/** Variables that settings give to the agent itself. */
function listRedirections(value: unknown): Execution[] {
  const env = (value as { readonly env?: unknown } | null)?.env;
  if (typeof env !== "object" || env === null) return [];
  const refused = Object.entries(env).filter(([name]) => findEnvRefusal(name) !== null);
  return refused.map(([name, one]) => ({ what: `env ${name}`, text: String(one) }));
}

/** Not parsed: each line that names a program or an address, with its table. */
function listTomlExecutions(text: string): Execution[] {
  let table = "settings";
  return text.split("\n").flatMap((line) => {
    table = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1] ?? table;
    const [, key, value = ""] =
      /^\s*("?[\w.-]*(?:command|args|url|notify|helper|model_provider)"?)\s*=\s*(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [{ what: `${table} ${key}`, text: value.trim() }];
  });
}
