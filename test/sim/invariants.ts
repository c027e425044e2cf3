import type { EpochMs, Fact, Revision } from "../../src/core/facts.ts";
import type { AttemptId, GateKey, Oid } from "../../src/core/ids.ts";
import { gateKey, type Plan } from "../../src/core/plan.ts";
import type { RunState } from "../../src/core/run-state.ts";
import type { Want } from "../../src/core/want.ts";
import type { Core, DriverWatch } from "./driver.ts";
import { Blame } from "./invariants/blame.ts";
import { checkEnd, checkOutcome, checkWork } from "./invariants/ending.ts";
import { checkEcho, checkIndices, checkNeeds, freeze, mayMoveIndices } from "./invariants/folding.ts";
import { History } from "./invariants/history.ts";
import {
  checkAdvance,
  checkAdvanceWanted,
  checkCatchUp,
  checkLanding,
  checkLandingWanted,
} from "./invariants/merging.ts";
import { checkBase, checkBaseFirst, checkStart } from "./invariants/starts.ts";
import { checkFinalTree } from "./oracle.ts";
import { hold, Violation } from "./violation.ts";
import { type Advance, INTEGRATION, TARGET, type World, type WorldWatch } from "./world.ts";

/** Nothing in this world asks for a longer one, whatever the clocks say. */
const LONGEST_WAIT = 2 * 3_600_000;

/**
 * The watch over one simulated run. It sees the world, the journal and what the driver is about to do, and measures
 * them by the invariants of docs/ARCHITECTURE.md; what the core itself thinks of a task counts only where it is judged.
 */
export class Invariants implements WorldWatch, DriverWatch {
  private world: World | null = null;
  private history: History | null = null;
  private blame: Blame | null = null;
  private readonly core: Core;
  private readonly isFrozen: boolean;
  /** Begun in this moment; the journal shows them when their first fact is durable. */
  private readonly decided = new Set<AttemptId>();
  private folds = 0;

  constructor(core: Core, options: { readonly isFrozen: boolean }) {
    this.core = core;
    this.isFrozen = options.isFrozen;
  }

  observe(world: World): void {
    this.world = world;
    this.history = new History(world);
    this.blame = new Blame(world, this.history);
  }

  readonly onSpawn = (attempt: AttemptId): void => {
    const record = this.seen.world.ledger.attempts.get(attempt);
    hold(
      record !== undefined,
      "I4 intent before effect",
      () => `${attempt} is spawned and not in the journal`,
    );
    hold(record.ended === null, "I4 what ended is not run again", () => `${attempt} is spawned again`);
    const processes = [...this.seen.world.processes.values()].filter(
      (process) => process.attempt === attempt,
    );
    hold(processes.length === 0, "I4 no attempt is spawned twice", () => `${attempt} has a process already`);
  };

  readonly onLoss = (owner: AttemptId, path: string): void => {
    throw new Violation("I2 no work is lost", `${path} is used again, what ${owner} left in it is on no ref`);
  };

  readonly onGate = (key: GateKey): void => {
    const { gates, ledger } = this.seen.world;
    const slots = gateSlots(ledger.plan!).get(key) ?? null;
    const running = gates.running.get(key) ?? 0;
    hold(slots === null || running <= slots, "gate slots", () => `${running} of ${slots} of ${key} run`);
  };

  readonly onAdvance = (advance: Advance): void => {
    checkAdvance(this.seen, advance);
    this.seen.history.record(advance);
  };

  readonly onCatchUp = (from: Oid, to: Revision): void => {
    if (this.seen.history.position(to.commit) !== undefined) return;
    checkCatchUp(this.seen, from, to);
    this.seen.history.record({ from, to, tasks: [] });
  };

  readonly onLand = (from: Oid, to: Oid): void => {
    checkLanding(this.seen, from, to);
    checkWork(this.seen, to);
  };

  readonly onWant = (want: Want, now: EpochMs): void => {
    if (want.kind === "start") {
      for (const id of this.decided) if (this.seen.world.ledger.attempts.has(id)) this.decided.delete(id);
      this.decided.add(want.attempt);
      checkStart({ ...this.seen, want, now, decided: this.decided });
    }
    if (want.kind === "gate") {
      const isKnown = this.seen.world.ledger.hasGreen(want.tree, want.check.preparation, want.check.key);
      hold(!isKnown, "a green verdict is asked for once", () => `${want.key} is green already`);
      checkBaseFirst(this.seen, want);
    }
    if (want.kind === "advance") checkAdvanceWanted(this.seen, want);
    if (want.kind === "land") checkLandingWanted(this.seen);
    if (want.kind === "finish") checkOutcome(this.seen, want.outcome);
  };

  readonly onFold = (before: RunState | null, fact: Fact, after: RunState): void => {
    if (before !== null) this.blame?.note(before, fact, after);
    if (fact.type === "attempt.started" && fact.author === "person" && after !== before) {
      checkBase(this.seen, fact);
    }
    if (this.isFrozen) freeze(after);
    checkEcho({ core: this.core, fact, after });
    // For a large plan the naive derivation is the dear part: now and then is enough.
    if (!mayMoveIndices(before, after)) return;
    this.folds += 1;
    if (this.folds % Math.ceil(after.index.plan.tasks.length / 20) !== 0) return;
    checkIndices(after);
    checkNeeds(after);
  };

  readonly onIdle = (state: RunState): void => {
    hold(state.paused, "liveness", () => "nothing is wanted, nothing is awaited, and the run has not ended");
  };

  /** For those who look at the order of starts. */
  onStarted(_state: RunState): void {}

  /** The driver is gone, and with it what it had only decided. */
  onCrash(): void {
    this.decided.clear();
  }

  onEnd(state: RunState): void {
    checkEnd(this.seen, state);
    checkFinalTree(this.seen.world, this.seen.history);
    this.checkMoves();
  }

  /** Every move of the branch went through the door where it is checked, and no branch of the user was touched. */
  private checkMoves(): void {
    const { world, history } = this.seen;
    for (const { ref, to, how, from } of world.git.moves) {
      if (how === "force" || from === null) continue;
      const isKnown = ref !== INTEGRATION || history.position(to) !== undefined;
      hold(isKnown, "I7 only by compare-and-swap", () => `the branch went to ${to} unseen`);
      const isOurs = ref === INTEGRATION || ref === TARGET || !ref.startsWith("refs/heads/");
      hold(isOurs, "I3 only the recorded target", () => `${ref} was moved to ${to}`);
    }
  }

  readonly onWake = (waitMs: number): void => {
    hold(
      waitMs <= LONGEST_WAIT,
      "waits end",
      () => `the next timer is in ${Math.round(waitMs / 60_000)} minutes`,
    );
  };

  protected get seen(): { world: World; history: History } {
    if (this.world === null || this.history === null) throw new Error("nothing is observed yet");
    return { world: this.world, history: this.history };
  }
}

const slotsByPlan = new WeakMap<Plan, ReadonlyMap<GateKey, number | null>>();

/** How many of each gate may run at once. A long plan has many gates, so each plan is read once. */
function gateSlots(plan: Plan): ReadonlyMap<GateKey, number | null> {
  const known = slotsByPlan.get(plan);
  if (known !== undefined) return known;
  const gates = [...plan.gates, ...plan.tasks.flatMap((task) => task.gates)];
  const slots = new Map(gates.map((gate) => [gateKey(gate), gate.slots]));
  slotsByPlan.set(plan, slots);
  return slots;
}
