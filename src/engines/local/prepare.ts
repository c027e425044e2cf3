// A fresh worktree of a run is made ready before an agent or a gate sees it, and cleared up after. What is to be cleared up is on the
// disk before a set-up begins, so that the driver after a crash does it, for attempts and gates alike.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Command, Env, Preparation } from "../../core/plan.ts";
import { type Lease, removeFolder, untrackedIn } from "../../git/index.ts";
import { runCommand } from "../../process/run-command.ts";
import { errnoOf } from "../../util/errno.ts";
import { makeReady, type Prepared, TEARDOWN_TIMEOUT_MS } from "./make-ready.ts";
import { type ChangedLocks, findChangedLocks, leaveOutFolders } from "./prepared/changed-locks.ts";
import { envIn } from "./program-env.ts";
import type { RunContext } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";

export type ToPrepare = {
  readonly prepare: Preparation;
  readonly lease: Lease;
  readonly env: SetUpEnv;
  readonly marker: string;
  /** The tree has what an earlier attempt left, which is not in git yet. */
  readonly isContinued?: boolean;
  readonly signal: AbortSignal;
};

/** What commands see beside the user's own environment: the plan's variables, their values sealed, and plait's. */
export type SetUpEnv = { readonly own: Env; readonly added: Env };

/** Whether a worktree with this preparation is more than the files of its commit. */
export function takesPreparing({ copies }: RunContext, prepare: Preparation): boolean {
  return copies.of(prepare).paths.length + prepare.setup.length > 0;
}

export async function prepareTree(site: RunContext, asked: ToPrepare): Promise<Prepared> {
  const { prepare, lease, env, marker } = asked;
  const { teardown } = prepare;
  if (teardown.length > 0)
    await writeWhole(
      site.folder.setUp(lease.slot.id),
      JSON.stringify({ teardown, env, marker } satisfies SetUp),
    );
  if (!takesPreparing(site, prepare)) return { ok: true };
  let isReady = false;
  try {
    const prepared = await prepareByLocks(site, asked);
    isReady = prepared.ok;
    return prepared;
  } finally {
    await site.prepared.settle(lease, isReady);
  }
}

async function prepareByLocks(site: RunContext, asked: ToPrepare): Promise<Prepared> {
  const { prepare, lease, isContinued, signal } = asked;
  const changed = await findChangedLocks(site, lease, prepare);
  const prepared = await makeTreeReady(site, asked, changed);
  if (prepared.ok || changed === null || signal.aborted) return prepared;
  if (isContinued === true) {
    // Whoever continues here may have to fix the lock file first.
    for (const folder of changed.folders) await removeFolder(join(lease.slot.path, folder));
    return makeTreeReady(site, asked, null);
  }
  return { ...prepared, locks: changed.locks };
}

function makeTreeReady(site: RunContext, asked: ToPrepare, changed: ChangedLocks | null): Promise<Prepared> {
  const { lease, env, marker, isContinued = false, signal } = asked;
  const options = { ...optionsFor(site, lease), marker, signal };
  const copies = site.copies.of(asked.prepare);
  const prepare = changed === null ? asked.prepare : { ...asked.prepare, setup: changed.installs };
  return makeReady({
    folder: lease.slot.path,
    checkout: site.shadow.repository.workTree,
    copies: changed === null ? copies : leaveOutFolders(copies, changed.folders),
    isCopied: site.copies.has,
    placeFolder: (source, to) => site.prepared.place({ lease, source, to, signal }),
    onOptionalRemoved: (path) => site.prepared.exclude(join(site.shadow.repository.workTree ?? "", path)),
    optional: prepare.automatic ? prepare.copy.filter((one) => typeof one === "string") : [],
    setup: prepare.setup,
    beginStep: site.setUps.open({ lease, prepare, env: env.own, isContinued, signal }),
    call: async (command, timeoutMs) =>
      runCommand(await callOf(site, lease, { command, env }), { ...options, timeoutMs }),
    untracked: async () => {
      const paths = await untrackedIn(site.shadow, lease.slot);
      const trusted = await Promise.all(
        paths.map((path) => site.prepared.isTrusted(lease, path.replace(/\/$/, ""))),
      );
      return paths.filter((_, i) => trusted[i] !== true);
    },
    signal,
  });
}

/** What is on the disk of a set-up, until it is cleared up. */
type SetUp = {
  readonly teardown: readonly Command[];
  readonly env: SetUpEnv;
  /** Commands see it as PLAIT_ATTEMPT. */
  readonly marker: string;
};

/**
 * What a set-up began (a database, a container) is ended, in the environment that the set-up had. A command that fails is the
 * user's to see in its own effects. Once: a driver that is killed in the middle of it leaves it to the next.
 */
export async function tearDown(site: RunContext, lease: Lease): Promise<void> {
  const path = site.folder.setUp(lease.slot.id);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return;
  const { teardown, env, marker } = JSON.parse(text) as SetUp; // written above, whole or not at all
  for (const command of teardown) {
    const options = { ...optionsFor(site, lease), marker, timeoutMs: TEARDOWN_TIMEOUT_MS };
    await runCommand(await callOf(site, lease, { command, env }), options);
  }
  await rm(path, { force: true });
}

async function callOf(
  site: RunContext,
  lease: Lease,
  { command, env }: { readonly command: Command; readonly env: SetUpEnv },
) {
  return { command, cwd: lease.slot.path, env: { ...(await envIn(site, lease, env.own)), ...env.added } };
}

function optionsFor({ masker, lifeline, clock, run }: RunContext, { slot }: Lease) {
  return { masker, lifeline, clock, runMarker: run, worktree: slot.path };
}
