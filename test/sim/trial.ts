import type { RunCommand } from "../../src/core/decide.ts";
import { type EpochMs, FACT_VERSION, type Fact, type FactBody } from "../../src/core/facts.ts";
import { type RunId, refName, type TaskId, type TextHash } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import type { OpenTask, RunState } from "../../src/core/run-state.ts";
import { taskState } from "../../src/core/run-tasks.ts";
import { get } from "../../src/core/sorted-map.ts";
import { befall } from "./befall.ts";
import { DRIVER } from "./blanks.ts";
import type { Case } from "./case.ts";
import { type Core, Driver, type Effects } from "./driver.ts";
import type { Fault } from "./faults.ts";
import { Invariants } from "./invariants.ts";
import { takeOver } from "./person.ts";
import { hold } from "./violation.ts";
import { INTEGRATION, TARGET, World } from "./world.ts";

/** What is tried: the core, and the driver's effects around it. */
export type System = { readonly core: Core; readonly effects: Effects };

const RUN = "run" as RunId;
const EPOCH: EpochMs = 1_700_000_000_000;

/**
 * One run from start to end under its faults: drivers come and go, the world stays. Faults fall where their step is;
 * when the run is over before that, what is left of them happens after the end, and the run goes on where that helps.
 */
export class Trial {
  readonly world: World;
  readonly system: System;
  driver: Driver;
  /** The plan file as the user has it before their eyes. */
  planFile: Case["plan"];
  private readonly faults: Fault[];
  private readonly watch: Invariants;
  private wall = EPOCH;
  private isRebooting = false;
  private drivers = 1;
  private lastWords = 0;
  private hasRegretted = false;
  private hasSentBack = false;
  private lastFaultAt = 0;

  constructor(theCase: Case, system: System, watch?: Invariants) {
    this.system = system;
    this.planFile = theCase.plan;
    this.faults = [...theCase.faults];
    this.watch = watch ?? new Invariants(system.core, { isFrozen: theCase.seed % 8 === 0 });
    this.world = new World(theCase, this.watch);
    this.watch.observe(this.world);
    this.driver = this.newDriver();
  }

  get facts(): readonly Fact[] {
    return this.world.disk.durable;
  }

  run(): RunState {
    this.boot();
    while (!this.isAtEnd()) {
      this.befallDue();
      if (!this.world.timeline.step()) this.whenNothingMoves();
      this.checkProgress();
    }
    const state = this.driver.state as RunState;
    this.watch.onEnd(state);
    return state;
  }

  crash(downMs: number, wallMs: number, reaps: boolean): void {
    if (this.driver.isOver) return;
    this.driver.die();
    this.watch.onCrash();
    this.world.driverDied(reaps);
    this.driver.state = this.readJournal();
    this.wall += wallMs;
    this.reboot(downMs);
  }

  /** The driver finds its clock behind, and says so. */
  sleep(ms: number): void {
    if (this.driver.isOver) return;
    const from = this.driver.now();
    this.wall += ms;
    this.world.wall = this.wall;
    this.driver.wall = this.wall;
    this.driver.hear(this.fact({ type: "run.slept", from }));
  }

  /** What `plait resume` does to a run that is over. */
  resume(): void {
    if (this.driver.isOver) this.reboot(1_000);
  }

  /** The next driver, after a while. */
  reboot(downMs: number): void {
    if (this.isRebooting) return;
    this.isRebooting = true;
    const bootOnce = (): void => {
      // Whoever writes to the journal holds the lock until it is on disk.
      if (this.world.disk.hasPending()) return void this.world.timeline.after(10, bootOnce);
      this.isRebooting = false;
      this.boot();
    };
    this.world.timeline.after(downMs, bootOnce);
  }

  /** What a person asks: of the driver where one lives, else by an entry in the journal and a resume. */
  ask(command: RunCommand, prepare: (facts: readonly Fact[]) => void = () => {}): void {
    const decision = this.system.core.decide(this.state(), command, this.now());
    if (!decision.ok) return;
    prepare(decision.facts);
    this.tell(decision.facts);
  }

  /** Facts from outside of the loop. */
  tell(facts: readonly Fact[]): void {
    if (!this.driver.isOver) {
      this.driver.hear(...facts);
      return;
    }
    for (const fact of facts) {
      this.world.disk.append(fact, () => {});
      this.driver.state = this.system.core.evolve(this.driver.state, fact);
    }
    this.reboot(1_000);
  }

  fact(body: FactBody): Fact {
    return { v: FACT_VERSION, at: this.now(), ...body };
  }

  /** What is left when only the journal is. */
  private readJournal(): RunState | null {
    let state: RunState | null = null;
    for (const fact of this.facts) state = this.system.core.evolve(state, fact);
    return state;
  }

  /** As the driver sees it, or has left it. */
  state(): RunState {
    return this.driver.state as RunState;
  }

  now(): EpochMs {
    return this.world.timeline.now() + this.wall;
  }

  private boot(): void {
    if (!this.driver.isOver && this.driver.state !== null) return;
    this.drivers += 1;
    this.driver = this.newDriver();
    const { plan, policy, selected, accounts, hasTarget } = this.world.theCase;
    const place = {
      base: this.world.base,
      target: hasTarget ? refName(TARGET) : null,
      driver: DRIVER,
      fingerprints: {},
    };
    this.driver.boot({ type: "run.started", run: RUN, plan, policy, selected, accounts, ...place });
  }

