// Which of the files that changed since the start of a run can make git run something: what an agent plants there would run as
// the user. A user who sets an upstream or a name meanwhile changes the same config file, and plants nothing.

import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { changesSince, type Fingerprint, type FingerprintChange } from "./fingerprint.ts";
import type { Repository } from "./repository.ts";

export async function plantedSince(
  repository: Repository,
  before: Fingerprint,
  keptIn: string,
): Promise<FingerprintChange[]> {
  const changes = await changesSince(repository, before, keptIn);
  const planted: FingerprintChange[] = [];
  for (const change of changes) {
    if (change.change !== "removed" && (await canRun(change.file, before[change.file], keptIn)))
      planted.push(change);
  }
  return planted;
}

export const PLANTED =
  "Hooks or config changed since the run started; plait runs git only under those that were there then.";

/** The same for people: each file, and what puts it back. */
export async function plantedFiles(
  repository: Repository,
  { fingerprint, keptIn }: { readonly fingerprint: Fingerprint; readonly keptIn: string },
): Promise<string[]> {
  const planted = await plantedSince(repository, fingerprint, keptIn);
  return planted.map(({ file, change, restore }) => `${file} (${change}; to undo: ${restore})`);
}

async function canRun(file: string, was: string | undefined, keptIn: string): Promise<boolean> {
  if (!/^\.?(?:git)?config(?:\.worktree)?$/.test(basename(file))) return !file.endsWith(".sample");
  const old = new Set(linesThatRun(await textOf(was === undefined ? null : join(keptIn, was))));
  return linesThatRun(await textOf(file)).some((line) => !old.has(line));
}

/** Settings whose value is a program, a place to read programs from, or another file with such settings. */
const RUNS =
  /^\s*(?:(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|command|textconv|cmd|driver|clean|smudge|process|helper|program|insteadof|pushinsteadof|path|proxy|uploadpack|receivepack|templatedir|worktree|external)\s*=|\[\s*(?:alias|include|includeif|filter|hook|credential|url)\b)/i;

function linesThatRun(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => RUNS.test(line))
    .map((line) => line.trim());
}

async function textOf(path: string | null): Promise<string> {
  if (path === null) return "";
  return readFile(path, "utf8").catch(() => ""); // gone, or too large to be kept: then every such line counts as new
}
