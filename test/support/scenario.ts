import { missingBaseChecks } from "../../src/core/base-check.ts";
import { decide, type RunCommand } from "../../src/core/decide.ts";
import { evolve } from "../../src/core/evolve.ts";
import type {
  Fact,
  FactBody,
  Finding,
  GateJudged,
  MergedAttempt,
  Policy,
  TaskAttempt,
  Usage,
} from "../../src/core/facts.ts";
import type { AttemptFailure } from "../../src/core/failure.ts";
import { type AttemptId, parseRunId, refName, splitAttemptId, type TaskId } from "../../src/core/ids.ts";
import { type Gate, gateKey, preparationKey } from "../../src/core/plan.ts";
import type { RunState, TaskPhase, TaskState } from "../../src/core/run-state.ts";
import { taskState } from "../../src/core/run-tasks.ts";
import { formatRefusal } from "../../src/core/text/refusal.ts";
import type { Want } from "../../src/core/want.ts";
import { nextWake, wants } from "../../src/core/wants.ts";
import { ACCOUNT, oidOf, PLAIN_STYLE, type PlanSketch, planOf, type TaskSketch, taskId } from "./plans.ts";

export type ScenarioOptions = {
  readonly run?: string;
  /** When it starts. */
  readonly now?: number;
  readonly plan?: PlanSketch;
  readonly policy?: Partial<Policy>;
  readonly only?: string[];
  readonly base?: "unjudged";
};

/**
 * A run told step by step, for tests of the core. Each step writes the facts that a driver would write; `wants` shows
 * what the core asks for next, one short line a want, so that a test reads like the story of the run.
 */
export class Scenario {
  state: RunState;
  readonly facts: Fact[] = [];
  now = 1_000_000;

  constructor(tasks: readonly TaskSketch[], options: ScenarioOptions = {}) {
    this.now = options.now ?? this.now;
    const plan = planOf(tasks, options.plan);
    const run = parseRunId(options.run ?? "run-1");
    if (!run.ok) throw new Error(run.problem);
    const started = this.record({
      type: "run.started",
      run: run.id,
      driver: DRIVER,
      fingerprints: {},
      plan,
      policy: { ...DEFAULT_POLICY, land: plan.land, budgetUsd: plan.budgetUsd, ...options.policy },
      base: revision("base"),
      target: refName("refs/heads/main"),
      selected: options.only?.map(taskId) ?? null,
      accounts: Object.fromEntries(
        plan.tasks.filter(({ work }) => work.kind === "agent").map(({ id }) => [id, ACCOUNT]),
      ),
    });
    const state = evolve(null, started);
    if (state === null) throw new Error("the run did not start");
    this.state = state;
    if (options.base !== "unjudged") this.judgeBase();
  }

  /** Every gate of the plan, before anything starts. */
  judgeBase(red: readonly Gate[] = []): this {
    for (const { gate } of missingBaseChecks(this.state)) {
      this.judge(gate, "base", red.includes(gate) ? "red" : "green");
    }
    return this;
  }

  /** Writes one fact, one millisecond later. */
  fact(body: FactBody): this {
    const fact = this.record(body);
    const next = evolve(this.state, fact);
    if (next === null) throw new Error("the run is gone");
    this.state = next;
    return this;
  }

  /** A new driver takes over. */
  resume(): this {
    return this.fact({ type: "run.resumed", driver: DRIVER });
  }

  later(ms: number): this {
    this.now += ms;
    return this;
  }

  ask(command: RunCommand): this {
    const decision = decide(this.state, command, this.now);
    if (!decision.ok) throw new Error(decision.refusal.message);
    for (const { v: _v, at: _at, ...body } of decision.facts) this.fact(body as FactBody);
    return this;
  }

  refusal(command: RunCommand): string | null {
    const decision = decide(this.state, command, this.now);
    return decision.ok ? null : formatRefusal(decision.refusal);
  }

  /** attempt.started and attempt.spawned. */
  start(attempt: string): this {
    const id = attempt as AttemptId;
    const { task } = splitAttemptId(id);
    return this.fact({
      type: "attempt.started",
      attempt: id,
      base: this.state.tip,
      worktree: `/worktrees/${task}`,
      marker: attempt,
      author: "agent",
      continues: this.task(task).fix?.attempt ?? null,
      worker: null,
    }).fact({ type: "attempt.spawned", attempt: id, pid: 42, startTime: "1", bootId: "boot" });
  }

  end(attempt: string, failure: AttemptFailure | null = null, usage: Partial<Usage> = {}): this {
    return this.fact({
      type: "attempt.ended",
      attempt: attempt as AttemptId,
      failure,
      exit: null,
      usage: { costUsd: null, inputTokens: null, outputTokens: null, ...usage },
      conversation: `conversation of ${attempt}`,
      said: null,
      denials: [],
    });
  }

  /** The tree holds the base's word and the attempt's. `changed: false` leaves the base as it was. */
  save(attempt: string, { changed = true, tree = `work ${attempt}`, findings = [] as Finding[] } = {}): this {
    const live = this.task(splitAttemptId(attempt as AttemptId).task).live.find(({ id }) => id === attempt);
    return this.fact({
      type: "attempt.saved",
      attempt: attempt as AttemptId,
      ref: refName(`refs/plait/run-1/${attempt}`),
      result: changed ? revision(tree) : (live?.base ?? revision("base")),
      changed,
      findings,
      report: null,
      ignored: 0,
      kept: null,
    });
  }

