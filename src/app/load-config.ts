import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type Config, type ConfigLayer, mergeConfig } from "../config/merge.ts";
import { buildPlanFinding } from "../core/analyze/catalog.ts";
import { findCopyProblem } from "../core/analyze/preparation.ts";
import type { BaseSettings } from "../core/draft.ts";
import type { Env } from "../core/plan.ts";
import type { Diagnostic, Position, SourceRange } from "../core/source.ts";
import { succeeds } from "../util/errno.ts";
import { buildFileFinding } from "./file-catalog.ts";
import type { ConfigText, ReadConfig } from "./read-config.ts";
import { buildTextFinding, CURRENT_FOLDER, readText } from "./read-text.ts";
import type { ProjectConfig } from "./trust/find-unagreed.ts";

export { BUILT_IN_WITHOUT_COST } from "../agents/built-in.ts";
export type { Config, ConfiguredAgent } from "../config/merge.ts";

export type ConfigQuestion = {
  /** The project's file is looked for from here up to the root of the repository. */
  readonly cwd: string;
  /** HOME and XDG_CONFIG_HOME say where the user's file lies. */
  readonly env: Env;
  /** What holds where no file says anything. */
  readonly base: BaseSettings;
  /** Redirecting variables that the user allows on the command line. */
  readonly allowedEnv?: readonly string[];
};

export type LoadedConfig = {
  /** Null when there is any error. */
  readonly config: Config | null;
  /** The project's file, which comes with the repository; null where there is none. */
  readonly project: ProjectConfig | null;
  /** What .worktreeinclude says, without what is wrong in it. */
  readonly include: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the file name that ranges use, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
};

const PROJECT_FILE = "plait.config.yaml";

/** Nobody writes so much by hand; the limit is checked before a file is read. */
const MAX_BYTES = 256 * 1024;

/**
 * The user's file, then the project's over it, and beside them the list of files that worktrees get. Each may be missing;
 * the parser is loaded only when one is there.
 */
export async function loadConfig({ cwd, env, base, allowedEnv = [] }: ConfigQuestion): Promise<LoadedConfig> {
  const user = userFile(env);
  const folders = await foldersToRoot(cwd);
  const found = [
    { origin: "user", read: user === null ? null : await readLayer(user, user) },
    { origin: "project", read: await projectLayer(cwd, folders) },
  ] as const;
  const there = found.flatMap(({ read }) => read ?? []);
  const layers: ConfigLayer[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { origin, read: one } of found) {
    if (one === null) continue;
    const allowed = [...allowedEnv, ...layers.flatMap(({ says }) => says["allow-env"] ?? [])];
    const read = one.ok
      ? await readLayerText({ ...one, origin, allowedEnv: allowed })
      : { says: null, diagnostics: [one.diagnostic] };
    if (read.says !== null) layers.push({ file: one.file, origin, says: read.says });
    diagnostics.push(...read.diagnostics);
  }
  const listed = await readIncludes(cwd, folders.at(-1) ?? cwd);
  diagnostics.push(...listed.diagnostics);
  const texts = [...there, ...listed.read].flatMap((one) => (one.ok ? [[one.file, one.text] as const] : []));
  return {
    config: diagnostics.length > 0 ? null : withAllowed(mergeConfig(base, layers), allowedEnv),
    project: layers.find(({ origin }) => origin === "project") ?? null,
    include: listed.include,
    diagnostics,
    sources: new Map(texts),
  };
}

const withAllowed = (config: Config, typed: readonly string[]): Config => ({
  ...config,
  allowedEnv: [...typed, ...config.allowedEnv],
});

async function readLayerText(layer: ConfigText): Promise<ReadConfig> {
  const { readConfig } = await import("./read-config.ts");
  return readConfig(layer);
}

async function readIncludes(cwd: string, root: string) {
  const path = join(root, INCLUDE_FILE);
  const read = await readLayer(path, relative(cwd, path), "list of files to copy");
  if (read === null) return { include: [], diagnostics: [], read: [] };
  if (!read.ok) return { include: [], diagnostics: [read.diagnostic], read: [] };
  return { ...readInclude(read.file, read.text), read: [read] };
}

