import type { EpochMs, Fact, FactBody, GateJudged, Policy, StopMode } from "../../src/core/facts.ts";
import type { FailureReason } from "../../src/core/failure.ts";
import {
  type AccountKey,
  type AttemptId,
  type GateKey,
  type Oid,
  type PreparationKey,
  splitAttemptId,
  type TaskId,
} from "../../src/core/ids.ts";
import { gateKey, type Plan, preparationKey, type Task } from "../../src/core/plan.ts";

/**
 * The journal as an outsider reads it: what the facts say, taken literally and without the core. The invariants measure
 * the core by this. The first fact of a kind about an attempt counts, later ones are echoes.
 */
type FactOf<T extends FactBody["type"]> = Extract<Fact, { type: T }>;

export type AttemptRecord = {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly n: number;
  /** Its place in the journal. */
  readonly place: number;
  readonly started: FactOf<"attempt.started">;
  ended: FactOf<"attempt.ended"> | null;
  saved: FactOf<"attempt.saved"> | null;
  /** Perhaps it was dropped: a gate was red for its tree (or that was an echo), or its task was held. */
  doubtful: boolean;
};

export class Ledger {
  private known: { readonly plan: Plan; readonly tasks: ReadonlyMap<TaskId, Task> } | null = null;
  start: FactOf<"run.started"> | null = null;
  selected: ReadonlySet<TaskId> | null = null;
  accounts: { readonly [task: string]: AccountKey } = {};
  slots = 0;
  /** As the run started, or was changed since. */
  land: Policy["land"] = "end";
  length = 0;
  spentUsd = 0;
  stopping: StopMode | null = null;
  paused = false;
  held = false;
  landingAsked = false;
  landed: FactOf<"run.landed"> | null = null;
  published: FactOf<"run.published"> | null = null;
  readonly attempts = new Map<AttemptId, AttemptRecord>();
  readonly byTask = new Map<TaskId, AttemptRecord[]>();
  /** Agents that were started and of whom no end is known. */
  readonly open = new Set<AttemptRecord>();
  private readonly greens = new Set<string>();
  readonly reds: GateJudged[] = [];
  /** As other runs report them. `trial`: waits were skipped, and one attempt is let through, or was. */
  readonly limits = new Map<AccountKey, { until: EpochMs; durationMs: number; trial?: "due" | AttemptId }>();
  /** By task, the place of the last fact that gave it all its chances anew. */
  readonly reset = new Map<TaskId, number>();
  readonly cancelled = new Set<TaskId>();
  /** Tasks that only stay in the plan for their history. */
  removed: ReadonlySet<TaskId> = new Set();
  /** By task, the place of the last word of a person about it; the run's own stops are under "". */
  private readonly words = new Map<TaskId | "", number>();
  /** By task, the place of the last approval. */
  readonly approved = new Map<TaskId, number>();
  /** Tasks that an advance in the journal names. */
  readonly merged = new Set<TaskId>();

  /** By commit, joins with a target that moved: where the work of these tasks may begin once more, and the tip in each. */
  readonly joins = new Map<Oid, { readonly tip: Oid; readonly tasks: readonly TaskId[] }>();

  note(fact: Fact): void {
    this.length += 1;
    if (fact.type !== "run.resumed") this.dropPassedLimits(fact.at);
    if (fact.type === "task.approved") this.noteTask(fact);
    else if ("attempt" in fact) this.noteAttempt(fact);
    else if ("account" in fact) this.noteAccount(fact);
    else if (fact.type === "plan.revised") this.noteRevision(fact);
    else if ("task" in fact && typeof fact.task === "string") this.noteTask(fact as FactOf<"task.reopened">);
    else this.noteRun(fact);
  }

  get plan(): Plan | null {
    return this.known?.plan ?? null;
  }

  task(id: TaskId): Task | undefined {
    return this.known?.tasks.get(id);
  }

  of(task: TaskId): readonly AttemptRecord[] {
    return this.byTask.get(task) ?? [];
  }

  isSelected(task: TaskId): boolean {
    return this.selected === null || this.selected.has(task);
  }

  hasGreen(tree: Oid, preparation: PreparationKey, gate: GateKey): boolean {
    return this.greens.has(verdictKey(tree, preparation, gate));
  }

