// Hooks and config that are other than they were when a run started, by an agent's tool or by anybody else: who is told of
// them can have them back.

import { readFile } from "node:fs/promises";
import type { RunId } from "../core/ids.ts";
import type { RunFolder } from "../engines/local/run-folder.ts";
import {
  type ChangedFile,
  changesLeft,
  keepChanges,
  openShadow,
  type RestoredFile,
  restoreFile,
} from "../git/index.ts";
import { errnoOf } from "../util/errno.ts";
import { findRepository, type Host, type OrRefusal, refuse } from "./host.ts";
import { type FoundRun, findRun, listRuns } from "./runs.ts";

/** What of the repository is not as it was when the run started, as the end of the run found it. */
export async function changedConfig({ changed }: Pick<RunFolder, "changed">): Promise<ChangedFile[]> {
  const text = await readFile(changed, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return "[]";
    throw error;
  });
  return changesLeft(JSON.parse(text) as ChangedFile[]); // written whole at the end of the run
}

export type RestoreRequest = {
  /** Null: the latest that left something changed. */
  readonly run: string | null;
  /** Also files that changed again after the run had ended. */
  readonly force: boolean;
  readonly dryRun: boolean;
};

export type ConfigFileFate = Pick<ChangedFile, "file" | "says">;

export type RestoredConfig = {
  readonly run: RunId;
  /** Put back; with `dryRun` those that would be. */
  readonly restored: readonly ConfigFileFate[];
  readonly left: readonly (ConfigFileFate & { readonly why: string; readonly hint: string })[];
  /** Where a copy of everything is that was replaced. */
  readonly keptIn: string;
};

export async function restoreConfig(host: Host, request: RestoreRequest): Promise<OrRefusal<RestoredConfig>> {
  const { force, dryRun } = request;
  const found = request.run === null ? await latestChanged(host) : await findRun(host, request.run);
  if (!found.ok) return found;
  const { known } = found;
  const { run, folder, driver } = known;
  if (driver !== null) {
    const why = `process ${driver.pid} on ${driver.host} drives ${run}: its agents work under what is there`;
    return refuse("request", why, `wait for its end, or stop it: plait stop ${run}`);
  }
  const restored: ConfigFileFate[] = [];
  const left: RestoredConfig["left"][number][] = [];
  for (const one of await changesOf(found)) {
    const fate = await restoreFile(one, { keptIn: folder.start, force, dryRun });
    const { file, says } = one;
    if (fate.kind === "restored") restored.push({ file, says });
    else left.push({ file, says, ...WHY[fate.kind](run, fate) });
  }
  return { ok: true, run, restored, left, keptIn: folder.start };
}

/** A run that was cut off has not looked: what is other now may be anybody's, and has to be meant. */
async function changesOf({ repository, known: { state, folder, facts } }: FoundRun): Promise<ChangedFile[]> {
  const [first] = facts;
  if (state.ended !== null || first?.type !== "run.started") return changedConfig(folder);
  const shadow = await openShadow(repository, folder.path);
  const start = { fingerprint: first.fingerprints, keptIn: folder.start };
  return (await keepChanges(shadow, start)).map((one) => ({ ...one, is: "unknown" }));
}

async function latestChanged(host: Host): Promise<OrRefusal<FoundRun>> {
  const found = await findRepository(host);
  if (!found.ok) return found;
  const { repository } = found;
  for (const known of (await listRuns(repository)).runs) {
    if ((await changedConfig(known.folder)).length > 0) return { ok: true, repository, known };
  }
  const message = "no run of this repository left hooks or config changed";
  return refuse("request", message, "of a run that was cut off, by its name: plait restore <run>");
}

type Reason = (run: RunId, fate: RestoredFile) => { readonly why: string; readonly hint: string };

const WHY: { readonly [K in Exclude<RestoredFile["kind"], "restored">]: Reason } = {
  "changed-again": (run) => ({
    why: "it is not as the end of the run found it",
    hint: `if all of that is to go: plait restore ${run} --force`,
  }),
  "no-copy": () => ({ why: "there is no copy of what it was", hint: "put it right by hand" }),
  locked: (run, fate) => ({
    why: `git is writing it, or was cut off${fate.kind === "locked" ? `: ${fate.lock} is there` : ""}`,
    hint: `when no git runs, remove that file, and then again: plait restore ${run}`,
  }),
};