/** XDG: a relative path there is to be ignored. With a relative home a repository could pass its own file off. */
function userFile({ XDG_CONFIG_HOME = "", HOME = homedir() }: Env): string | null {
  const folder = isAbsolute(XDG_CONFIG_HOME)
    ? XDG_CONFIG_HOME
    : isAbsolute(HOME)
      ? join(HOME, ".config")
      : null;
  return folder === null ? null : join(folder, "plait", "config.yaml");
}

/**
 * The nearest one, from `cwd` up to the folder that holds .git. Outside a repository only `cwd` itself is asked: what lies
 * above, such as /tmp, may be anybody's.
 */
async function projectLayer(cwd: string, folders: readonly string[]): Promise<ReadLayer | null> {
  for (const folder of folders) {
    const path = join(folder, PROJECT_FILE);
    const layer = await readLayer(path, relative(cwd, path));
    if (layer !== null) return layer;
  }
  return null;
}

async function foldersToRoot(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    // A folder that may not be looked into holds nothing for us.
    if (await succeeds(lstat(join(folder, ".git")))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

type ReadLayer = { readonly file: string } & (
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly diagnostic: Diagnostic }
);

/** Null where there is no such file. `file` is its name in messages. */
async function readLayer(path: string, file: string, noun = "configuration"): Promise<ReadLayer | null> {
  const read = await readText(path, MAX_BYTES);
  if (read.ok) return { ok: true, file, text: read.text };
  if (read.reason === "missing") return null;
  const about = { noun, tooLarge: "config-too-large", from: CURRENT_FOLDER } as const;
  return { ok: false, file, diagnostic: buildTextFinding(read, about, file) };
}

/** What the file is called, at the root of a repository; other tools read the same. */
const INCLUDE_FILE = ".worktreeinclude";

type ReadInclude = { readonly include: readonly string[]; readonly diagnostics: readonly Diagnostic[] };

/**
 * Without comments and blank lines. git drops a pattern that it cannot read and says nothing: here it is told, because a
 * missing file shows itself much later.
 */
function readInclude(file: string, text: string): ReadInclude {
  const include: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const lines = text.replace(/^\ufeff/, "").split("\n");
  for (const [i, written] of lines.entries()) {
    const line = withoutEnd(written.replace(/\r$/, ""));
    if (line === "" || line.startsWith("#")) continue;
    const problem = problemOf(line, rangeOf(file, i + 1, line));
    if (problem === null) include.push(line);
    else diagnostics.push(problem);
  }
  return { include, diagnostics };
}

function problemOf(line: string, at: SourceRange): Diagnostic | null {
  const shape = shapeProblem(line);
  // A slash in front only ties a pattern to the root.
  const place = findCopyProblem(line.replace(/^!/, "").replace(/^\/+/, "").replace(/\\/g, ""));
  if (shape !== null) return buildFileFinding("bad-include", { pattern: line, problem: shape }, at);
  if (place === null) return null;
  return buildPlanFinding("copy-escapes", { subject: INCLUDE_FILE, value: line, problem: place }, at);
}

/** Blanks at the end count only behind a backslash. */
function withoutEnd(line: string): string {
  const kept = /^.*\\ /.exec(line)?.[0] ?? "";
  return kept + line.slice(kept.length).replace(/[ \t]+$/, "");
}

function shapeProblem(line: string): string | null {
  if (Array.from(line).some((c) => (c < " " && c !== "\t") || c === "\u007f"))
    return "contains a control character";
  if (/^!?\/*$/.test(line)) return "names nothing";
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return "ends with a backslash";
  const open = line.replace(/\\./g, "").replace(/\[[!^]?\]?[^\]]*\]/g, "");
  return open.includes("[") ? "has an unclosed [" : null;
}

function rangeOf(file: string, line: number, text: string): SourceRange {
  const place = (col: number): Position => ({ line, col });
  return { file, start: place(1), end: place(text.length + 1) };
}