  /** Whether every gate of the list has a green verdict for exactly this tree. */
  isGreen(tree: Oid, { gates, prepare }: Pick<Task, "gates" | "prepare">): boolean {
    return gates.every((gate) => this.hasGreen(tree, preparationKey(prepare), gateKey(gate)));
  }

  /** Whether the end of an attempt that began at `place` was perhaps wanted. */
  mayHaveAskedToEnd(task: TaskId, place: number): boolean {
    const last = Math.max(this.words.get("") ?? 0, this.words.get(task) ?? 0);
    return last > place || this.start?.policy.failFast === true;
  }

  /** Whether work that begins at this commit fits the run to its target: a merged task may be asked for it. */
  isFitting(task: TaskId, base: Oid): boolean {
    return this.joins.get(base)?.tasks.includes(task) ?? false;
  }

  private noteAttempt(
    fact: Exclude<Extract<Fact, { attempt: AttemptId | null }>, { type: "task.approved" }>,
  ): void {
    const { task, n } = splitAttemptId(fact.attempt);
    const known = this.attempts.get(fact.attempt);
    if (fact.type === "attempt.started") {
      if (known !== undefined) return;
      const place = this.length;
      const record: AttemptRecord = {
        id: fact.attempt,
        task,
        n,
        place,
        started: fact,
        ended: null,
        saved: null,
        doubtful: false,
      };
      this.attempts.set(fact.attempt, record);
      this.byTask.set(task, [...this.of(task), record]);
      if (fact.author === "agent") this.open.add(record);
      const limit = this.limitOf(task);
      if (fact.author === "agent" && limit?.trial === "due") limit.trial = fact.attempt;
    } else if (known === undefined) return;
    else if (fact.type === "attempt.saved") known.saved ??= fact;
    else if (fact.type === "attempt.ended" && known.ended === null) {
      known.ended = fact;
      this.open.delete(known);
      this.spentUsd += fact.usage.costUsd ?? 0;
      this.noteEndOnAccount(fact, task);
    }
  }

  private limitOf(task: TaskId) {
    const account = this.accounts[task];
    return account === undefined ? undefined : this.limits.get(account);
  }

  /** A success ends the limit. The attempt that was let through knows its end better than who reported it, or nothing. */
  private noteEndOnAccount({ attempt, failure }: FactOf<"attempt.ended">, task: TaskId): void {
    const account = this.accounts[task];
    const limit = this.limitOf(task);
    if (account === undefined || limit === undefined) return;
    const isMet = failure !== null && LIMITS.has(failure.reason);
    if (failure === null || (limit.trial === attempt && isMet)) this.limits.delete(account);
    else if (limit.trial === attempt) delete limit.trial;
  }

  /** What was over before a clock jumped back stays over. */
  private dropPassedLimits(at: EpochMs): void {
    for (const [account, { until }] of this.limits) if (until <= at) this.limits.delete(account);
  }

  private skipWaits({ accounts }: FactOf<"waits.skipped">): void {
    for (const account of accounts) {
      const limit = this.limits.get(account);
      if (limit !== undefined) limit.trial ??= "due";
    }
  }

  /** The later end wins, whoever says it. */
  private noteAccount(fact: Extract<Fact, { account: AccountKey }>): void {
    if (fact.type === "account.limited") {
      if ((this.limits.get(fact.account)?.until ?? 0) <= fact.until)
        this.limits.set(fact.account, { ...fact });
    } else if (fact.ok) this.limits.delete(fact.account);
  }

  private noteTask(fact: FactOf<"task.reopened" | "task.cancelled" | "task.approved" | "task.held">): void {
    this.words.set(fact.task, this.length);
    if (fact.type === "task.held") for (const record of this.of(fact.task)) record.doubtful = true;
    if (fact.type === "task.cancelled") this.cancelled.add(fact.task);
    if (fact.type === "task.approved") this.approved.set(fact.task, this.length);
    // Said of a task whose next attempt had just begun, it comes too late.
    const isUnderWay = this.of(fact.task).some(({ saved }) => saved === null);
    if (fact.type === "task.reopened" && !isUnderWay) this.renew(fact.task);
  }

