import type { Decision, RunCommand } from "../../src/core/decide.ts";
import { type EpochMs, FACT_VERSION, type Fact, type FactBody } from "../../src/core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../src/core/ids.ts";
import type { LiveAttempt, RunState } from "../../src/core/run-state.ts";
import { get } from "../../src/core/sorted-map.ts";
import { gatesToBegin, type Want } from "../../src/core/want.ts";
import { DRIVER } from "./blanks.ts";
import type { Timer } from "./timeline.ts";
import type { Process, World } from "./world.ts";

/**
 * The loop as engines/local will have it: fold each durable fact, ask what is wanted, start what is not in flight. An
 * effect is a generator that pauses where time passes or a fact must become durable, so a crash can fall into each gap.
 */
export type Core = {
  readonly evolve: (state: RunState | null, fact: Fact) => RunState | null;
  readonly wants: (state: RunState, now: EpochMs) => Want[];
  readonly nextWake: (state: RunState, now: EpochMs) => EpochMs | null;
  readonly decide: (state: RunState, command: RunCommand, at: EpochMs) => Decision;
};

/** Where an effect waits: for time to pass, for a fact to be durable and folded, for a process to be gone. */
export type Pause =
  | { readonly sleep: readonly [low: number, high: number] }
  | { readonly append: FactBody }
  | { readonly exit: Process; readonly limitMs: number };

export type Effect = Generator<Pause, void, void>;

/** What each kind of want does, and what a new driver does before it asks for the first time. */
export type Effects = {
  readonly [K in Want["kind"]]: (hands: EffectContext, want: Extract<Want, { kind: K }>) => Effect;
} & {
  readonly reconcile: (hands: EffectContext) => Effect;
};

/** What an effect may touch. */
export type EffectContext = {
  readonly world: World;
  readonly now: () => EpochMs;
  readonly state: () => RunState;
  readonly live: (attempt: AttemptId) => LiveAttempt | undefined;
  /** Attempts that are to be ended, with or without a process. */
  readonly stops: Set<AttemptId>;
};

/** What the invariants are told by the driver. */
export type DriverWatch = {
  readonly onFold: (before: RunState | null, fact: Fact, after: RunState) => void;
  readonly onWant: (want: Want, now: EpochMs) => void;
  /** Nothing is in flight, nothing is wanted and no timer is set. */
  readonly onIdle: (state: RunState) => void;
  /** The one timer is set. */
  readonly onWake: (waitMs: number) => void;
  /** After the starts of one moment. */
  readonly onStarted: (state: RunState) => void;
};

export type DriverOptions = {
  readonly world: World;
  readonly core: Core;
  readonly effects: Effects;
  readonly watch: DriverWatch;
  /** Added to virtual time: what this driver's wall clock said when it started. */
  readonly wall: EpochMs;
};

/** Without a want it is the reconciliation of a new driver. */
type Flight = { readonly effect: Effect; readonly want: Want | null };

export class Driver {
  state: RunState | null = null;
  /** Set forward when the machine has slept. */
  wall: EpochMs;
  private readonly options: DriverOptions;
  private readonly hands: EffectContext;
  private readonly flights = new Map<string, Flight>();
  /** Starts whose first fact the core has not seen: it must not be asked for more of them before that. */
  private unseenStarts = 0;
  private timer: Timer | null = null;
  private isAlive = true;

  constructor(options: DriverOptions) {
    this.options = options;
    this.wall = options.wall;
    this.hands = {
      world: options.world,
      now: () => this.now(),
      state: () => this.state as RunState,
      live: (attempt) => liveAttempt(this.state, attempt),
      stops: new Set(),
    };
  }

  now(): EpochMs {
    return this.options.world.timeline.now() + this.wall;
  }

  /** Takes the run over from the journal, or begins it. */
  boot(begin: FactBody): void {
    const { core, effects, world } = this.options;
    for (const fact of world.disk.durable) this.state = core.evolve(this.state, fact);
    const first = this.state === null ? begin : ({ type: "run.resumed", driver: DRIVER } as const);
    this.append(first, () => this.launch(null, effects.reconcile(this.hands)));
  }

  get isOver(): boolean {
    return !this.isAlive;
  }

  /** From here on commands wait for the end: what a person asks must not fall between the last look and the last word. */
  get isClosing(): boolean {
    return this.flights.has("finish") || this.flights.has("reconcile") || this.state === null;
  }

  /** Whether a number of an attempt is given away that the core does not know of yet. */
  get hasUnseenStarts(): boolean {
    return this.unseenStarts > 0;
  }

  /** Facts from outside: a person's word, another run's news, a worker that was lost, an echo. */
  hear(...facts: readonly Fact[]): void {
    this.write(facts, () => {});
  }

