import type { Revision, TaskAttempt } from "../../src/core/facts.ts";
import type { AttemptFailure, EffectFailureCause } from "../../src/core/failure.ts";
import type { AccountKey, AttemptId, GateKey, Oid, TaskId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import { type Outcome, pathsOf, scriptOf } from "./agents.ts";
import type { Case } from "./case.ts";
import { type Disk, makeDisk } from "./disk.ts";
import { Gates } from "./gates.ts";
import { GitModel } from "./git-model.ts";
import { Ledger } from "./ledger.ts";
import type { Pace } from "./pace.ts";
import { type Random, randomFrom } from "./random.ts";
import { makeTimeline, type Timer } from "./timeline.ts";
import { STRAY, tokenOf, Worktrees } from "./worktrees.ts";

/** What is outside of the core and survives a crash of the driver: disk, git, worktrees, processes, time. */
export type Process = {
  readonly marker: string;
  readonly attempt: AttemptId;
  readonly task: TaskId;
  readonly costUsd: number;
  alive: boolean;
  /** How it ended by itself; a killed one says nothing. */
  failure: AttemptFailure | null;
  killed: boolean;
  onExit: (() => void) | null;
  dying: Timer | null;
};

export const TARGET = "refs/heads/main";
export const INTEGRATION = "refs/heads/plait/run/integration";
export const savedRef = (attempt: AttemptId): string => `refs/plait/run/${attempt}`;

/** What the invariants are told by the world; the core never sees it. */
export type WorldWatch = {
  readonly onSpawn: (attempt: AttemptId) => void;
  readonly onLoss: (owner: AttemptId, path: string) => void;
  readonly onGate: (gate: GateKey) => void;
  readonly onAdvance: (advance: Advance) => void;
  readonly onCatchUp: (from: Oid, to: Revision) => void;
  readonly onLand: (from: Oid, to: Oid) => void;
};

export type Advance = { readonly from: Oid; readonly to: Revision; readonly tasks: readonly TaskAttempt[] };

export class World {
  readonly timeline = makeTimeline();
  readonly git = new GitModel();
  readonly ledger = new Ledger();
  readonly disk: Disk;
  readonly worktrees: Worktrees;
  readonly gates: Gates;
  readonly random: Random;
  readonly base: Revision;
  readonly theCase: Case;
  readonly pace: Pace;
  readonly processes = new Map<string, Process>();
  /** Until when an account does not work, in virtual time. */
  readonly outages = new Map<AccountKey, number>();
  /** The branch that the user has checked out; nothing of plait may depend on it. */
  head = TARGET;
  /** What the clock on the wall is ahead of virtual time. */
  wall = 0;
  /** How many landings the user's own changes are still in the way of. */
  dirty = 0;
  /** Until when git fails, in virtual time, and how. */
  private broken: { readonly until: number; readonly cause: EffectFailureCause } | null = null;
  private readonly watch: WorldWatch;

  constructor(theCase: Case, watch: WorldWatch) {
    this.theCase = theCase;
    this.pace = theCase.pace;
    this.watch = watch;
    this.random = randomFrom(theCase.seed, "world");
    this.worktrees = new Worktrees(this.git, watch.onLoss);
    this.gates = new Gates(theCase, this.git);
    this.disk = makeDisk({
      timeline: this.timeline,
      random: randomFrom(theCase.seed, "disk"),
      syncMs: theCase.pace.sync,
      onDurable: (fact) => this.ledger.note(fact),
    });
    const tree = this.git.writeTree(new Map([["README", ["user.0a"]]]));
    this.base = this.git.commit({ parents: [], tree, trailers: [] });
    this.git.swap(TARGET, null, this.base.commit);
    this.git.swap(INTEGRATION, null, this.base.commit);
  }

  breakGit({ forMs, cause }: { readonly forMs: number; readonly cause: EffectFailureCause }): void {
    this.broken = { until: this.timeline.now() + forMs, cause };
  }

  repairGit(): void {
    this.broken = null;
  }

  /** Why git fails now; null where it works. */
  gitFailure(): EffectFailureCause | null {
    return this.broken !== null && this.broken.until > this.timeline.now() ? this.broken.cause : null;
  }

  /** Begins the agent of an attempt. What it does is decided by its script, and does not wait for a driver. */
  spawn(attempt: AttemptId, task: Task, worktree: string): Process {
    this.watch.onSpawn(attempt);
    const outcome = scriptOf(this.theCase.seed, this.theCase.kind, task)(this.tryNumber(attempt, task.id));
    const marker = markerOf(attempt);
    const process: Process = {
      marker,
      attempt,
      task: task.id,
      costUsd: outcome.costUsd,
      alive: true,
      failure: null,
      killed: false,
      onExit: null,
      dying: null,
    };
    this.processes.set(marker, process);
    const work = { process, task, outcome, worktree };
    const durationMs = outcome.durationMs * this.pace.agents;
    this.timeline.after(durationMs / 2, () => this.work(work, 1));
    if (outcome.end !== "hangs") this.timeline.after(durationMs, () => this.finish(work));
    return process;
  }

  /** Ends a process from outside; `at once` or after it had time to hear of it. */
  kill(process: Process, atOnce: boolean): void {
    if (!process.alive || (process.dying !== null && !atOnce)) return;
    process.dying?.cancel();
    process.dying = this.timeline.after(atOnce ? 1 : this.random.int(1, 4_000), () => {
      if (!process.alive) return;
      process.killed = true;
      this.exit(process);
    });
  }

  beginGate(gate: GateKey): void {
    this.gates.began(gate);
    this.watch.onGate(gate);
  }

  /** Whether the integration ref is at `to` afterwards, be it by this call or by one before a crash. */
  moveIntegration({ from, to, tasks }: Advance): boolean {
    if (this.git.ref(INTEGRATION) === to.commit) return true;
    if (!this.git.swap(INTEGRATION, from, to.commit)) return false;
    this.watch.onAdvance({ from, to, tasks });
    return true;
  }

  /**
   * Not an advance: the target has all that is merged, and what people committed since. Where somebody else moved the branch,
   * work begins here all the same; the next advance fails, and a person is asked.
   */
  catchUp(from: Oid, to: Revision): void {
    this.git.swap(INTEGRATION, from, to.commit);
    this.watch.onCatchUp(from, to);
  }

  moveTarget(from: Oid, to: Oid): boolean {
    if (!this.git.swap(TARGET, from, to)) return false;
    this.watch.onLand(from, to);
    return true;
  }

  alive(): Process[] {
    return [...this.processes.values()].filter((process) => process.alive);
  }

  /** The driver is gone: nobody listens any more, its gates die with it, agents only where a reaper lives. */
  driverDied(reaps: boolean): void {
    this.disk.crash();
    this.gates.clear();
    for (const process of this.alive()) {
      process.onExit = null;
      if (reaps) this.kill(process, true);
    }
  }

  private work({ process, task, outcome, worktree }: Work, paths: number): void {
    if (!process.alive || !outcome.writes) return;
    const { seed, kind, plan } = this.theCase;
    const base = this.git.files(this.baseOf(process.attempt).tree);
    const token = tokenOf(task.id, base, outcome);
    const tasks = this.ledger.plan?.tasks ?? plan.tasks;
    for (const path of pathsOf(seed, kind, task, tasks).slice(0, paths))
      this.worktrees.write(worktree, path, token);
    if (outcome.strays) this.worktrees.write(worktree, STRAY, token);
    for (const path of this.gates.meetings(task.id, base)) this.worktrees.write(worktree, path, token);
  }

  private finish(work: Work): void {
    const { process, outcome, task } = work;
    if (!process.alive) return;
    if (outcome.end === "ok") this.work(work, Number.POSITIVE_INFINITY);
    else if (outcome.end !== "hangs") {
      process.failure = outcome.end.fails(this.timeline.now() + this.wall);
      this.takeDown(task.id, process.failure);
    }
    this.exit(process);
  }

  private exit(process: Process): void {
    process.alive = false;
    process.onExit?.();
  }

  /** A login or a line that broke for one stays broken for a while for all. */
  private takeDown(task: TaskId, { reason }: AttemptFailure): void {
    const account = this.ledger.accounts[task];
    if (account === undefined || (reason !== "auth" && reason !== "billing" && reason !== "network")) return;
    this.outages.set(account, this.timeline.now() + this.random.int(0, 40) * 60_000);
  }

  private baseOf(attempt: AttemptId): Revision {
    return this.ledger.attempts.get(attempt)?.started.base ?? this.base;
  }

  /** Tries that were cut short from outside do not count: the next one is the same try again. */
  private tryNumber(attempt: AttemptId, task: TaskId): number {
    const before = this.ledger.of(task).filter(({ id, n, ended }) => {
      const reason = ended?.failure?.reason;
      return id !== attempt && n < numberOf(attempt) && reason !== "orphaned" && reason !== "cancelled";
    });
    return before.length;
  }
}

type Work = {
  readonly process: Process;
  readonly task: Task;
  readonly outcome: Outcome;
  readonly worktree: string;
};

export const markerOf = (attempt: AttemptId): string => `plait-marker ${attempt}`;

const numberOf = (attempt: AttemptId): number => Number(attempt.slice(attempt.lastIndexOf("/") + 1));
