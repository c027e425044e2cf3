// A run on this machine: begun, or taken over from a driver that is no more; then driven until it ends. One driver a run, by
// the lock in its folder (I6); others talk to it through its control socket.

import { rm } from "node:fs/promises";
import { hashDefinitions } from "../../agents/definitions.ts";
import type { Agents } from "../../agents/registry.ts";
import { type Decision, decide, type RunCommand } from "../../core/decide.ts";
import { evolve, replay } from "../../core/evolve.ts";
import {
  type Driver as DriverId,
  FACT_VERSION,
  type Fact,
  type MissingFiles,
  type Policy,
  type RunOutcome,
} from "../../core/facts.ts";
import type { AccountKey, AttemptId, Oid, RefName, RunId, TaskId, TextHash } from "../../core/ids.ts";
import { parseFact } from "../../core/parse-fact.ts";
import type { Env, Plan, Preparation } from "../../core/plan.ts";
import type { ProposalScope } from "../../core/proposal.ts";
import type { RunState } from "../../core/run-state.ts";
import type { RunView } from "../../core/run-view.ts";
import type { UserRefusal } from "../../core/text/refusal.ts";
import {
  cleanRefs,
  type Fingerprint,
  frozenPaths,
  integrationRef,
  openShadow,
  type Repository,
  readRef,
  recordFingerprint,
  retryGit,
} from "../../git/index.ts";
import { acquireLock, type HeldLock } from "../../journal/lock.ts";
import type { LockRefusal } from "../../journal/lock-refusal.ts";
import { type Journal, openJournal } from "../../journal/open.ts";
import { pause } from "../../process/pause.ts";
import type { Clock } from "../../util/clock.ts";
import type { Accounts } from "./accounts-file.ts";
import { openRunSocket } from "./control-socket.ts";
import { Driver } from "./driver.ts";
import { localEffects } from "./effects.ts";
import { findChangedAccounts } from "./find-accounts.ts";
import { readOwnChanges } from "./fingerprint.ts";
import { runHooks, tellWebhooks } from "./hooks.ts";
import { keepAwake } from "./keep-awake.ts";
import { fedView } from "./live-view.ts";
import { runNotices, type Terminal } from "./notify.ts";
import { openRunContext } from "./open-run-context.ts";
import { type RunPlace, writePlace } from "./place.ts";
import type { Rights, RunContext } from "./run-context.ts";
import { hashText, makeRunFolder, prepareRunFolder, type RunFolder, runFolder } from "./run-folder.ts";
import { recordSandbox, type SandboxHere } from "./sandbox/run-sandbox.ts";
import { openValues, refuseLostValues, sealPlan } from "./sealed-values.ts";
import { shareLimits } from "./share-limits.ts";
import { readTarget } from "./target-watch.ts";

/** The text of a pull request about the run, or about one of its tasks. */
export type ProposalBuilder = (end: EndOfRun) => Promise<(scope: ProposalScope) => string>;

/** `prepare`: that of the worktree the gate ran in. */
export type MissingFinder = (asked: {
  readonly plan: Plan;
  readonly prepare: Preparation;
  readonly tree: Oid;
}) => Promise<MissingFiles | null>;

/** What a run needs of the machine, whoever begins or resumes it. */
export type Surroundings = {
  readonly repository: Repository;
  readonly agents: Agents;
  /** The environment that plait was started with. */
  readonly env: Env;
  /** Further values to be masked wherever they are printed. */
  readonly secrets: readonly string[];
  readonly rights: Rights;
  readonly sandbox: SandboxHere;
  /** The folder that holds the worktrees of all repositories. */
  readonly worktrees: string;
  /** Of copied dependency folders that stay for the next run of the repository. */
  readonly keptCopyBytes: number;
  /** The folder of the locks on ports, of all runs of the user. */
  readonly portLocks: string;
  /** The key to the values of variables, of all runs of the user. */
  readonly valuesKey: string;
  readonly clock: Clock;
  readonly driver: DriverId;
  /** What is known about accounts, shared by all runs of the user. */
  readonly accounts: Accounts;
  /** Where others may connect; null: nobody can. */
  readonly controlPath: string | null;
  /** As the user typed it, for those who find the lock. */
  readonly command: string;
  /** Tells of the run when it has ended, while its lock is still held. Never rejects. */
  readonly report: (end: EndOfRun) => Promise<Reported>;
  /** What a pull request says about the run that it is made of. */
  readonly proposal: ProposalBuilder;
  /** What a gate that is red on the base commit may have missed; null where worktrees have everything. */
  readonly findMissing: MissingFinder;
  /** Further variables of the program of an attempt. */
  readonly attemptEnv: (attempt: AttemptId) => Env;
  /** Where this process was started from; null where nobody sits there. */
  readonly terminal: Terminal | null;
};

