import { describe, expect, test } from "vitest";
import type { Fact, FactBody } from "../../src/core/facts.ts";
import { type AttemptId, refName } from "../../src/core/ids.ts";
import { Driver, type EffectContext, type Effects } from "../../src/engines/local/driver.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { gateOf, type TaskSketch, taskId } from "../support/plans.ts";
import { revision, Scenario, withCommit } from "../support/scenario.ts";

/** The loop with effects that succeed at once, or do what a test tells them to. */
class Bench {
  readonly clock: ManualClock = createManualClock();
  readonly facts: Fact[] = [];
  readonly begun: string[] = [];
  readonly driver: Driver;
  disk: (facts: readonly Fact[]) => Promise<void> = async () => {};

  constructor(
    tasks: readonly TaskSketch[],
    change: Partial<Effects> = {},
    options: ConstructorParameters<typeof Scenario>[1] = {},
  ) {
    const effects = { ...good, ...change };
    this.driver = new Driver({
      state: new Scenario(tasks, options).state,
      clock: this.clock,
      append: (facts) => this.disk(facts),
      effects: this.watched(effects),
      onFact: (fact) => this.facts.push(fact),
    });
  }

  types(): string[] {
    return this.facts.map(({ type }) => type);
  }

  /** Lets everything that needs no time happen. */
  async settle(): Promise<void> {
    for (let n = 0; n < 200; n += 1) await Promise.resolve();
  }

  private watched(effects: Effects): Effects {
    const list = Object.entries(effects).map(([kind, effect]) => [
      kind,
      (want: never, hands: EffectContext) => {
        this.begun.push((want as { key: string }).key);
        return (effect as (want: never, hands: EffectContext) => Promise<void>)(want, hands);
      },
    ]);
    return Object.fromEntries(list) as Effects;
  }
}

const started = (attempt: AttemptId, hands: EffectContext): FactBody => ({
  type: "attempt.started",
  attempt,
  base: hands.state().tip,
  worktree: "/w",
  marker: attempt,
  author: "agent",
  continues: null,
  worker: null,
});

const ended = (attempt: AttemptId): FactBody => ({
  type: "attempt.ended",
  attempt,
  failure: null,
  exit: { code: 0, signal: null },
  usage: { costUsd: null, inputTokens: null, outputTokens: null },
  conversation: null,
  said: null,
  denials: [],
});

const good: Effects = {
  start: async ({ attempt }, hands) => {
    await hands.record(started(attempt, hands));
    await hands.record({ type: "attempt.spawned", attempt, pid: 1, startTime: "1", bootId: "b" });
    await hands.record(ended(attempt));
  },
  attend: ({ attempt }, hands) =>
    hands.record({ ...ended(attempt), failure: { reason: "orphaned", detail: "found dead" } } as FactBody),
  stop: async ({ attempt }, hands) => hands.record(ended(attempt)),
  save: ({ attempt }, hands) =>
    hands.record({
      type: "attempt.saved",
      attempt,
      ref: refName(`refs/plait/run-1/${attempt}`),
      result: revision(`work ${attempt}`),
      changed: true,
      findings: [],
      report: null,
      ignored: 0,
      kept: null,
    }),
  gate: ({ tree, check, asked }, hands) =>
    hands.record({
      type: "gate.judged",
      tree,
      gate: check.key,
      preparation: check.preparation,
      verdict: "green",
      how: "ran",
      reference: null,
      asked,
      name: check.gate.name,
      tries: 1,
      durationMs: 1,
      summary: "",
      output: null,
      failures: null,
    }),
  merge: ({ from, tasks }, hands) => {
    const result = revision(`merge ${tasks.map(({ attempt }) => attempt).join(" ")}`);
    return hands.record({ type: "candidate.built", from, result, tasks: tasks.map(withCommit) });
  },
  advance: ({ from, to, tasks }, hands) => hands.record({ type: "integration.advanced", from, to, tasks }),
  open: ({ open: { attempt } }, hands) =>
    hands.record({ type: "worktree.opened", attempt, worktree: "/w", conflicts: [] }),
  publish: ({ tip }, hands) => hands.record({ type: "publishing.refused", tip, detail: "no" }),
  undo: ({ tip }, hands) => hands.record({ type: "undo.refused", tip, detail: "no" }),
  probe: ({ account }, hands) => hands.record({ type: "account.probed", account, ok: true }),
  land: ({ tip, result }, hands) =>
    hands.record({
      type: "run.landed",
      tip,
      target: refName("refs/heads/main"),
      from: tip,
      to: result,
      notes: [],
    }),
  finish: ({ outcome }, hands) => hands.record({ type: "run.ended", outcome }),
};

const three = [{ id: "a" }, { id: "b", needs: ["a"] }, { id: "c" }];