  /** What is gone from the plan but has begun stays for its history, and no longer counts. */
  private noteRevision(fact: FactOf<"plan.revised">): void {
    const isIn = (id: TaskId): boolean => fact.plan.tasks.some((task) => task.id === id);
    const gone = (this.plan?.tasks ?? []).filter(({ id }) => !isIn(id) && this.of(id).length > 0);
    const added = fact.plan.tasks.filter(({ id }) => this.task(id) === undefined || this.removed.has(id));
    const same = (task: Task): boolean => JSON.stringify(task) === JSON.stringify(this.task(task.id));
    for (const { id } of added) this.cancelled.delete(id);
    for (const task of fact.plan.tasks) if (!same(task) && !this.cancelled.has(task.id)) this.renew(task.id);
    for (const id of fact.redo) this.renew(id);
    for (const { id } of gone) this.cancelled.add(id);
    if (this.selected !== null) this.selected = new Set([...this.selected, ...added.map(({ id }) => id)]);
    this.words.set("", this.length);
    this.removed = new Set(gone.map(({ id }) => id));
    this.know({ ...fact.plan, tasks: [...fact.plan.tasks, ...gone] });
    this.accounts = fact.accounts;
  }

  private know(plan: Plan): void {
    this.known = { plan, tasks: new Map(plan.tasks.map((task) => [task.id, task])) };
  }

  private renew(task: TaskId): void {
    this.reset.set(task, this.length);
    this.cancelled.delete(task);
  }

  private noteRun(fact: Fact): void {
    switch (fact.type) {
      case "run.started":
        if (this.start !== null) return;
        this.start = fact;
        this.know(fact.plan);
        this.accounts = fact.accounts;
        this.slots = fact.policy.slots;
        this.land = fact.policy.land;
        this.selected = fact.selected === null ? null : new Set(fact.selected);
        return;
      case "run.resumed":
        this.paused = false;
        this.stopping = null;
        this.held = false;
        for (const limit of this.limits.values())
          limit.until = Math.min(limit.until, fact.at + limit.durationMs);
        return;
      case "policy.changed":
        this.slots = fact.policy.slots;
        this.land = fact.policy.land;
        return;
      case "gate.judged":
        if (fact.verdict === "red") this.noteRed(fact);
        else this.greens.add(verdictKey(fact.tree, fact.preparation, fact.gate));
        return;
      default:
        this.noteRest(fact);
    }
  }

  private noteRed(fact: GateJudged): void {
    this.reds.push(fact);
    // A red base ends every attempt.
    if (fact.asked.some(({ kind }) => kind === "base")) this.words.set("", this.length);
    for (const record of this.attempts.values()) {
      if (record.saved?.result.tree === fact.tree) record.doubtful = true;
    }
  }

  private noteRest(fact: Fact): void {
    if (fact.type === "run.stopping") {
      this.stopping = fact.mode;
      this.words.set("", this.length);
    }
    if (fact.type === "run.paused") this.paused = true;
    if (fact.type === "run.unpaused") this.paused = false;
    if (fact.type === "run.held") this.held = true;
    if (fact.type === "waits.skipped") this.skipWaits(fact);
    if (fact.type === "accounts.changed") this.accounts = fact.accounts;
    // It is asked for what is there then: work that is merged after the end stays where the policy says.
    if (fact.type === "landing.asked" || fact.type === "run.ended")
      this.landingAsked = fact.type === "landing.asked";
    if (fact.type === "run.landed") this.landed = fact;
    if (fact.type === "landing.refused" && fact.join !== undefined)
      this.joins.set(fact.join.result.commit, { tip: fact.tip, tasks: fact.join.tasks });
    if (fact.type === "landing.undone") this.landed = null;
    if (fact.type === "run.published") this.published = fact;
    if (fact.type === "integration.advanced") for (const { task } of fact.tasks) this.merged.add(task);
  }
}

const LIMITS: ReadonlySet<FailureReason> = new Set<FailureReason>([
  ...(["rate-limit", "overloaded", "usage-limit", "auth", "billing", "network"] as const),
]);

const verdictKey = (tree: string, preparation: string, gate: string): string =>
  `${tree} ${preparation} ${gate}`;