  /** The worktree that a person waits for is there. */
  opened(attempt: string, conflicts: readonly string[] = []): this {
    return this.fact({ type: "worktree.opened", attempt: attempt as AttemptId, worktree: "/w", conflicts });
  }

  /** Start, end and save in one go. */
  work(attempt: string): this {
    return this.start(attempt).end(attempt).save(attempt);
  }

  judge(
    gate: Gate,
    word: string,
    verdict: "green" | "red" = "green",
    more: Pick<GateJudged, "isUnprepared" | "missing"> = {},
  ): this {
    const { tree } = revision(word);
    const want = wants(this.state, this.now).find((one) => one.kind === "gate" && one.tree === tree);
    return this.fact({
      type: "gate.judged",
      tree,
      asked: want?.kind === "gate" ? want.asked : [],
      reference: null,
      output: null,
      failures: null,
      gate: gateKey(gate),
      preparation: preparationKey({ copy: [], include: [], envFiles: false, setup: [], teardown: [] }),
      verdict,
      how: "ran",
      name: gate.name,
      tries: 1,
      durationMs: 10,
      summary: verdict === "green" ? "all is well" : "1 of 2 failed",
      ...more,
    });
  }

  /** Builds the wanted candidate; its tree is named `merge <attempts>`. */
  build(): this {
    const { from, tasks } = this.want("merge");
    const result = revision(mergeWord(tasks));
    return this.fact({ type: "candidate.built", from, result, tasks: tasks.map(withCommit) });
  }

  conflict(paths: string[]): this {
    const { from, tasks } = this.want("merge");
    const [task] = tasks;
    if (task === undefined) throw new Error("nothing to merge");
    const failure = {
      reason: "conflict",
      with: [],
      paths,
      detail: `conflict in ${paths.join(", ")}`,
    } as const;
    return this.fact({ type: "candidate.refused", from, task, failure });
  }

  advance(): this {
    const { from, to, tasks } = this.want("advance");
    return this.fact({ type: "integration.advanced", from, to, tasks });
  }

  /** From a wanted merge to the advanced ref, where no gate is in the way. */
  merge(): this {
    return this.build().advance();
  }

  land(): this {
    const { result, tip } = this.want("land");
    const target = this.state.target ?? refName("refs/heads/main");
    return this.fact({
      type: "run.landed",
      tip,
      target,
      from: this.state.base.commit,
      to: result,
      notes: [],
    });
  }

  finish(): this {
    return this.fact({ type: "run.ended", outcome: this.want("finish").outcome });
  }

  /** What the core wants now, as short lines. */
  wants(): string[] {
    return wants(this.state, this.now).map(line);
  }

  wake(): number | null {
    const at = nextWake(this.state, this.now);
    return at === null ? null : at - this.now;
  }

  want<K extends Want["kind"]>(kind: K): Extract<Want, { kind: K }> {
    const found = wants(this.state, this.now).find((want) => want.kind === kind);
    if (found === undefined)
      throw new Error(`no ${kind} is wanted, only: ${this.wants().join(", ") || "nothing"}`);
    return found as Extract<Want, { kind: K }>;
  }

  task(id: string): TaskState {
    return taskState(this.state, this.state.index.indexOf.get(id as TaskId) as number);
  }

  phase(id: string): TaskPhase {
    return this.task(id).phase;
  }

  phases(): { [id: string]: TaskPhase["kind"] } {
    return Object.fromEntries(this.state.index.plan.tasks.map(({ id }) => [id, this.phase(id).kind]));
  }

  private record(body: FactBody): Fact {
    this.now += 1;
    const fact: Fact = { v: 1, at: this.now, ...body };
    this.facts.push(fact);
    return fact;
  }
}

const DEFAULT_POLICY: Policy = {
  slots: 4,
  failFast: false,
  land: "end",
  budgetUsd: null,
  mergeBatch: 1,
  mergeAhead: 1,
  redBase: "stop",
  keepWorktrees: false,
  landStyle: PLAIN_STYLE,
  publish: "no",
};

export const revision = (word: string) => ({ commit: oidOf(`c ${word}`), tree: oidOf(`t ${word}`) });

const DRIVER = { version: "0.0.0", host: "here", pid: 1 };

/** The commit that brings one task in. */
export const withCommit = (entry: TaskAttempt): MergedAttempt => ({
  ...entry,
  commit: oidOf(`c merge ${entry.attempt}`),
});

const mergeWord = (tasks: readonly TaskAttempt[]): string =>
  `merge ${tasks.map(({ attempt }) => attempt).join(" ")}`;

function line(want: Want): string {
  switch (want.kind) {
    case "start":
      return `start ${want.attempt}${want.fix === null ? "" : ` fixing ${want.fix.attempt}`}`;
    case "attend":
    case "save":
      return `${want.kind} ${want.attempt}`;
    case "stop":
      return `${want.kill ? "kill" : "stop"} ${want.attempt} (${want.because})`;
    case "gate":
      return `gate ${want.check.gate.name} for ${gateFor(want)}`;
    case "merge":
      return mergeWord(want.tasks);
    case "advance":
      return `advance ${want.tasks.map(({ attempt }) => attempt).join(" ")}`;
    case "probe":
      return `probe ${want.why}`;
    case "land":
    case "undo":
    case "publish":
      return want.kind;
    case "open":
      return `open ${want.open.attempt}`;
    default:
      return `finish ${want.outcome}`;
  }
}

function gateFor({ asked }: Extract<Want, { kind: "gate" }>): string {
  const names = asked.map((asker) => (asker.kind === "attempt" ? asker.attempt : asker.kind));
  return names.join(", ");
}