  die(): void {
    this.isAlive = false;
    this.timer?.cancel();
    this.flights.clear();
  }

  private append(body: FactBody, whenFolded: () => void): void {
    this.write([{ v: FACT_VERSION, at: this.now(), ...body }], whenFolded);
  }

  /** Facts that belong together are folded together: the core is not asked in between. */
  private write(facts: readonly Fact[], whenFolded: () => void): void {
    facts.forEach((fact, i) => {
      this.options.world.disk.append(fact, () => {
        if (!this.isAlive) return;
        this.fold(fact);
        if (i < facts.length - 1) return;
        whenFolded();
        this.look();
      });
    });
  }

  private fold(fact: Fact): void {
    const before = this.state;
    this.state = this.options.core.evolve(before, fact);
    this.options.watch.onFold(before, fact, this.state as RunState);
    if (this.state?.ended != null) this.die();
  }

  /** Level-triggered: asked again after each fact, each end of an effect and each timer. */
  private look(): void {
    const { state } = this;
    if (!this.isAlive || state === null || this.flights.has("reconcile")) return;
    const { core, effects, watch } = this.options;
    const wanted = core.wants(state, this.now());
    this.abandonGates(wanted);
    const mayStart = this.unseenStarts === 0;
    const inFlight = [...this.flights.values()].flatMap(({ want }) => want ?? []);
    const gates = new Set<Want>(gatesToBegin(wanted, inFlight));
    for (const want of wanted) {
      if (want.kind === "gate" && !gates.has(want)) continue;
      if (this.flights.has(want.key) || (want.kind === "start" && !mayStart)) continue;
      if (want.kind === "finish" && !this.isQuiet()) continue;
      watch.onWant(want, this.now());
      if (want.kind === "start") this.unseenStarts += 1;
      const step = effects[want.kind] as (hands: EffectContext, want: Want) => Effect;
      this.launch(want, step(this.hands, want));
    }
    if (this.unseenStarts === 0) watch.onStarted(state);
    this.setTimer(state, wanted);
  }

  /** Nothing may come after the last word: what is in flight, or on its way to the disk, is waited for. */
  private isQuiet(): boolean {
    return this.flights.size === 0 && !this.options.world.disk.hasPending();
  }

  private setTimer(state: RunState, wanted: readonly Want[]): void {
    const { core, world, watch } = this.options;
    this.timer?.cancel();
    this.timer = null;
    const wake = core.nextWake(state, this.now());
    if (wake !== null) watch.onWake(wake - this.now());
    if (wake !== null) this.timer = world.timeline.after(Math.max(1, wake - this.now()), () => this.look());
    if (wanted.length === 0 && wake === null && this.isQuiet()) watch.onIdle(state);
  }

  /** A gate changes nothing, so one that nobody waits for any more makes room for others. */
  private abandonGates(wanted: readonly Want[]): void {
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, { want, effect }] of this.flights) {
      if (want?.kind !== "gate" || keys.has(key)) continue;
      this.flights.delete(key);
      effect.return();
    }
  }

  private launch(want: Want | null, effect: Effect): void {
    const key = want?.key ?? "reconcile";
    const flight: Flight = { effect, want };
    this.flights.set(key, flight);
    let isUnseenStart = want?.kind === "start";
    const go = (): void => {
      if (this.flights.get(key) !== flight) return;
      const { done, value } = effect.next();
      if (!done) {
        this.pause(value, onward);
        return;
      }
      this.flights.delete(key);
      this.look();
    };
    const onward = (): void => {
      if (isUnseenStart) this.unseenStarts -= 1;
      isUnseenStart = false;
      go();
    };
    go();
  }

  private pause(pause: Pause, resume: () => void): void {
    const { timeline, random } = this.options.world;
    if ("sleep" in pause) timeline.after(random.int(...pause.sleep), resume);
    else if ("append" in pause) this.append(pause.append, resume);
    else this.awaitExit(pause.exit, pause.limitMs, resume);
  }

  private awaitExit(process: Process, limitMs: number, resume: () => void): void {
    if (!process.alive) return void this.options.world.timeline.after(0, resume);
    let isDone = false;
    const once = (): void => {
      if (isDone || !this.isAlive) return;
      isDone = true;
      timer.cancel();
      resume();
    };
    const timer = this.options.world.timeline.after(limitMs, once);
    process.onExit = once;
  }
}

function liveAttempt(state: RunState | null, attempt: AttemptId): LiveAttempt | undefined {
  const i = state?.index.indexOf.get(splitAttemptId(attempt).task);
  if (state === null || i === undefined) return undefined;
  return get(state.tasks, i)?.live.find((live) => live.id === attempt);
}