  private newDriver(): Driver {
    this.world.wall = this.wall;
    return new Driver({ ...this.system, world: this.world, watch: this.watch, wall: this.wall });
  }

  /** A fault waits while the run begins or says its last word: there is nobody to hear it. */
  private befallDue(): void {
    const [next] = this.faults;
    if (next === undefined || this.driver.isClosing) return;
    const isOver = this.driver.isOver && !this.isRebooting;
    if (this.driver.isOver && this.world.disk.hasPending()) return;
    if (next.step <= this.world.timeline.steps() || isOver) this.befallNext();
  }

  private befallNext(): void {
    const next = this.faults.shift();
    if (next === undefined) return;
    this.lastFaultAt = this.world.timeline.now();
    befall(this, next);
  }

  private isAtEnd(): boolean {
    if (!this.driver.isOver || this.isRebooting || this.world.disk.hasPending()) return false;
    return this.faults.length === 0 && !this.hasLastWord();
  }

  /** What a reasonable person does when all is quiet: lets go on what was stopped, looks at what is held. */
  private hasLastWord(): boolean {
    const state = this.driver.state as RunState;
    const outcome = state.ended?.outcome;
    const held = state.index.plan.tasks.filter(({ id }) => this.isHeld(state, id));
    if (this.lastWords > 5 + state.index.plan.tasks.length) return false;
    this.lastWords += 1;
    if (state.paused) this.ask({ kind: "unpause" });
    else if (state.held !== null) this.putBranchBack(state);
    else if (state.index.plan.tasks.some((task) => this.handsIn(task))) return true;
    else if (state.landing.kind === "refused" && state.landing.why === "unexplained")
      this.ask({ kind: "land" });
    else if (outcome === "stopped" || outcome === "drained") this.reboot(60_000);
    else if (held.length > 0) for (const { id } of held) this.ask({ kind: "approve", task: id });
    else return this.sendsBack(state) || this.takesBack(state);
    return true;
  }

  /** Now and then what landed does not fit: some of it is sent back, on top of what people have done since. */
  private sendsBack({ landing, index, tasks: states }: RunState): boolean {
    const { seed, kind } = this.world.theCase;
    if (kind !== "wild" || seed % 5 > 1 || landing.kind !== "landed" || this.hasSentBack) return false;
    this.hasSentBack = true;
    if (seed % 5 === 1) befall(this, { step: 0, kind: "commit", path: "user/edits", isPoison: false });
    const { git } = this.world;
    const merged = index.plan.tasks.filter((_, i) => get(states, i)?.phase.kind === "merged");
    const onto = git.revision(git.ref(TARGET)!);
    const tasks = merged.slice(0, 2).map(({ id: task }) => ({ task, brief: "brief" as TextHash }));
    this.ask({ kind: "redo", tasks, onto });
    return this.isRebooting;
  }

  /** Now and then a person regrets a landing, and not always at once. */
  private takesBack({ landing }: RunState): boolean {
    const { seed, kind } = this.world.theCase;
    if (kind !== "wild" || seed % 7 > 1 || landing.kind !== "landed" || this.hasRegretted) return false;
    this.hasRegretted = true;
    if (seed % 7 === 1) befall(this, { step: 0, kind: "commit", path: "user/notes", isPoison: false });
    this.ask({ kind: "undo" });
    return this.isRebooting;
  }

  /** What the person still has is handed in. */
  private handsIn(task: Task): boolean {
    if (this.openTask(task.id) === null) return false;
    takeOver(this, task, "accept");
    return this.isRebooting;
  }

  /** What a person has of it. */
  openTask(id: TaskId): OpenTask | null {
    const state = this.state();
    const i = state.index.indexOf.get(id);
    return i === undefined ? null : taskState(state, i).open;
  }

  /** git failed, or the integration branch was moved: the person repairs both, and resumes the run. */
  private putBranchBack({ tip }: RunState): void {
    this.world.repairGit();
    this.world.git.force(INTEGRATION, tip.commit);
    this.reboot(60_000);
  }

  private isHeld(state: RunState, task: TaskId): boolean {
    return this.system.core.decide(state, { kind: "approve", task }, this.now()).ok;
  }

  /** No event is left: a pause, or faults that wait for a step that will not come. */
  private whenNothingMoves(): void {
    if (this.driver.isOver) return;
    if (this.faults.length > 0) this.befallNext();
    else if (this.driver.state?.paused) this.ask({ kind: "unpause" });
    else hold(false, "liveness", () => "no event is left, and the run has not ended");
  }

  /** Ten times what a calm run of such a plan takes at most, and the longest waits besides. */
  private checkProgress(): void {
    const { timeline, theCase } = this.world;
    const tasks = theCase.plan.tasks.length + 4;
    const most = 2_000 + 1_000 * tasks + 500 * this.drivers;
    hold(timeline.steps() < most, "liveness", () => `the run spins: ${timeline.steps()} events`);
    const days = (timeline.now() - this.lastFaultAt) / 86_400_000;
    hold(days < 3 + tasks, "liveness", () => `it goes on ${Math.round(days)} days after the last fault`);
  }
}
