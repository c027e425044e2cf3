// The user's configuration as git reads it, once, at the start: what plait must respect, and what the shadow git dir
// freezes. Repository config is never written by plait.

import { linesOf } from "./run.ts";

export type ConfigScope = "system" | "global" | "local" | "worktree" | "command" | "unknown";

/** One setting; a key without a value is null, which git takes for true. */
export type ConfigEntry = {
  readonly scope: ConfigScope;
  readonly key: string;
  readonly value: string | null;
};

export type GitConfig = readonly ConfigEntry[];

/** Reads `git config -z --list --includes --show-scope`. */
export function parseConfig(stdout: Buffer): GitConfig {
  const fields = stdout.toString("utf8").split("\0");
  const entries: ConfigEntry[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [scope = "", setting = ""] = [fields[i], fields[i + 1]];
    const end = setting.indexOf("\n");
    const key = end < 0 ? setting : setting.slice(0, end);
    entries.push({ scope: scope as ConfigScope, key, value: end < 0 ? null : setting.slice(end + 1) });
  }
  return entries;
}

/** The value that counts: the last one. Keys are in lower case but for the middle part, as git prints them. */
export function configValue(config: GitConfig, key: string): string | null | undefined {
  return config.findLast((entry) => entry.key === key)?.value;
}

export function configFlag(config: GitConfig, key: string): boolean {
  const value = configValue(config, key);
  return value !== undefined && (value === null || /^(?:true|yes|on|[1-9]\d*)$/i.test(value));
}

/** A config file with these settings, which git reads back exactly. */
export function formatConfig(entries: readonly Pick<ConfigEntry, "key" | "value">[]): string {
  return entries.map(({ key, value }) => `${header(key)}\n\t${setting(key, value)}\n`).join("");
}

function header(key: string): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const section = key.slice(0, first);
  if (first === last) return `[${section}]`;
  return `[${section} "${key.slice(first + 1, last).replace(/["\\]/g, "\\$&")}"]`;
}

function setting(key: string, value: string | null): string {
  const name = key.slice(key.lastIndexOf(".") + 1);
  if (value === null) return name;
  const escapes: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\b": "\\b", '"': '\\"', "\\": "\\\\" };
  return `${name} = "${value.replace(/[\n\t\b"\\]/g, (char) => escapes[char] ?? char)}"`;
}

/** `git version 2.39.5 (Apple Git-154)` as numbers; null when it says something else. */
export function parseVersion(output: { readonly stdout: Buffer }): GitVersion | null {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(linesOf(output)[0] ?? "") ?? [];
  return major === undefined || minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}

export type GitVersion = { readonly major: number; readonly minor: number };

export function isAtLeast(version: GitVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
