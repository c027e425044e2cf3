// Everything that the effects of a run share is opened here, in the order in which a crash may have left it: processes first,
// then locks, a landing that was cut off, the integration branch, worktrees. Nothing of it depends on what the last driver
// managed to do at its end.

import { dirname, join } from "node:path";
import type { Activity } from "../../core/activity.ts";
import type { Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { Env } from "../../core/plan.ts";
import { DEFAULT_PORTS } from "../../core/ports.ts";
import type { RunState } from "../../core/run-state.ts";
import { values as valuesOf } from "../../core/sorted-map.ts";
import {
  continueIntegration,
  guardCheckout,
  openPool,
  openShadow,
  type Pool,
  type Repository,
  removeStaleLocks,
  repairLanding,
  type Shadow,
  startIntegration,
} from "../../git/index.ts";
import { createMasker, type Masker } from "../../process/mask/masker.ts";
import { secretsOf } from "../../process/mask/secrets.ts";
import { reapMarked } from "../../process/reap.ts";
import { type Reaper, startReaper } from "../../process/reaper.ts";
import type { Lifeline } from "../../process/supervise.ts";
import { deferred } from "../../util/deferred.ts";
import { openCacheWarmup } from "./cache-warmup.ts";
import { type Copies, copiedSecrets, findCopies } from "./copies.ts";
import { readFingerprint } from "./fingerprint.ts";
import { hideFiles } from "./hidden-files.ts";
import type { Surroundings } from "./local-run.ts";
import { readIsolation } from "./place.ts";
import { openPorts } from "./ports.ts";
import { releaseWorktree } from "./prepare.ts";
import { fastPrograms, preparedFolder } from "./prepared/fast-copy.ts";
import { PreparedFolders } from "./prepared/prepared-folders.ts";
import { openSetUps } from "./prepared/set-ups.ts";
import { openAgentVersions } from "./probe-agent.ts";
import { redOutputs } from "./red-outputs.ts";
import { inheritable, type RunContext, workAwaited } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";
import { openRunSandbox, type RunSandbox } from "./sandbox/run-sandbox.ts";
import { openValues, type SealedValues } from "./sealed-values.ts";
import { openSlotLeases, type SlotLeases } from "./slot-leases.ts";
import { TargetWatch } from "./target-watch.ts";

export type SiteOptions = Surroundings & {
  readonly folder: RunFolder;
  /** All that is known of the run so far. */
  readonly state: RunState;
  readonly facts: readonly Fact[];
  readonly tell: (activity: Activity) => void;
};

export type OpenedSite = {
  readonly site: RunContext;
  /** To be called for every fact from now on. */
  readonly watch: (fact: Fact) => void;
  readonly close: () => Promise<void>;
};

export async function openRunContext(options: SiteOptions): Promise<OpenedSite> {
  const { folder, state, env, clock, tell, agents, rights } = options;
  const { run } = state;
  await reapMarked({ runMarker: run, worktree: null, process: null });
  await removeStaleLocks(options.repository, run);
  const fingerprint = readFingerprint(options.facts);
  const start = { fingerprint, keptIn: folder.start };
  const frozen = await openShadow(options.repository, folder.path, { env, start });
  const { repository } = frozen;
  const copies = await findCopies(repository, state.index.plan, folder);
  const lifeline = deferred<Lifeline>();
  const prepared = openPrepared(options, copies, lifeline.promise);
  const shadow = await hideFiles(frozen, options, copies);
  await repairLanding(shadow, { run, runDir: folder.path });
  await startIntegration(repository, run, state.tip.commit);
  await catchUp(repository, options);
  const isolation = readIsolation(options.facts);
  const pool = await openPool({ shadow, run, runDir: folder.path, root: options.worktrees, isolation });
  const slots = await openSlots(options, pool);
  const values = await openValues({ folder, keyFile: options.valuesKey });
  const copied = await copiedSecrets(repository.workTree ?? "", copies);
  const reds = redOutputs();
  for (const fact of options.facts) reds.watch(fact);
  const reaper = await needReaper(pool.folder, run, env);
  lifeline.resolve(reaper);
  const sandbox = await openSandbox(options, shadow, pool.folder);
  const setUps = await openSetUps({ shadow, prepared, folder: join(pool.folder, ".set-ups") });
  const site: RunContext = {
    ...{ run, folder, shadow, pool, slots, copies, prepared, setUps, sandbox },
    ...{ agents, clock, rights, tell, values },
    lifeline: reaper,
    masker: runMasker(values, env, [...copied, ...options.secrets]),
    ...describeSite(options),
    redOutput: reds.of,
    checkoutGuard: await guardCheckout(repository, folder.path),
    targetWatch: new TargetWatch({
      ...{ shadow, runDir: folder.path, known: state.targetAt },
      hasRun: state.indices.liveAttempts > 0,
    }),
  };
  await releaseStrays(site, state);
  const close = async (): Promise<void> => {
    await slots.close(pool.leases());
    await prepared.close();
    await reaper.close();
  };
  return { site, watch: reds.watch, close };
}

function openSlots(
  { state: { run, index }, portLocks, folder }: SiteOptions,
  pool: Pool,
): Promise<SlotLeases> {
  const ports = openPorts({ settings: index.plan.ports ?? DEFAULT_PORTS, folder: portLocks, run });
  return openSlotLeases({ run, ports, file: folder.ports }, pool.leases());
}

/** Walls only where the driver found that they work here: what it found is in the journal. */
function openSandbox(options: SiteOptions, shadow: Shadow, pool: string): Promise<RunSandbox> {
  const { repository, folder, state, env, sandbox } = options;
  const { workTree, commonDir, standsInFor } = repository;
  const isInside = folder.path.startsWith(`${commonDir}/`) && standsInFor === null;
  return openRunSandbox({
    settings: sandbox.used?.by == null ? null : (state.index.plan.sandbox ?? null),
    shadow,
    env,
    closed: [
      ...(workTree === null || state.workFolder !== null ? [] : [workTree]),
      ...(isInside ? [] : [dirname(folder.path), commonDir]),
      ...sandbox.hidden,
    ],
    folder: join(pool, ".sandbox"),
    perl: sandbox.perl,
  });
}

type Described = "env" | "versions" | "warmup" | "attemptEnv" | "proposal" | "findMissing";

/** What is the same wherever the last driver stopped. */
function describeSite(
  options: SiteOptions,
): Pick<RunContext, Described | "workFolder" | "baseTree" | "fingerprint"> {
  const { state, folder, clock, attemptEnv, proposal, findMissing } = options;
  const env = inheritable(options.env);
  return {
    ...{ env, attemptEnv, proposal, findMissing },
    versions: openAgentVersions({ env, cwd: folder.path, run: state.run }),
    warmup: openCacheWarmup(clock),
    workFolder: state.workFolder,
    baseTree: state.base.tree,
    fingerprint: readFingerprint(options.facts),
  };
}

/** Its copies are looked at while git does the rest. */
function openPrepared(options: SiteOptions, copies: Copies, lifeline: Promise<Lifeline>): PreparedFolders {
  const { repository, state, env, clock, worktrees, keptCopyBytes } = options;
  const { workTree } = repository;
  const prepared = new PreparedFolders({
    checkout: workTree ?? "",
    folder: preparedFolder(worktrees, repository),
    keptBytes: keptCopyBytes,
    ...fastPrograms({ run: state.run, env: inheritable(env), lifeline, clock }),
  });
  if (workTree === null || state.workFolder !== null) return prepared;
  const { tasks } = state.index.plan;
  const sources = tasks.flatMap(({ prepare }) => {
    const list = copies.of(prepare);
    return list.paths.map((path) => join(workTree, list.sources.get(path) ?? path));
  });
  prepared.openAhead([...new Set(sources)], tasks.length + 1);
  return prepared;
}

/** A run that continues from the target moves its branch there, from where it was when that was decided (I7). */
async function catchUp(repository: Repository, { facts, state: { run, tip } }: SiteOptions): Promise<void> {
  const last = facts.findLast(({ type }) => type === "integration.caught-up");
  if (last?.type !== "integration.caught-up" || last.to.commit !== tip.commit) return;
  await continueIntegration(repository, run, { from: last.from, to: last.to.commit });
}

/** Takes out of texts what neither the environment nor the plan may show (I13). */
export function runMasker(values: SealedValues, env: Env, secrets: readonly string[]): Masker {
  const planned = values.all().flatMap(([name, value]) => secretsOf({ [name]: value }));
  return createMasker([...new Set([...secretsOf(env), ...planned, ...secrets])]);
}

/** Without it processes could outlive plait, which must not be (I5): better not to begin. */
async function needReaper(worktrees: string, runMarker: string, env: Env): Promise<Reaper> {
  const started = await startReaper({ runMarker, worktrees, env });
  if (!started.ok) throw new Error(started.message);
  return started.reaper;
}

/** Worktrees that no attempt waits to be saved in: gates, attempts that never got their first fact, and saved ones. */
async function releaseStrays(site: RunContext, state: RunState): Promise<void> {
  const waiting = new Set<AttemptId>();
  for (const { live, fix, open } of valuesOf(state.tasks)) {
    for (const { id } of live) waiting.add(id);
    for (const id of [workAwaited(fix), open?.attempt, open?.after?.attempt])
      if (id !== undefined) waiting.add(id);
  }
  for (const lease of site.pool.leases()) {
    if (lease.attempt === null || !waiting.has(lease.attempt)) await releaseWorktree(site, lease, state);
  }
}
