// Which of the files that changed since the start of a run can make git run something: what an agent plants there would run as
// the user. A user who sets an upstream or a name meanwhile changes the same config file, and plants nothing. Neither do the
// tools of a project that do the same in every checkout, husky and Git LFS: what they set is told, and plait does not run
// under it either (docs/adr/0014).

import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { RunId } from "../core/ids.ts";
import { otherCommand, plait } from "../core/text/command.ts";
import { fix, plainText, sentence } from "../core/text/sentence.ts";
import { type ConfigEntry, parseConfig } from "./config.ts";
import { isGitFailure } from "./failure.ts";
import { exists } from "./files.ts";
import {
  changesSince,
  copyOf,
  type Fingerprint,
  type FingerprintChange,
  isUnread,
  keepCopies,
  NONE,
  type Start,
} from "./fingerprint.ts";
import { integrationRef, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/**
 * `runs`: git would run something else than before. `known`: the same, set by a well-known tool in the way that it always
 * does. `quiet`: nothing runs because of it.
 */
export type Weight = "runs" | "known" | "quiet";

export type JudgedChange = FingerprintChange & {
  readonly weight: Weight;
  /** What changed in a config file; null for other files, and where git cannot read it. */
  readonly settings: ChangedSettings | null;
  /** A file of plait's own that was put back before anything read it. */
  readonly isPutBack?: true;
};

/** Everything that is other than at the start. */
export async function judgedChanges(shadow: Shadow, start: Start): Promise<JudgedChange[]> {
  const changes = await changesSince(shadow, start);
  return Promise.all(changes.map((change) => judged(shadow, change, start)));
}

export async function plantedSince(shadow: Shadow, start: Start): Promise<JudgedChange[]> {
  const found = (await judgedChanges(shadow, start)).filter(({ weight }) => weight !== "quiet");
  // It ran nothing and is gone again; whoever did it meant to.
  const repaired = [...shadow.frozen.repaired].map((file): JudgedChange => {
    return { file, change: "changed", was: NONE, is: NONE, weight: "runs", settings: null, isPutBack: true };
  });
  return [...found, ...repaired];
}

/**
 * Harmless changes made after `since`, when no process of the run lived: they are a person's. Copied, so that later changes are
 * compared with them. Anything that git would run counts against the start of the run, whenever it came.
 */
export async function recordOwnChanges(shadow: Shadow, start: Start, since: number): Promise<Fingerprint> {
  if (!(await exists(start.keptIn))) return {};
  const harmless = (await judgedChanges(shadow, start)).filter(({ weight }) => weight !== "runs");
  const isLater = async (file: string): Promise<boolean> => {
    const found = (await stat(file).catch(() => null)) ?? (await stat(dirname(file)).catch(() => null));
    return found !== null && found.ctimeMs > since;
  };
  const times = await Promise.all(harmless.map(async ({ file }) => ({ file, own: await isLater(file) })));
  return keepCopies(
    times.filter(({ own }) => own).map(({ file }) => file),
    start.keptIn,
  );
}

/** For people: the files that may run something unknown, and the ways out; null where there are none. */
export async function describePlanted(
  shadow: Shadow,
  start: Start & { readonly run: RunId },
): Promise<string | null> {
  const planted = (await judgedChanges(shadow, start)).filter(({ weight }) => weight === "runs");
  if (planted.length === 0) return null;
  const files = planted.slice(0, MOST_NAMED).map(({ file, change }) => `${file} (${change})`);
  const rest = planted.length > MOST_NAMED ? [`${planted.length - MOST_NAMED} more`] : [];
  const restore = fix("Restore it", plait("restore", start.run));
  const merge = fix(
    "keep it and merge the run yourself",
    otherCommand("git", "merge", shortName(integrationRef(start.run))),
  );
  const what = `Changed since the run started: ${[...files, ...rest].join(", ")}`;
  return plainText(
    sentence`${what}. This could make git run other programs or land other content, so plait does not land. ${restore}, or ${merge}.`,
  );
}

const MOST_NAMED = 5;

/** What changed in a file, one text each. */
export function changeTexts({ settings, change }: JudgedChange): string[] {
  return settings === null ? [change] : settingTexts(settings);
}

async function judged(shadow: Shadow, change: FingerprintChange, start: Start): Promise<JudgedChange> {
  const { file } = change;
  if (isUnread(change.is)) return { ...change, settings: null, weight: "runs" };
  if (!isConfig(file)) return { ...change, settings: null, weight: await weightOfFile(change) };
  const was = copyOf(start, file);
  const settings = await changedSettings(shadow.repository, was, change.change === "removed" ? null : file);
  return { ...change, settings, weight: settings === null ? "runs" : weightOf(settings) };
}

const isConfig = (file: string): boolean => /^\.?(?:git)?config(?:\.worktree)?$/.test(basename(file));

async function weightOfFile({ file, change }: FingerprintChange): Promise<Weight> {
  if (file.endsWith(".sample")) return "quiet";
  // It hides files from git status alone, and not from plait, which has its own copy of the start.
  if (file.endsWith("/info/exclude") || file.endsWith("/git/ignore")) return "quiet";
  // A hook that is gone refuses nothing any more: neither a landing nor a push.
  if (change === "removed") return HOLDS_RULES.test(file) ? "quiet" : "runs";
  const text = await readFile(file, "utf8").catch(() => ""); // gone meanwhile: then nobody knows what it was
  return isLfsHook(basename(file), text) ? "known" : "runs";
}

/** Of the repository, or of the user. */
const HOLDS_RULES = /\/(?:info\/[^/]+|git\/attributes)$/;

/** As Git LFS writes it: one line that asks for the program, and the call. No other text fits. */
function isLfsHook(name: string, text: string): boolean {
  const [, event] =
    /^#!\/bin\/sh\ncommand -v git-lfs >\/dev\/null 2>&1 \|\| \{ (?:echo|printf) >&2 "[^"$`\\]*(?:\\n[^"$`\\]*)*"(?: "[^"$`\\]*")?; exit 2; \}\ngit lfs ([a-z-]+) "\$@"\n$/.exec(
      text,
    ) ?? [];
  return event !== undefined && event === name;
}

