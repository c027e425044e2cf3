// What a fresh worktree gets before an agent or a gate sees it: copies of files that are not in git, and the set-up commands. And
// the commands that clear up after them.

import { cp, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { matcher } from "../../core/ownership/match.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import type { Env, Preparation } from "../../core/plan.ts";
import { runCommand } from "../../process/run-command.ts";
import { lastLines } from "../../process/tail.ts";
import type { Site } from "./site.ts";

export type ToPrepare = {
  readonly prepare: Preparation;
  readonly folder: string;
  readonly env: Env;
  readonly marker: string;
  readonly signal: AbortSignal;
};

export type Prepared = { readonly ok: true } | { readonly ok: false; readonly detail: string };

const SETUP_TIMEOUT_MS = 30 * 60_000;
const TEARDOWN_TIMEOUT_MS = 5 * 60_000;

export async function prepareTree(
  site: Site,
  { prepare, folder, env, marker, signal }: ToPrepare,
): Promise<Prepared> {
  const { workTree } = site.shadow.repository;
  if (workTree !== null) {
    for (const path of await copiedPaths(workTree, prepare.copy)) await copyInto(workTree, folder, path);
  }
  for (const command of prepare.setup) {
    const { masker, lifeline, clock, run } = site;
    const end = await runCommand(
      { command, cwd: folder, env },
      {
        masker,
        lifeline,
        clock,
        marker,
        runMarker: run,
        worktree: folder,
        signal,
        timeoutMs: SETUP_TIMEOUT_MS,
      },
    );
    if (signal.aborted) return { ok: false, detail: "it was stopped during its set-up" };
    const name = command.kind === "shell" ? command.line : command.argv.join(" ");
    if (end.kind === "not-started") return { ok: false, detail: `set-up: ${end.failure.message}` };
    if (end.exit.code === 0) continue;
    const said = lastLines(end.output, 3).join("; ");
    const how =
      end.exit.code === null ? `was ended by ${end.exit.signal}` : `ended with exit code ${end.exit.code}`;
    return {
      ok: false,
      detail: `the set-up ${JSON.stringify(name)} ${how}${said === "" ? "" : `: ${said}`}`,
    };
  }
  return { ok: true };
}

/** What a set-up began (a database, a container) is ended. A command that fails is the user's to see in its own effects. */
export async function tearDown(
  { masker, lifeline, clock, run }: Site,
  { prepare, folder, env, marker }: Omit<ToPrepare, "signal">,
): Promise<void> {
  for (const command of prepare.teardown) {
    const shared = { masker, lifeline, clock, marker, runMarker: run, worktree: folder };
    await runCommand({ command, cwd: folder, env }, { ...shared, timeoutMs: TEARDOWN_TIMEOUT_MS });
  }
}

/** Files and folders of the user's checkout that these name: each path as it is, each glob by walking. */
export async function copiedPaths(checkout: string, copy: readonly string[]): Promise<string[]> {
  const paths = new Set<string>();
  const globs = copy.filter(isGlob).map((glob) => matcher(glob as PathPattern));
  for (const path of copy) if (!isGlob(path) && (await isThere(join(checkout, path)))) paths.add(path);
  if (globs.length === 0) return [...paths].sort();
  for await (const path of filesBelow(checkout, "")) {
    if (globs.some((matches) => matches(path) === true)) paths.add(path);
  }
  return [...paths].sort();
}

const isGlob = (text: string): boolean => /[*?[{]/.test(text);

/** Folders that hold other people's files by the thousand; what is meant there is named in full. */
const NOT_WALKED = new Set([".git", "node_modules"]);

async function* filesBelow(root: string, below: string): AsyncGenerator<string> {
  // A folder that may not be read holds nothing that could be copied.
  for (const entry of await readdir(join(root, below), { withFileTypes: true }).catch(() => [])) {
    if (NOT_WALKED.has(entry.name)) continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile()) yield path;
  }
}

async function copyInto(checkout: string, folder: string, path: string): Promise<void> {
  const to = join(folder, path);
  if (await isThere(to)) return; // what git has is what the task sees
  // A link above it leads out of the worktree, or to where nobody expects the copy: it would be merged, or written over.
  if (!(await isPlainWay(folder, dirname(path)))) return;
  await mkdir(dirname(to), { recursive: true });
  await cp(join(checkout, path), to, { recursive: true, verbatimSymlinks: true, errorOnExist: false });
}

/** Whether every folder on the way is a folder, or not there yet. */
async function isPlainWay(root: string, way: string): Promise<boolean> {
  const parts = way === "." ? [] : way.split("/");
  for (let n = 1; n <= parts.length; n += 1) {
    const found = await lstat(join(root, ...parts.slice(0, n))).catch(() => null);
    if (found === null) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false, // missing, or not for us to see: nothing to copy either way
  );
}
