// A fresh worktree of a run is made ready before an agent or a gate sees it, and cleared up after. What is to be cleared up is on the
// disk before a set-up begins, so that the driver after a crash does it, for attempts and gates alike.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "../../core/facts.ts";
import { splitAttemptId } from "../../core/ids.ts";
import { type Command, type Env, type Preparation, preparationKey } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import { type Lease, removeFolder, untrackedIn } from "../../git/index.ts";
import { type CommandEnd, type CommandOptions, runCommand } from "../../process/run-command.ts";
import { onErrno } from "../../util/errno.ts";
import { makeReady, type Prepared, TEARDOWN_TIMEOUT_MS } from "./make-ready.ts";
import { type ChangedLocks, findChangedLocks, leaveOutFolders } from "./prepared/lock-files.ts";
import { envIn, type RunContext, taskOf } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";
import { callInside } from "./sandbox/call-inside.ts";

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
type SetUpEnv = { readonly own: Env; readonly added: Env };

/** Whether a worktree with this preparation is more than the files of its commit. */
function takesPreparing({ copies }: RunContext, prepare: Preparation): boolean {
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
    call: (command, timeoutMs) =>
      callCommand(site, lease, { command, env, options: { ...options, timeoutMs } }),
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
  const text = await readFile(path, "utf8").catch(onErrno({ ENOENT: null }));
  if (text === null) return;
  const { teardown, env, marker } = JSON.parse(text) as SetUp; // written above, whole or not at all
  for (const command of teardown) {
    const options = { ...optionsFor(site, lease), marker, timeoutMs: TEARDOWN_TIMEOUT_MS };
    await callCommand(site, lease, { command, env, options });
  }
  await rm(path, { force: true });
}

type ToCall = { readonly command: Command; readonly env: SetUpEnv; readonly options: CommandOptions };

async function callCommand(
  site: RunContext,
  lease: Lease,
  { command, env, options }: ToCall,
): Promise<CommandEnd> {
  const whole = { ...(await envIn(site, lease, env.own)), ...env.added };
  return callInside(site, { lease, command, env: whole }, ({ env: seen, enclose }) =>
    runCommand({ command, cwd: lease.slot.path, env: seen }, { ...options, ...enclose }),
  );
}

function optionsFor({ masker, lifeline, clock, run }: RunContext, { slot }: Lease) {
  return { masker, lifeline, clock, runMarker: run, worktree: slot.path };
}

/** On their way back: two saves that end together see the same worktrees, and both wait until they are there. */
const leaving = new WeakMap<Lease, Promise<void>>();

/**
 * A worktree that nobody goes on with is cleared up after, and goes back to the pool; or it stays where it is, where the save of
 * its attempt said so. Without a state it goes in any case: what was cut off there is begun again.
 */
export function releaseWorktree(site: RunContext, lease: Lease, state: RunState | null): Promise<void> {
  const known = leaving.get(lease) ?? release(site, lease, state);
  leaving.set(lease, known);
  return known;
}

async function release(site: RunContext, lease: Lease, state: RunState | null): Promise<void> {
  try {
    await tearDown(site, lease);
  } finally {
    site.slots.releaseWorktree(lease);
    if (state !== null && stays(state, lease)) await site.pool.leave(lease);
    else {
      await site.prepared.releaseWorktree(lease);
      await site.pool.release(lease);
    }
  }
}

function stays(state: RunState, { attempt }: Lease): boolean {
  if (attempt === null) return false;
  const { task } = splitAttemptId(attempt);
  if (!state.index.indexOf.has(task)) return false;
  const { past, live } = taskOf(state, task).now;
  const gated = live.flatMap(({ id, stage }) => (stage.kind === "gate" ? [{ id, saved: stage.saved }] : []));
  return [...past, ...gated].some(({ id, saved }) => id === attempt && saved.stays !== null);
}

export type ToOpen = {
  readonly at: Revision;
  readonly prepare: Preparation;
  readonly env: SetUpEnv;
  readonly marker: string;
  readonly signal: AbortSignal;
};

/**
 * Trees to judge. The gates of one tree run one after another; where preparing costs something they share one folder,
 * set back between two gates except for what git does not know, such as what a setup installed.
 */
export function gateTrees(site: RunContext) {
  const left = new Map<string, Lease>();
  return {
    open: async ({ at, ...asked }: ToOpen): Promise<{ lease: Lease; prepared: Prepared }> => {
      const key = keyOf({ at, ...asked });
      const kept = left.get(key);
      const lease = kept ?? (await site.pool.acquireScratch(at));
      if (kept === undefined) return { lease, prepared: await prepareTree(site, { ...asked, lease }) };
      left.delete(key);
      await site.pool.setBack(lease);
      return { lease, prepared: { ok: true } };
    },
    /** Stays prepared for the next gate of the tree. False where a fresh one costs no more. */
    leave: (asked: ToOpen, lease: Lease): boolean => {
      if (!takesPreparing(site, asked.prepare)) return false;
      left.set(keyOf(asked), lease);
      return true;
    },
    /** No further gate of the tree is to come; one that has come already has taken it. */
    clear: async (asked: ToOpen, lease: Lease): Promise<void> => {
      if (left.get(keyOf(asked)) !== lease) return;
      left.delete(keyOf(asked));
      await releaseWorktree(site, lease, null);
    },
  };
}

const keyOf = ({ at, prepare }: Pick<ToOpen, "at" | "prepare">): string =>
  `${at.tree} ${preparationKey(prepare)}`;
