// Gates that were green for a tree, kept for the next run of the repository: the base of a run is mostly what the run before it
// landed. A verdict holds for the tree, all that is executed, and all that the tree was prepared with. Red ones are not kept:
// whatever made a gate red may be gone.

import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EpochMs } from "../../core/facts.ts";
import type { Oid } from "../../core/ids.ts";
import type { Gate, Preparation } from "../../core/plan.ts";
import { ifMissing } from "../../util/errno.ts";
import type { RunContext } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";

/** What a verdict is about. */
export type RememberedCheck = { readonly tree: Oid; readonly gate: Gate; readonly prepare: Preparation };

/** Tools on the machine change without a trace in any of this. */
const LONGEST_MS = 24 * 3_600_000;
const MOST_VERDICTS = 200;

/** Where the verdicts of a repository are, beside its runs. */
export const greenFolder = (runFolder: string): string => join(dirname(dirname(runFolder)), "green");

/** When the gate was green for exactly this; null where that is not known, or is too long ago. */
export async function recallGreen(site: RunContext, check: RememberedCheck): Promise<EpochMs | null> {
  if (site.workFolder !== null) return null;
  try {
    const name = await hashCheck(site, check);
    if (name === null) return null;
    const path = join(greenFolder(site.folder.path), name);
    const { at }: { at?: unknown } = JSON.parse(await readFile(path, "utf8"));
    const now = site.clock.now();
    return typeof at === "number" && at <= now && now - at < LONGEST_MS ? at : null;
  } catch {
    return null; // not there, or not readable: then the gate runs
  }
}

export async function rememberGreen(site: RunContext, check: RememberedCheck): Promise<void> {
  if (site.workFolder !== null) return;
  const folder = greenFolder(site.folder.path);
  try {
    const name = await hashCheck(site, check);
    if (name === null) return;
    await mkdir(folder, { recursive: true });
    const { run, clock } = site;
    const text = JSON.stringify({ at: clock.now(), gate: check.gate.name, run });
    await writeWhole(join(folder, name), `${text}\n`);
    await forgetOldest(folder);
  } catch {
    // A full disk or a folder that cannot be written costs the next run a gate, nothing more.
  }
}

export async function forgetGreens(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function forgetOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= 2 * MOST_VERDICTS) return; // not with every verdict
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, at: (await stat(path)).mtimeMs };
    }),
  );
  const old = found.sort((a, b) => b.at - a.at).slice(MOST_VERDICTS);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

/** Null where worktrees were not all prepared with the same. */
async function hashCheck(site: RunContext, { tree, gate, prepare }: RememberedCheck): Promise<string | null> {
  const { run, dir, env, timeoutMs } = gate;
  const copies = await listCopies(site, prepare);
  if (copies === null) return null;
  const executed = [run, dir, sortEntries(site.values.open(env)), timeoutMs];
  const prepared = [prepare.setup, copies];
  const steering = sortEntries(site.env).filter(([name]) => !VOLATILE.test(name));
  const all = JSON.stringify([2, tree, executed, prepared, process.platform, process.version, steering]);
  return createHash("sha256").update(all).digest("hex").slice(0, 40);
}

/**
 * Variables of the terminal and the login, which another window or the next day sets differently. Every other one may decide what a
 * gate does. docs/guide/running.md lists them.
 */
const VOLATILE = new RegExp(
  `^(?:${[
    ...["_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "INVOCATION_ID", "JOURNAL_STREAM"],
    ...["TERM\\w*", "COLORTERM", "LC_TERMINAL\\w*", "VTE_VERSION", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY"],
    ...["TMUX\\w*", "STY", "GPG_TTY", "SSH_\\w+", "\\w*_SESSION\\w*", "(?:ITERM|KITTY|VSCODE|WT)_\\w+"],
  ].join("|")})$`,
);

const sortEntries = (env: { readonly [name: string]: string | undefined }): [string, string][] =>
  Object.entries(env)
    .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** What is copied from the checkout: files by size and time, folders with all in them, which were read for the worktrees anyway. */
async function listCopies(
  { copies, prepared, shadow }: RunContext,
  prepare: Preparation,
): Promise<string[] | null> {
  const { paths, sources } = copies.of(prepare);
  const { workTree } = shadow.repository;
  if (workTree === null) return [];
  const seen: string[] = [];
  for (const path of paths) {
    const source = join(workTree, sources.get(path) ?? path);
    const found = await lstat(source).catch(ifMissing(null));
    const looks = found?.isDirectory() ? await prepared.readKey(source) : describeFile(found);
    if (looks === null) return null;
    seen.push(`${path} ${looks}`);
  }
  return seen;
}

const describeFile = (found: Stats | null): string =>
  found === null ? "" : `${found.mode} ${found.size} ${found.mtimeMs}`;
