// A place to try a commit in: a copy of it below plait's own folder, prepared like a worktree of a run, with ports and names of its
// own. Neither the repository nor the user's checkout are touched (I3); when the trial is over nothing of it is left (I8), and no
// program that was started there outlives plait (I5).

import type { Oid } from "../../core/ids.ts";
import type { Command, Env, Preparation } from "../../core/plan.ts";
import { DEFAULT_PORTS, type PortSettings } from "../../core/ports.ts";
import { copiedSecrets, copiesFor, isAmong } from "../../engines/local/copies.ts";
import { makeReady, type Prepared, TEARDOWN_TIMEOUT_MS } from "../../engines/local/make-ready.ts";
import { NoFreePorts, openPorts, PORTS_HINT } from "../../engines/local/ports.ts";
import { copyAsIs } from "../../engines/local/prepared/prepared-folders.ts";
import { runEachStep } from "../../engines/local/prepared/set-ups.ts";
import { inheritable } from "../../engines/local/run-context.ts";
import { slotEnv } from "../../engines/local/slot-leases.ts";
import { agentGitEnvironment, hideInClone, type Repository, untrackedInClone } from "../../git/index.ts";
import { uniqueMarker } from "../../process/markers.ts";
import { createMasker, type Masker } from "../../process/mask/masker.ts";
import { secretsOf } from "../../process/mask/secrets.ts";
import { type CommandEnd, type CommandOptions, runCommand } from "../../process/run-command.ts";
import type { Lifeline } from "../../process/supervise.ts";
import { noteSetUp, type ReadOnlyCheckout, withReadOnlyCheckout } from "../ask/looking-place.ts";
import { clockOf, type Host, type OrRefusal, portLocks, refuse } from "../host.ts";

export type ToTry = {
  readonly repository: Repository;
  readonly commit: Oid;
  readonly prepare: Preparation;
  /** Null: those that are usual. */
  readonly ports: PortSettings | null;
  readonly signal: AbortSignal;
  /** The place could not be removed. */
  readonly warning: (text: string) => void;
};

export type Trial = {
  readonly tree: string;
  readonly prepared: Prepared;
  /** Runs a command at the root of the tree; what it printed is masked (I13). */
  readonly call: (command: Command, options: CallOptions) => Promise<CommandEnd>;
};

type CallOptions = Pick<CommandOptions, "timeoutMs" | "outputTailBytes" | "stdoutBytes">;

export async function inTrialPlace<T>(
  host: Host,
  asked: ToTry,
  work: (trial: Trial) => Promise<T>,
): Promise<OrRefusal<{ readonly result: T }>> {
  const { repository, commit, signal, warning } = asked;
  return withReadOnlyCheckout(
    host,
    { repository, commit, signal, warning, largeFiles: true },
    ({ place, lifeline }) => withPorts(host, { asked, place, lifeline }, work),
  );
}

type Opened = { readonly asked: ToTry; readonly place: ReadOnlyCheckout; readonly lifeline: Lifeline };

async function withPorts<T>(
  host: Host,
  opened: Opened,
  work: (trial: Trial) => Promise<T>,
): Promise<OrRefusal<{ readonly result: T }>> {
  const { asked, place } = opened;
  const settings = asked.ports ?? DEFAULT_PORTS;
  const ports = openPorts({ settings, folder: portLocks(host), run: place.marker });
  try {
    const { range, handOver } = await ports.lease();
    await handOver();
    return {
      ok: true,
      result: await prepared(host, { ...opened, own: slotEnv(place.marker, 1, range) }, work),
    };
  } catch (error) {
    if (!(error instanceof NoFreePorts)) throw error;
    return refuse("environment", error.message, PORTS_HINT);
  } finally {
    await ports.close();
  }
}

async function prepared<T>(
  host: Host,
  { asked, place, lifeline, own }: Opened & { readonly own: Env },
  work: (trial: Trial) => Promise<T>,
): Promise<T> {
  const { repository, prepare, signal } = asked;
  const { tree } = place;
  const { workTree: checkout } = repository;
  const copies = await copiesFor(repository, prepare);
  const masker = await maskerFor(host, checkout, copies.paths);
  const caller = callerIn(host, { place, lifeline, masker, own });
  await hideInClone(tree, copies.paths);
  const done = await noteSetUp(place.folder, { teardown: prepare.teardown, env: own });
  try {
    const ready = await makeReady({
      ...{ folder: tree, checkout, copies, setup: prepare.setup, signal },
      isCopied: (path) => isAmong(new Set(copies.paths), path),
      call: (command, timeoutMs) => caller(command, { timeoutMs, signal }),
      untracked: () => untrackedInClone(repository, tree),
      placeFolder: (source, to) =>
        checkout === null ? Promise.resolve() : copyAsIs({ checkout, source, to, root: tree, signal }),
      onOptionalRemoved: () => undefined,
      beginStep: runEachStep,
      optional: prepare.automatic ? prepare.copy.filter((one) => typeof one === "string") : [],
    });
    return await work({
      tree,
      prepared: ready,
      call: (command, options) => caller(command, { ...options, signal }),
    });
  } finally {
    // Asked to end, it is cleared up after all the same: what a set-up began would be left.
    for (const command of prepare.teardown) await caller(command, { timeoutMs: TEARDOWN_TIMEOUT_MS });
    await done();
  }
}

async function maskerFor({ env }: Host, checkout: string | null, all: readonly string[]): Promise<Masker> {
  const copied = checkout === null ? [] : await copiedSecrets(checkout, { all });
  return createMasker([...new Set([...secretsOf(env), ...copied])]);
}

type Calling = {
  readonly place: ReadOnlyCheckout;
  readonly lifeline: Lifeline;
  readonly masker: Masker;
  readonly own: Env;
};

function callerIn(host: Host, { place, lifeline, masker, own }: Calling) {
  const env = { ...inheritable(host.env), ...agentGitEnvironment(null), ...own };
  const shared = { lifeline, masker, clock: clockOf(host), runMarker: place.marker, worktree: place.tree };
  return (
    command: Command,
    options: CallOptions & { readonly signal?: AbortSignal },
  ): Promise<CommandEnd> => {
    const marker = uniqueMarker(place.marker, "check");
    return runCommand({ command, cwd: place.tree, env }, { ...shared, ...options, marker });
  };
}