describe("the loop", () => {
  test("it takes a plan to its end, and each effect is begun once", async () => {
    const bench = new Bench(three, {}, { plan: { gates: [gateOf("npm test")] } });
    expect(await bench.driver.run()).toBe("complete");
    expect(new Set(bench.begun).size).toBe(bench.begun.length);
    expect(bench.types().filter((type) => type === "integration.advanced")).toHaveLength(3);
    expect(bench.types().at(-1)).toBe("run.ended");
  });

  test("it acts on a fact only when the fact is on the disk (I4)", async () => {
    const bench = new Bench([{ id: "a" }]);
    let release = () => {};
    bench.disk = () => new Promise((resolve) => (release = resolve));
    void bench.driver.run();
    await bench.settle();
    expect(bench.begun).toEqual(["attempt a/1"]);
    expect(bench.facts).toEqual([]);
    release();
    await bench.settle();
    expect(bench.types()).toEqual(["attempt.started"]);
  });

  test("no slot is given twice while a start is on its way", async () => {
    const bench = new Bench([{ id: "a" }, { id: "b" }, { id: "c" }], {}, { policy: { slots: 1 } });
    const release: (() => void)[] = [];
    bench.disk = () => new Promise((resolve) => release.push(resolve));
    void bench.driver.run();
    await bench.settle();
    void bench.driver.record({ type: "run.paused" });
    void bench.driver.record({ type: "run.unpaused" });
    await bench.settle();
    for (const go of release) go();
    await bench.settle();
    expect(bench.begun.filter((key) => key.startsWith("attempt"))).toEqual(["attempt a/1"]);
  });

  test("an effect that throws is told, waited for and begun again", async () => {
    let tries = 0;
    const save: Effects["save"] = (want, hands) => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error("no space left")) : good.save(want, hands);
    };
    const bench = new Bench([{ id: "a" }], { save });
    const run = bench.driver.run();
    for (let n = 0; n < 5; n += 1) {
      await bench.settle();
      bench.clock.advance(5_000);
    }
    expect(await run).toBe("complete");
    expect(bench.types().filter((type) => type === "effect.failed")).toHaveLength(2);
  });

  test("an effect that ends without a result is not begun again at once, for ever", async () => {
    const bench = new Bench([{ id: "a" }], { save: async () => {} });
    void bench.driver.run();
    await bench.settle();
    expect(bench.begun.filter((key) => key === "save a/1")).toHaveLength(1);
    expect(bench.types().at(-1)).toBe("effect.failed");
  });

  test("a gate that nobody waits for any more is ended", async () => {
    let signal: AbortSignal | null = null;
    const gate: Effects["gate"] = (_want, hands) => {
      signal = hands.signal;
      return new Promise(() => {});
    };
    const bench = new Bench([{ id: "a" }], { gate }, { plan: { gates: [gateOf("npm test")] } });
    void bench.driver.run();
    await bench.settle();
    await bench.driver.ask({ kind: "cancel", task: taskId("a") });
    expect(signal).toMatchObject({ aborted: true });
  });

  test("a gate in flight keeps its slot until it is gone: no older tree overtakes it, nobody begins while it is ended", async () => {
    const going = new Map<string, { readonly end: () => void; readonly signal: AbortSignal }>();
    const gate: Effects["gate"] = async (want, hands) => {
      const [asker] = want.asked;
      if (asker?.kind !== "attempt") return good.gate(want, hands);
      await new Promise<void>((end) =>
        going.set(`${want.check.gate.name} ${asker.attempt}`, { end, signal: hands.signal }),
      );
      if (!hands.signal.aborted) await good.gate(want, hands);
    };
    const gates = [gateOf("unit"), gateOf("e2e", { slots: 1 })];
    const bench = new Bench([{ id: "a" }, { id: "b" }], { gate }, { plan: { gates }, policy: { slots: 2 } });
    const run = bench.driver.run();
    await bench.settle();
    const next = async (key: string) => {
      going.get(key)?.end();
      await bench.settle();
      return [...going.keys()].filter((name) => name.startsWith("e2e"));
    };
    // a/1 was saved first, b/1 comes to the gate first.
    expect(await next("unit b/1")).toEqual(["e2e b/1"]);
    expect(await next("unit a/1")).toEqual(["e2e b/1"]);
    expect(going.get("e2e b/1")?.signal.aborted).toBe(false);
    await bench.driver.ask({ kind: "cancel", task: taskId("b") });
    await bench.settle();
    expect(going.get("e2e b/1")?.signal.aborted).toBe(true);
    expect(going.has("e2e a/1")).toBe(false);
    expect(await next("e2e b/1")).toEqual(["e2e b/1", "e2e a/1"]);
    await next("e2e a/1");
    expect(await run).toBe("incomplete");
  });

  test("it ends what is under way when the journal cannot be written any more, and says when that is done (I5)", async () => {
    let isEnded = false;
    const start: Effects["start"] = async ({ attempt }, hands) => {
      await hands.record(started(attempt, hands));
      await new Promise<void>((resolve) => hands.signal.addEventListener("abort", () => resolve()));
      isEnded = true;
    };
    const bench = new Bench([{ id: "a" }], { start });
    const run = bench.driver.run();
    await bench.settle();
    bench.disk = () => Promise.reject(new Error("EIO"));
    bench.driver.record({ type: "run.paused" }).catch(() => undefined);
    await expect(run).rejects.toThrow("EIO");
    await bench.driver.idle();
    expect(isEnded).toBe(true);
  });

  test("a journal that cannot be written ends the driving, not the process", async () => {
    const bench = new Bench([{ id: "a" }]);
    bench.disk = () => Promise.reject(new Error("EIO"));
    await expect(bench.driver.run()).rejects.toThrow("EIO");
  });

  test("what becomes due between two looks at the clock is not slept over", async () => {
    let tries = 0;
    const save: Effects["save"] = (want, hands) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error("no space left")) : good.save(want, hands);
    };
    const bench = new Bench([{ id: "a" }], { save });
    const run = bench.driver.run();
    await bench.settle();
    // The moment comes while the driver looks: the look that this fact causes asks for the time first, and then this happens.
    const { monotonic } = bench.clock;
    let asked = 0;
    const late = () => {
      asked += 1;
      return monotonic() + (asked > 4 ? 5_000 : 0);
    };
    Object.assign(bench.clock, { monotonic: late });
    void bench.driver.record({ type: "run.unpaused" });
    await bench.settle();
    bench.clock.advance(10);
    await bench.settle();
    expect(bench.begun.filter((key) => key === "save a/1")).toHaveLength(2);
    expect(await run).toBe("complete");
  });

  describe("the machine sleeps, or somebody sets the clock", () => {
    const HOUR = 3_600_000;
    /** A run that waits for an hour, because of its vendor; after that it goes to its end. */
    const limited = async () => {
      let tries = 0;
      const start: Effects["start"] = async ({ attempt }, hands) => {
        tries += 1;
        await hands.record(started(attempt, hands));
        const failure = { reason: "usage-limit", resetsAt: hands.now() + HOUR, detail: "limit" } as const;
        await hands.record({ ...ended(attempt), failure: tries === 1 ? failure : null } as FactBody);
      };
      const bench = new Bench([{ id: "a" }], { start });
      const run = bench.driver.run();
      await bench.settle();
      const lasts = async (ms: number) => {
        for (let passed = 0; passed < ms; passed += 10_000) {
          bench.clock.advance(10_000);
          await bench.settle();
        }
        return bench.driver.state.ended !== null;
      };
      return { bench, run, lasts };
    };

    test("a limit that ended while it slept is over within half a minute of waking", async () => {
      const { bench, run, lasts } = await limited();
      bench.clock.shiftWall(8 * HOUR);
      expect(await lasts(30_000)).toBe(true);
      expect(await run).toBe("complete");
      const slept = bench.facts.filter(({ type }) => type === "run.slept");
      expect(slept).toHaveLength(1);
      expect(bench.driver.state.undrivenMs).toBeGreaterThan(7 * HOUR);
      const times = bench.facts.map(({ at }) => at);
      expect(times).toEqual([...times].sort((x, y) => x - y));
      expect(times.at(-1)).toBe(bench.clock.now());
    });

    test("a limit that has not ended yet is waited for until it has", async () => {
      const { bench, lasts } = await limited();
      bench.clock.shiftWall(HOUR / 2);
      expect(await lasts(HOUR / 2 - 60_000)).toBe(false);
      expect(await lasts(60_000)).toBe(true);
      expect(bench.types().filter((type) => type === "run.slept")).toHaveLength(1);
    });

    test("a clock that is set back makes no wait longer, and no fact older than the last", async () => {
      const { bench, lasts } = await limited();
      bench.clock.shiftWall(-24 * HOUR);
      expect(await lasts(HOUR)).toBe(true);
      expect(bench.types()).not.toContain("run.slept");
      const times = bench.facts.map(({ at }) => at);
      expect(times).toEqual([...times].sort((x, y) => x - y));
    });
  });
});

describe("what a person asks while it runs", () => {
  test("it is decided on the truth and folded before the next answer", async () => {
    const bench = new Bench(three, {
      start: async ({ attempt }, hands) => {
        await hands.record(started(attempt, hands));
        return new Promise(() => {});
      },
    });
    void bench.driver.run();
    await bench.settle();
    expect(await bench.driver.ask({ kind: "retry", task: taskId("a") })).toMatchObject({ ok: false });
    expect(await bench.driver.ask({ kind: "stop", mode: "stop" })).toMatchObject({ ok: true });
    await bench.settle();
    expect(bench.begun).toContain("stop a/1");
  });

  test("once it has ended nothing more is taken down: nobody would do it", async () => {
    const bench = new Bench([{ id: "a" }]);
    await bench.driver.run();
    const told = bench.facts.length;
    expect(await bench.driver.ask({ kind: "land" })).toMatchObject({ ok: false, isEnding: true });
    expect(bench.facts).toHaveLength(told);
  });
});