function weightOf({ set }: ChangedSettings): Weight {
  const running = set.filter(canRun);
  if (running.length === 0) return "quiet";
  return running.every(isWellKnown) ? "known" : "runs";
}

/** Settings whose value is a program, a place to read programs from, or another file with such settings. */
const RUNS_BY_SECTION = /^(?:alias|include|includeif|filter|hook|credential|url|pager)\./;
const RUNS_BY_NAME =
  /\.(?:\w*(?:command|cmd|hook|difffilter|editor|pager|program|helper|path|proxy|driver)|fsmonitor|askpass|textconv|clean|smudge|process|insteadof|pushinsteadof|uploadpack|receivepack|templatedir|worktree|external|vcs|allow)$/;

function canRun({ key, value }: Setting): boolean {
  return RUNS_BY_SECTION.test(key) || RUNS_BY_NAME.test(key) || value?.startsWith("!") === true;
}

/** As `git lfs install` sets them, in any of its ways. */
const LFS: { readonly [key: string]: RegExp } = {
  "filter.lfs.clean": /^git-lfs clean -- %f$/,
  "filter.lfs.smudge": /^git-lfs smudge (?:--skip )?-- %f$/,
  "filter.lfs.process": /^git-lfs filter-process(?: --skip)?$/,
  "filter.lfs.required": /^true$/,
};

function isWellKnown({ key, value }: Setting): boolean {
  if (key === "core.hookspath") return hooksInTree(value) !== null;
  return LFS[key]?.test(value ?? "") === true;
}

/** The folder, where hooks come from the files of the project, as husky has it. */
export function hooksInTree(value: string | null): string | null {
  if (value === null || isAbsolute(value) || value.startsWith("~") || value.startsWith("%")) return null;
  const parts = value.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes("..") || parts[0]?.toLowerCase() === ".git") return null;
  return join(...parts);
}

type Setting = Pick<ConfigEntry, "key" | "value">;

type ChangedSettings = {
  /** New, or with another value than before. */
  readonly set: readonly Setting[];
  /** With the value that they had. */
  readonly unset: readonly Setting[];
};

/**
 * As git reads the two files: a setting may share a line with its section or span several, so lines are not compared. A
 * file that is not there is an empty one. The answer is null where git cannot read one of the two.
 */
async function changedSettings(
  repository: Repository,
  was: string | null,
  is: string | null,
): Promise<ChangedSettings | null> {
  const [before, after] = [await settingsIn(repository, was), await settingsIn(repository, is)];
  if (before === null || after === null) return null;
  return { set: without(after, before), unset: without(before, after) };
}

async function settingsIn({ git, commonDir }: Repository, file: string | null): Promise<Setting[] | null> {
  if (file === null || !(await exists(file))) return [];
  const args = ["config", "-z", "--list", "--no-includes", "--show-scope", "--file", file];
  try {
    return [...parseConfig((await git({ args, cwd: commonDir })).stdout)];
  } catch (error) {
    if (isGitFailure(error, "no-git", "no-space")) throw error;
    return null;
  }
}

function without(all: readonly Setting[], known: readonly Setting[]): Setting[] {
  const text = ({ key, value }: Setting) => JSON.stringify([key, value]);
  const there = new Set(known.map(text));
  return all.filter((one) => !there.has(text(one)));
}

/** For people: `core.hookspath = .husky/_ (was .githooks)`. */
function settingTexts({ set, unset }: ChangedSettings): string[] {
  const gone = unset.filter(({ key }) => !set.some((one) => one.key === key));
  return [
    ...set.map(({ key, value }) => {
      const was = unset.find((one) => one.key === key);
      return `${key} = ${shortened(value)}${was === undefined ? "" : ` (was ${shortened(was.value)})`}`;
    }),
    ...gone.map(({ key }) => `${key} was removed`),
  ];
}

const MOST_CHARS = 120;

function shortened(value: string | null): string {
  const text = value ?? "true";
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}...`;
}
