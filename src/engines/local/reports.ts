// Report files: what a read-only task writes as its result (`reports`). They are hidden from git in every worktree, so nobody
// commits them. When an attempt is saved, those that it wrote are copied into the run folder; what depends on the task is told
// what they say, and finds them at the same paths.

import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cutMiddle } from "../../agents/text.ts";
import type { Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import { ignoreLines } from "../../core/ownership/compile.ts";
import {
  attemptFolder,
  type CollectCaps,
  type Collected,
  collectedIn,
  collectFiles,
  findFiles,
  MIB,
  makeFolder,
  missing,
  type ToCollect,
} from "./collect-files.ts";
import { copyPaths } from "./copy-tree.ts";
import { writeWhole } from "./run-folder.ts";

const CAPS: CollectCaps = { files: 50, bytes: 8 * MIB, runBytes: 256 * MIB, looks: 100_000 };

/** What git is not to see, of every plan that the run has had: an attempt of an earlier one may wait to be saved. */
export function hiddenReports(facts: readonly Fact[]): string[] {
  const plans = facts.flatMap((fact) =>
    fact.type === "run.started" || fact.type === "plan.revised" ? [fact.plan] : [],
  );
  return [
    ...new Set(plans.flatMap(({ tasks }) => tasks.flatMap(({ reports }) => reports.flatMap(ignoreLines)))),
  ];
}

export type ReportsOf = Pick<ToCollect, "from" | "patterns"> & { readonly attempt: AttemptId };

/** Notes what matches before the work begins: tracked files, copies, reports of others. None of it is the attempt's. */
export async function noteReports(runDir: string, { attempt, from, patterns }: ReportsOf): Promise<void> {
  if (patterns.length === 0) return;
  const { paths } = await findFiles(from, patterns, CAPS.looks);
  if (paths.length > 0) await writeNote(runDir, attempt, await signsOf(from, paths));
}

/** The attempt goes on in the worktree of another. */
export async function noteReportsAsBefore(
  runDir: string,
  attempt: AttemptId,
  before: AttemptId,
): Promise<void> {
  const note = await readNote(runDir, before);
  if (note.size > 0) await writeNote(runDir, attempt, note);
}

/** Copies what the attempt wrote or changed. Null where that is nothing. */
export async function keepReports(
  runDir: string,
  { attempt, from, patterns }: ReportsOf,
  caps: CollectCaps = CAPS,
): Promise<Collected | null> {
  if (patterns.length === 0) return null;
  const before = await readNote(runDir, attempt);
  const meant = async (paths: readonly string[]) => {
    const now = await signsOf(from, paths);
    return paths.filter((path) => now.get(path) !== before.get(path));
  };
  const used = () => keptBytes(runDir);
  return collectFiles(
    { from, patterns, folder: attemptFolder(runDir, "reports", attempt), meant, used },
    caps,
  );
}

/** What was kept of an attempt. */
export function reportsOf(runDir: string, attempt: AttemptId): Promise<Collected | null> {
  return collectedIn(attemptFolder(runDir, "reports", attempt));
}

/** Puts them at their paths in a worktree, where nothing is there yet. */
export async function placeReports(
  runDir: string,
  attempt: AttemptId,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal },
): Promise<void> {
  const kept = await reportsOf(runDir, attempt);
  if (kept === null) return;
  await copyPaths({ from: kept.folder, to, paths: kept.files.map(({ path }) => path), signal });
}

/** Of one file, and of all of them: their dependents' prompts hold less. */
const MOST_OF_A_FILE = 32_000;
const MOST_OF_ALL = 128_000;

/** The last words of the task, and behind them what its files say. */
export async function reportText(said: string, { folder, files }: Collected): Promise<string> {
  const parts = said.trim() === "" ? [] : [said.trim()];
  let left = MOST_OF_ALL;
  for (const { path } of files) {
    const text = await readText(join(folder, path), Math.min(left, MOST_OF_A_FILE));
    left -= text?.length ?? 0;
    parts.push(text === null ? `The file ${path} is not text.` : `The file ${path}:\n\n${text.trim()}`);
  }
  return `${parts.join("\n\n")}\n`;
}

/** Null where it is no text. */
async function readText(path: string, most: number): Promise<string | null> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    return text.includes("\0") ? null : cutMiddle(text, most);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** By path: what changes with every write. */
type Note = ReadonlyMap<string, string>;

async function signsOf(root: string, paths: readonly string[]): Promise<Note> {
  const signs = new Map<string, string>();
  for (const path of paths) {
    const found = await lstat(join(root, path), { bigint: true }).catch(missing(null));
    if (found !== null) signs.set(path, `${found.ino}:${found.size}:${found.ctimeNs}`);
  }
  return signs;
}

const noteOf = (runDir: string, attempt: AttemptId): string =>
  `${attemptFolder(runDir, "reports", attempt)}.before.json`;

async function writeNote(runDir: string, attempt: AttemptId, note: Note): Promise<void> {
  const path = noteOf(runDir, attempt);
  await makeFolder(dirname(path));
  await writeWhole(path, `${JSON.stringify([...note])}\n`);
}

async function readNote(runDir: string, attempt: AttemptId): Promise<Note> {
  const text = await readFile(noteOf(runDir, attempt), "utf8").catch(missing("[]"));
  return new Map(JSON.parse(text)); // written whole, above
}

async function keptBytes(runDir: string): Promise<number> {
  let total = 0;
  const top = join(runDir, "reports");
  for (const task of await readdir(top).catch(missing([]))) {
    for (const name of await readdir(join(top, task))) {
      if (!/^\d+\.json$/.test(name)) continue;
      const kept = await collectedIn(join(top, task, name.replace(/\.json$/, "")));
      for (const { bytes } of kept?.files ?? []) total += bytes;
    }
  }
  return total;
}
