// Gates that were green for a tree, kept for the next run of the repository: the base of a run is mostly what the run before it
// landed. A verdict holds for the tree, all that is executed, and all that the tree was prepared with. Red ones are not kept:
// whatever made a gate red may be gone.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EpochMs } from "../../core/facts.ts";
import type { Oid } from "../../core/ids.ts";
import type { Gate, Preparation } from "../../core/plan.ts";
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
    const path = join(greenFolder(site.folder.path), await hashCheck(site, check));
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
    await mkdir(folder, { recursive: true });
    const { run, clock } = site;
    const text = JSON.stringify({ at: clock.now(), gate: check.gate.name, run });
    await writeWhole(join(folder, await hashCheck(site, check)), `${text}\n`);
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

async function hashCheck(site: RunContext, { tree, gate, prepare }: RememberedCheck): Promise<string> {
  const { run, dir, env, timeoutMs } = gate;
  const executed = [run, dir, sortEntries(site.values.open(env)), timeoutMs];
  const prepared = [prepare.setup, await listCopies(site, prepare)];
  const machine = [
    process.platform,
    process.version,
    sortEntries(site.env).filter(([name]) => STEERS.test(name)),
  ];
  const all = JSON.stringify([1, tree, executed, prepared, machine]);
  return createHash("sha256").update(all).digest("hex").slice(0, 40);
}

/** Variables that decide which tools a gate finds, and how they behave. */
const STEERS =
  /^(?:PATH|HOME|CI|NODE_\w+|npm_config_\w+|PYTHON\w*|VIRTUAL_ENV|JAVA_HOME|GO\w+|CARGO\w*|RUST\w*)$/;

const sortEntries = (env: { readonly [name: string]: string | undefined }): [string, string][] =>
  Object.entries(env)
    .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
    .sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * What is copied from the checkout, as far as a look tells: a folder by what lies directly in it, which an installer changes.
 * To read every file of it would cost more than many a gate.
 */
async function listCopies({ copies, shadow }: RunContext, prepare: Preparation): Promise<string[]> {
  const { paths, sources } = copies.of(prepare);
  const { workTree } = shadow.repository;
  if (workTree === null) return [];
  const seen: string[] = [];
  for (const path of paths) {
    const source = join(workTree, sources.get(path) ?? path);
    seen.push(`${path} ${await describeFile(source)}`);
    for (const name of (await readdir(source).catch(() => [])).sort())
      seen.push(`${path}/${name} ${await describeFile(join(source, name))}`);
  }
  return seen;
}

async function describeFile(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null); // gone meanwhile
  return found === null ? "" : `${found.mode} ${found.size} ${found.mtimeMs}`;
}
