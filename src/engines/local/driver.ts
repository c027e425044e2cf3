import { type Decision, decide, type RunCommand } from "../../core/decide.ts";
import { evolve } from "../../core/evolve.ts";
import { FACT_VERSION, type Fact, type FactBody, type RunOutcome } from "../../core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";
import { refuseCommand } from "../../core/text/refusal.ts";
import { gatesToBegin, type Want } from "../../core/want.ts";
import { nextWake, wants } from "../../core/wants.ts";
import type { Clock, Timer } from "../../util/clock.ts";
import { buildEffectFailure } from "./effect-failure.ts";

/** How often a wait is looked at. */
const LOOK_MS = 30_000;
/** Clocks that are corrected while they run differ by less. */
const ASLEEP_MS = 10_000;

/** What is answered while a run is put away: whoever asks may take it over when its driver has left. */
const ENDING: Decision = { ok: false, refusal: refuseCommand("the run is ending"), isEnding: true };

/** What the loop needs from outside. */
export type DriverOptions = {
  /** The state after all facts in the journal. */
  readonly state: RunState;
  /** Resolves when the facts are on the disk, in the order of the calls. */
  readonly append: (facts: readonly Fact[]) => Promise<void>;
  readonly clock: Clock;
  readonly effects: Effects;
  /** Takes secrets out of what an error says before it becomes a fact (I13). */
  readonly mask?: (text: string) => string;
  /** Told of every fact once it is folded: for screens and sockets. */
  readonly onFact?: (fact: Fact, state: RunState) => void;
};

/** How each want is performed. An effect may be cut off anywhere and is done again by the next driver. */
export type Effects = {
  readonly [K in Want["kind"]]: (want: Extract<Want, { kind: K }>, hands: EffectContext) => Promise<void>;
};

export type EffectContext = {
  readonly state: () => RunState;
  /** Writes facts; resolves when they are durable and folded. */
  readonly record: (...bodies: readonly FactBody[]) => Promise<void>;
  /** Aborted when nobody wants the effect any more, which only happens to gates, and when the driver gives up. */
  readonly signal: AbortSignal;
  readonly now: () => number;
};

/**
 * The loop: facts in, wants out, effects performed, facts written. It decides nothing. After every fact it asks `wants`,
 * begins what is wanted and not in flight, and keeps the rules that core/want.ts states. A fact is durable before it is
 * folded, so whatever the loop acts on survives a crash.
 */
export class Driver {
  private readonly options: DriverOptions;
  private readonly inFlight = new Map<string, InFlight>();
  /** The wall clock once, then the monotonic one: nobody who sets the clock back moves a running driver's time. */
  private offsetMs: number;
  private current: RunState;
  private written: Promise<void> = Promise.resolve();
  private unwritten = 0;
  private timer: Timer | null = null;
  /** It has ended here: what is asked now would be written, and done by nobody. */
  private isOver = false;
  private settle: {
    readonly done: (outcome: RunOutcome) => void;
    readonly fail: (error: unknown) => void;
  } | null = null;

  constructor(options: DriverOptions) {
    this.options = options;
    this.offsetMs = options.clock.now() - options.clock.monotonic();
    this.current = options.state;
  }

  get state(): RunState {
    return this.current;
  }

  now(): number {
    return Math.round(this.options.clock.monotonic() + this.offsetMs);
  }

  /** Drives until the run has ended, and gives how. Rejects when the journal can no longer be written. */
  run(): Promise<RunOutcome> {
    return new Promise((done, fail) => {
      this.settle = { done, fail };
      this.look();
    });
  }

  /** What a person asks, from whatever process. It waits for what is on its way, so that it is decided on the truth. */
  async ask(command: RunCommand): Promise<Decision> {
    while (this.unwritten > 0 || this.hasUnseenStart()) await this.written;
    if (this.isOver || this.inFlight.has("finish")) return ENDING;
    this.noticeSleep();
    const decision = decide(this.current, command, this.now());
    if (decision.ok) await this.write(decision.facts);
    return decision;
  }

  record(...bodies: readonly FactBody[]): Promise<void> {
    this.noticeSleep();
    const at = this.now();
    return this.write(bodies.map((body): Fact => ({ v: FACT_VERSION, at, ...body })));
  }

  /** One chain: facts are folded in the order in which they were given to the journal, those of one call together. */
  private write(facts: readonly Fact[]): Promise<void> {
    this.unwritten += 1;
    const durable = this.options.append(facts);
    this.written = Promise.all([this.written, durable]).then(() => {
      this.unwritten -= 1;
      for (const fact of facts) this.fold(fact);
      this.look();
    });
    this.written.catch((error: unknown) => this.giveUp(error));
    return this.written;
  }

  private fold(fact: Fact): void {
    this.current = evolve(this.current, fact) ?? this.current;
    this.options.onFact?.(fact, this.current);
  }