export type EndOfRun = {
  readonly folder: RunFolder;
  readonly state: RunState;
  readonly mask: (text: string) => string;
};

/** Where the report is, or why there is none. */
export type Reported =
  | { readonly ok: true; readonly path: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

export type NewRun = {
  readonly run: RunId;
  /** Below the common dir of the repository, or in the user's state folder; made here. */
  readonly path: string;
  /** Null in a repository. */
  readonly place: RunPlace | null;
  readonly plan: Plan;
  readonly texts: ReadonlyMap<TextHash, string>;
  readonly policy: Policy;
  readonly selected: readonly TaskId[] | null;
  readonly accounts: { readonly [task: string]: AccountKey };
  /** The branch to land on; null: the one that is checked out. */
  readonly target: RefName | null;
  /** Writes further files into its folder, before its first fact. */
  readonly furnish: (path: string) => Promise<void>;
};

/** A run that this process drives. */
export type LocalRun = {
  readonly view: RunView;
  /** Every fact from before the view. */
  readonly past: readonly Fact[];
  readonly ask: (command: RunCommand) => Promise<Decision>;
  /** Resolves when everything is put away; rejects when the journal cannot be written any more. */
  readonly drive: () => Promise<RunOutcome>;
  /** Takes out of a text what must not be shown (I13). */
  readonly mask: (text: string) => string;
  /** What became of its report; null before it has ended. */
  readonly reported: () => Reported | null;
  /** For a process that ends without driving. */
  readonly close: () => Promise<void>;
};

/** Nothing is left behind when it cannot be begun. Null: there is a run of that name. */
export async function beginRun(around: Surroundings, begun: NewRun): Promise<LocalRun | null> {
  if (!(await makeRunFolder(begun.path))) return null;
  const folder = runFolder(begun.path);
  const opened: Disposal[] = [];
  try {
    const lock = await needLock(folder, around.command);
    opened.unshift(() => lock.release());
    await prepareRunFolder(folder);
    if (begun.place !== null) await writePlace(folder, begun.place);
    for (const text of begun.texts.values()) await folder.putText(text);
    const plan = await sealPlan({ folder, keyFile: around.valuesKey }, begun.plan);
    const journal = await openJournal<Fact>(folder.journal, { lock, parse: parseFact });
    opened.unshift(journal.close);
    const first = await startedFact(around, { ...begun, plan }, folder);
    await begun.furnish(begun.path);
    await journal.append([first]);
    return await openRun(around, { folder, lock, journal, facts: [first] });
  } catch (error) {
    // The error is what is shown; whatever cannot be removed either has the same cause.
    const refs = { run: begun.run, landed: true, merged: [] };
    for (const dispose of [...opened, () => cleanRefs(around.repository, refs)])
      await dispose().catch(() => undefined);
    await rm(begun.path, { recursive: true, force: true });
    throw error;
  }
}

type Disposal = () => Promise<unknown>;

async function startedFact(around: Surroundings, begun: NewRun, folder: RunFolder): Promise<Fact> {
  const { repository, clock, driver, env } = around;
  const { run, plan, policy, selected, accounts } = begun;
  const { head } = repository;
  const agents = hashDefinitions(plan, around.agents, hashText);
  const shadow = await openShadow(repository, folder.path, { env });
  return {
    v: FACT_VERSION,
    at: clock.now(),
    type: "run.started",
    ...{ run, plan, policy, selected, accounts, driver },
    base: head.at,
    ...(await readTarget(repository, begun.target)),
    ...(begun.place === null ? {} : { workFolder: begun.place.folder }),
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
    ...recordSandbox(around.sandbox),
    fingerprints: await recordFingerprint(repository, folder.start, { env, also: frozenPaths(shadow) }),
  };
}

async function needLock(folder: RunFolder, command: string): Promise<HeldLock> {
  const result = await acquireLock(folder.lock, { command });
  if (!result.ok) throw new Error(result.refusal.message);
  return result.lock;
}

export type Taken =
  | { readonly ok: true; readonly run: LocalRun }
  /** Somebody else drives it, or what was asked cannot be done. Nothing was changed. */
  | { readonly ok: false; readonly why: "driven"; readonly refusal: LockRefusal }
  | { readonly ok: false; readonly why: "decided"; readonly refusal: UserRefusal };

/** What is asked of a run that is taken over: by how it was left, and by how it is with a new plan. */
export type Asked = (left: RunState, now: RunState) => readonly RunCommand[];

/** Another plan for a run that has begun. */
export type Revision = Pick<NewRun, "plan" | "texts" | "policy" | "accounts"> & {
  /** Merged or passed tasks to be done again. */
  readonly redo: readonly TaskId[];
};

export type AcquireRunInput = {
  readonly asked: Asked;
  readonly revision?: Revision | null;
  /** Strings that what is asked names, beside those of the revision. */
  readonly texts?: ReadonlyMap<TextHash, string>;
};

/** Takes a run over: whatever its last driver left is put in order, and it goes on with what is asked. */
export async function acquireRun(
  around: Surroundings,
  path: string,
  { asked, revision = null, texts = new Map() }: AcquireRunInput,
): Promise<Taken> {
  const folder = runFolder(path);
  const result = await acquireLock(folder.lock, { command: around.command });
  if (!result.ok) return { ok: false, why: "driven", refusal: result.refusal };
  const { lock } = result;
  const opened: Disposal[] = [() => lock.release()];
  try {
    const journal = await openJournal<Fact>(folder.journal, { lock, parse: parseFact });
    opened.unshift(journal.close);
    const state = needState(journal.facts, folder);
    const tip = await retryGit(() => readRef(around.repository, integrationRef(state.run)));
    const valuesPlace = { folder, keyFile: around.valuesKey };
    const values = await openValues(valuesPlace);
    const revise: RunCommand[] =
      revision === null ? [] : [{ kind: "revise", ...revision, plan: values.seal(revision.plan) }];
    const fingerprints = await retryGit(() => readOwnChanges(around.repository, folder, journal.facts));
    const lost = refuseLostValues(values, revision?.plan ?? state.index.plan, state.run);
    const answer = lost ?? resumption(around, { state, tip, fingerprints, revise, asked });
    if (!answer.ok) {
      for (const dispose of opened) await dispose();
      return { ok: false, why: "decided", refusal: answer.refusal };
    }
    // Before the fact that names them.
    for (const text of [...(revision?.texts.values() ?? []), ...texts.values()]) await folder.putText(text);
    if (revision !== null) await values.write(valuesPlace);
    await journal.append(answer.facts);
    const facts = [...journal.facts, ...answer.facts];
    const held = { folder, lock, journal, facts };
    return { ok: true, run: await retryGit(() => openRun(around, held)) };
  } catch (error) {
    for (const dispose of opened) await dispose().catch(() => undefined);
    throw error;
  }
}

type Resumed = {
  readonly state: RunState;
  /** Where the integration branch is. */
  readonly tip: Oid | null;
  readonly fingerprints: Fingerprint;
  readonly revise: readonly RunCommand[];
  readonly asked: Asked;
};

/** The first facts of a new driver; a refusal before any of them is written. */
function resumption({ clock, driver, sandbox }: Surroundings, resumed: Resumed): Decision {
  const { state, tip, fingerprints, revise, asked } = resumed;
  const at = clock.now();
  const own = {
    ...(Object.keys(fingerprints).length === 0 ? {} : { fingerprints }),
    ...recordSandbox(sandbox),
  };
  const facts: Fact[] = [{ v: FACT_VERSION, at, type: "run.resumed", driver, ...own }];
  const [head] = state.candidates;
  if (head !== undefined && head.result.commit === tip) {
    // The last driver moved the branch and could not say so: git is believed, before anybody decides on what is merged.
    const { from, result: to, tasks } = head;
    facts.push({ v: FACT_VERSION, at, type: "integration.advanced", from, to, tasks });
  }
  let next = evolveAll(state, facts);
  for (const commands of [() => revise, () => asked(state, next)]) {
    for (const command of commands()) {
      const decision = decide(next, command, at, { state, isRunning: false });
      if (!decision.ok) return decision;
      facts.push(...decision.facts);
      next = evolveAll(next, decision.facts);
    }
  }
  return { ok: true, facts };
}

function evolveAll(state: RunState, facts: readonly Fact[]): RunState {
  return facts.reduce((so, fact) => evolve(so, fact) ?? so, state);
}

/** An agent is gone within seconds of its end being asked for. */
const GIVE_UP_MS = 10_000;

type Held = {
  readonly folder: RunFolder;
  readonly lock: HeldLock;
  readonly journal: Journal<Fact>;
  readonly facts: readonly Fact[];
};

async function openRun(around: Surroundings, { folder, lock, journal, facts }: Held): Promise<LocalRun> {
  const state = needState(facts, folder);
  const { clock } = around;
  const view = fedView(state, { folder: folder.path, now: () => driver.now() });
  const opened = await openRunContext({ ...around, folder, state, facts, tell: view.tell });
  const driver = new Driver({
    state,
    clock,
    append: async (bodies) => {
      await journal.append(bodies);
    },
    effects: localEffects(opened.site),
    mask: opened.site.masker.text,
    onFact: (fact, after) => {
      opened.watch(fact);
      view.fold(fact, after);
    },
  });
  const ask = (command: RunCommand): Promise<Decision> => askWithLogins(driver, opened.site, command);
  const socket = await openRunSocket(around, { folder, view, ask, facts: facts.length });
  const isNew = facts.every(({ type }) => type !== "run.resumed");
  const hooks = runHooks(opened.site, view, isNew);
  let reported: Reported | null = null;
  const notices = runNotices(opened.site, view, around.terminal);
  let stopSharing: () => void = () => undefined;
  const leave = async (): Promise<void> => {
    stopSharing();
    await socket?.close();
    await journal.close();
    await lock.release();
  };
  const close = async (): Promise<void> => {
    await leave();
    await opened.close();
  };
  const drive = async (): Promise<RunOutcome> => {
    try {
      stopSharing = await shareLimits(around.accounts, view, (body) => driver.record(body));
      const letSleep = state.index.plan.keepAwake ? await keepAwake(opened.site) : null;
      hooks.begin();
      await notices.begin();
      const outcome = await driver.run();
      reported = await around.report({ folder, state: view.state(), mask: opened.site.masker.text });
      await hooks.end(reported.ok ? reported.path : null);
      await Promise.all([notices.done(), tellWebhooks(opened.site, view.state()), letSleep?.()]);
      await close();
      return outcome;
    } catch (error) {
      // Agents and gates are being ended; the lock goes when nothing of ours touches the repository any more. The reaper is
      // not told that all is well: it ends with this process whatever is left.
      await Promise.race([driver.idle(), pause(GIVE_UP_MS)]);
      await leave().catch(() => undefined);
      throw error;
    }
  };
  const mask = opened.site.masker.text;
  return { view, past: facts, ask, drive, close, mask, reported: () => reported };
}

/** A person who ends waits may have logged in to another account: then the limits of the old one hold nothing up. */
async function askWithLogins(driver: Driver, site: RunContext, command: RunCommand): Promise<Decision> {
  const isNow = command.kind === "retry-now" || (command.kind === "retry" && command.now === true);
  const accounts = isNow ? await findChangedAccounts(driver.state, site) : null;
  if (accounts === null) return driver.ask(command);
  const changed = await driver.ask({ kind: "accounts", accounts });
  const decision = await driver.ask(command);
  // Where nothing waits any more, the other login was all that was needed.
  return command.kind === "retry-now" && changed.ok ? changed : decision;
}

function needState(facts: readonly Fact[], { journal }: RunFolder): RunState {
  const state = replay(facts);
  if (state === null) throw new Error(`${journal} has no run`);
  return state;
}
