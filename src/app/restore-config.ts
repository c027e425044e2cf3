// Hooks and git config that changed during a run, by an agent's tool or by anyone else, and their restoration.

import { readFile } from "node:fs/promises";
import type { RunId } from "../core/ids.ts";
import { plait } from "../core/text/command.ts";
import { fix, plainText } from "../core/text/sentence.ts";
import { readFingerprint } from "../engines/local/fingerprint.ts";
import type { RunFolder } from "../engines/local/run-folder.ts";
import {
  type ChangedFile,
  changesLeft,
  keepChanges,
  openShadow,
  type RestoredFile,
  restoreFile,
} from "../git/index.ts";
import { ifMissing } from "../util/errno.ts";
import { findRepository, type Host, type OrRefusal, refuse } from "./host.ts";
import { refuseInsideRun } from "./refuse-inside-run.ts";
import { type FoundRun, findRun, listRuns } from "./runs.ts";

/** What of the repository is not as it was when the run started, as the end of the run found it. */
export async function changedConfig({ changed }: Pick<RunFolder, "changed">): Promise<ChangedFile[]> {
  const text = await readFile(changed, "utf8").catch(ifMissing("[]"));
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
  /** With `dryRun` those that would be. */
  readonly restored: readonly ConfigFileFate[];
  readonly left: readonly (ConfigFileFate & { readonly why: string; readonly hint: string })[];
  readonly keptIn: string;
};

export async function restoreConfig(host: Host, request: RestoreRequest): Promise<OrRefusal<RestoredConfig>> {
  const { force, dryRun } = request;
  const found = request.run === null ? await latestChanged(host) : await findRun(host, request.run);
  if (!found.ok) return found;
  const { known } = found;
  const inside = dryRun ? null : await refuseInsideRun(known);
  if (inside !== null) return inside;
  const { run, folder, driver } = known;
  if (driver !== null) {
    const why = `${run} is running: process ${driver.pid} on ${driver.host}`;
    return refuse("request", why, fix("wait for it to end, or stop it", plait("stop", run)));
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

/** An interrupted run did not record its changes: anything changed now may be the user's, and must be named. */
async function changesOf({ repository, known: { state, folder, facts } }: FoundRun): Promise<ChangedFile[]> {
  if (state.ended !== null) return changedConfig(folder);
  const start = { fingerprint: readFingerprint(facts), keptIn: folder.start };
  const shadow = await openShadow(repository, folder.path, { start });
  return (await keepChanges(shadow, start)).map((one) => ({ ...one, is: "unknown" }));
}

async function latestChanged(host: Host): Promise<OrRefusal<FoundRun>> {
  const found = await findRepository(host);
  if (!found.ok) return found;
  const { repository } = found;
  for (const known of (await listRuns(repository)).runs) {
    if ((await changedConfig(known.folder)).length > 0) return { ok: true, repository, known };
  }
  const message = "no run in this repository left hooks or config changed";
  const named = plait("restore", { placeholder: "run" });
  return refuse("request", message, fix("for an interrupted run, name the run", named));
}

type Reason = (run: RunId, fate: RestoredFile) => { readonly why: string; readonly hint: string };

const WHY: { readonly [K in Exclude<RestoredFile["kind"], "restored">]: Reason } = {
  "changed-again": (run) => ({
    why: "it changed again after the run ended",
    hint: plainText(fix("to restore it anyway", plait("restore", run, { force: true }))),
  }),
  "no-copy": () => ({ why: "there is no copy of the original", hint: "restore it by hand" }),
  "copy-changed": () => ({ why: "its copy was changed after the run started", hint: "restore it by hand" }),
  locked: (run, fate) => ({
    why: `git has locked it${fate.kind === "locked" ? `: ${fate.lock}` : ""}`,
    hint: plainText(fix("once no git is running, remove the lock, then", plait("restore", run))),
  }),
};