  private look(): void {
    if (this.settle === null) return;
    if (this.current.ended !== null) {
      this.end(this.current.ended.outcome);
      return;
    }
    this.noticeSleep();
    // One moment for both questions: what becomes due between two would be neither wanted nor waited for.
    const now = this.now();
    const list = wants(this.current, now);
    this.endUnwantedGates(list);
    const mayStart = !this.hasUnseenStart();
    const inFlight = [...this.inFlight.values()].map(({ want }) => want);
    for (const want of gatesToBegin(list, inFlight)) this.begin(want);
    for (const want of list) if (this.mayBegin(want, mayStart)) this.begin(want);
    this.sleepUntil(nextWake(this.current, now));
  }

  private mayBegin(want: Want, mayStart: boolean): boolean {
    if (this.inFlight.has(want.key) || want.kind === "gate") return false;
    if (want.kind === "start") return mayStart;
    // The last fact of a run is written when nothing else can be.
    if (want.kind === "finish") return this.inFlight.size === 0 && this.unwritten === 0;
    return true;
  }

  /** `wants` does not see a start whose first fact is still on its way, and would give its slot away again. */
  private hasUnseenStart(): boolean {
    for (const { want } of this.inFlight.values()) {
      if (want.kind === "start" && !this.isFolded(want.attempt)) return true;
    }
    return false;
  }

  private isFolded(attempt: AttemptId): boolean {
    const { task, n } = splitAttemptId(attempt);
    const i = this.current.index.indexOf.get(task);
    return i === undefined || taskState(this.current, i).started >= n;
  }

  private endUnwantedGates(list: readonly Want[]): void {
    const wanted = new Set(list.map(({ key }) => key));
    for (const [key, { want, abort }] of this.inFlight) {
      if (want.kind === "gate" && !wanted.has(key)) abort.abort();
    }
  }

  /** A thrown error says nothing about the task: it is recorded as what it is, and the core decides when to retry. */
  private begin(want: Want): void {
    const abort = new AbortController();
    const hands: EffectContext = {
      state: () => this.current,
      record: (...bodies) => this.record(...bodies),
      signal: abort.signal,
      now: () => this.now(),
    };
    const before = this.current;
    const { mask = (text) => text } = this.options;
    const ended = perform(this.options.effects, want, hands)
      .then(() => this.requireProgress(want, before))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        return this.record(buildEffectFailure(want.key, error, mask));
      })
      .then(
        () => this.finished(want.key),
        (error: unknown) => {
          this.inFlight.delete(want.key);
          this.giveUp(error);
        },
      );
    this.inFlight.set(want.key, { want, abort, ended });
  }

  /** An effect that ended without a word would be begun again at once, for ever. */
  private requireProgress({ key }: Want, before: RunState): void {
    if (this.current !== before || !wants(before, this.now()).some((want) => want.key === key)) return;
    throw new Error(`${key} ended without a result`);
  }

  private finished(key: string): void {
    this.inFlight.delete(key);
    this.look();
  }

  /** Timers stand still while the machine sleeps, so a long wait is looked at now and then. */
  private sleepUntil(wake: number | null): void {
    this.timer?.cancel();
    const delayMs = wake === null ? null : Math.min(LOOK_MS, Math.max(1, wake - this.now()));
    this.timer = delayMs === null ? null : this.options.clock.setTimer(delayMs, () => this.look());
  }

  /**
   * The monotonic clock stands still in a suspend. A wall clock that is far ahead says so; one that was set ahead cannot be
   * told from it, and only ends waits early. One that was set back is not followed: no wait becomes longer.
   */
  private noticeSleep(): void {
    if (this.settle === null || this.current.ended !== null || this.inFlight.has("finish")) return;
    const { clock } = this.options;
    const from = this.now();
    if (clock.now() - from < ASLEEP_MS) return;
    this.offsetMs = clock.now() - clock.monotonic();
    void this.write([{ v: FACT_VERSION, at: this.now(), type: "run.slept", from }]);
  }

  private end(outcome: RunOutcome): void {
    this.isOver = true;
    this.timer?.cancel();
    this.settle?.done(outcome);
    this.settle = null;
  }

  /** Without a journal nothing more may happen: what is in flight is ended, and the rest is left to the next driver. */
  private giveUp(error: unknown): void {
    this.timer?.cancel();
    this.settle?.fail(error);
    this.settle = null;
    for (const { abort } of this.inFlight.values()) abort.abort();
  }

  /** Resolves when nothing is in flight any more. */
  async idle(): Promise<void> {
    while (this.inFlight.size > 0)
      await Promise.allSettled([...this.inFlight.values()].map(({ ended }) => ended));
  }
}

type InFlight = { readonly want: Want; readonly abort: AbortController; readonly ended: Promise<void> };

function perform(effects: Effects, want: Want, hands: EffectContext): Promise<void> {
  const effect = effects[want.kind] as (want: Want, hands: EffectContext) => Promise<void>;
  return Promise.resolve().then(() => effect(want, hands));
}
