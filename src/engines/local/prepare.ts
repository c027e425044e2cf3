// A fresh worktree of a run is made ready before an agent or a gate sees it, and cleared up after. What is to be cleared up is on the
// disk before a set-up begins, so that the driver after a crash does it, for attempts and gates alike.

import { readFile, rm } from "node:fs/promises";
import type { Command, Env, Preparation } from "../../core/plan.ts";
import { type Lease, untrackedIn } from "../../git/index.ts";
import { runCommand } from "../../process/run-command.ts";
import { errnoOf } from "../../util/errno.ts";
import { makeReady, type Prepared, TEARDOWN_TIMEOUT_MS } from "./make-ready.ts";
import { envIn } from "./program-env.ts";
import { writeWhole } from "./run-folder.ts";
import type { Site } from "./site.ts";

export type ToPrepare = {
  readonly prepare: Preparation;
  readonly lease: Lease;
  readonly env: SetUpEnv;
  readonly marker: string;
  readonly signal: AbortSignal;
};

/** What commands see beside the user's own environment: the plan's variables, their values sealed, and plait's. */
export type SetUpEnv = { readonly own: Env; readonly added: Env };

/** Whether a worktree with this preparation is more than the files of its commit. */
export function takesPreparing({ copies }: Site, prepare: Preparation): boolean {
  return copies.of(prepare).paths.length + prepare.setup.length > 0;
}

export async function prepareTree(site: Site, asked: ToPrepare): Promise<Prepared> {
  const { prepare, lease, env, marker, signal } = asked;
  const { teardown } = prepare;
  if (teardown.length > 0)
    await writeWhole(
      site.folder.setUp(lease.slot.id),
      JSON.stringify({ teardown, env, marker } satisfies SetUp),
    );
  if (!takesPreparing(site, prepare)) return { ok: true };
  const options = { ...optionsFor(site, lease), marker, signal };
  return makeReady({
    folder: lease.slot.path,
    checkout: site.shadow.repository.workTree,
    copies: site.copies.of(prepare),
    isCopied: site.copies.has,
    setup: prepare.setup,
    call: async (command, timeoutMs) =>
      runCommand(await callOf(site, lease, { command, env }), { ...options, timeoutMs }),
    untracked: () => untrackedIn(site.shadow, lease.slot),
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
export async function tearDown(site: Site, lease: Lease): Promise<void> {
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
  site: Site,
  lease: Lease,
  { command, env }: { readonly command: Command; readonly env: SetUpEnv },
) {
  return { command, cwd: lease.slot.path, env: { ...(await envIn(site, lease, env.own)), ...env.added } };
}

function optionsFor({ masker, lifeline, clock, run }: Site, { slot }: Lease) {
  return { masker, lifeline, clock, runMarker: run, worktree: slot.path };
}
