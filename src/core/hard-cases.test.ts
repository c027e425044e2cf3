import { describe, expect, test } from "vitest";
import { gateOf, planOf, taskId } from "../../test/support/plans.ts";
import { Scenario, withCommit } from "../../test/support/scenario.ts";
import { evolve } from "./evolve.ts";
import { gateKey } from "./plan.ts";

/** Sequences that look harmless and once led, or would lead, to a false success, a hang or a wasted agent. */
const unit = gateOf("npm test");
const a = taskId("a");
const said = { reason: "agent-said-no", detail: "no" } as const;

describe("a landing is about one tip (I1)", () => {
  const landed = () =>
    new Scenario([{ id: "a" }, { id: "b", retries: 0 }], { plan: { land: "partial" } }).work("a/1").merge();

  test("an echo of an earlier landing does not land what merged since", () => {
    const run = landed().start("b/1").end("b/1", said).save("b/1").land().finish();
    const echo = run.facts.find(({ type }) => type === "run.landed");
    run
      .ask({ kind: "retry", task: taskId("b") })
      .work("b/2")
      .merge();
    if (echo === undefined) throw new Error("it did not land");
    expect(evolve(run.state, echo)).toBe(run.state);
    expect(run.wants()).toEqual(["land"]);
  });

  test("a landing on another branch than the target is not where the user asked", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const { tip, result } = run.want("land");
    run.fact({
      type: "run.landed",
      tip,
      target: "refs/heads/other" as never,
      from: run.state.base.commit,
      to: result,
      notes: [],
    });
    expect(run.wants()).toEqual(["finish not-landed"]);
  });

  test("a landed tree that the plan's gates were never green for is not complete", () => {
    const run = new Scenario([{ id: "a", gates: [] }], { plan: { gates: [unit] } }).work("a/1").merge();
    const tip = run.state.tip.commit;
    const target = run.state.target ?? ("refs/heads/main" as never);
    run.fact({ type: "run.landed", tip, target, from: run.state.base.commit, to: run.state.tip, notes: [] });
    expect(run.wants()).toEqual(["finish not-landed"]);
  });

  test("what a person asks to land, lands, also after a drain, and nothing starts", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } }).start("a/1");
    run.ask({ kind: "stop", mode: "drain" }).end("a/1").save("a/1").merge().finish();
    run.ask({ kind: "land" }).resume();
    expect(run.wants()).toEqual(["land"]);
    run.land();
    expect(run.wants()).toEqual(["finish incomplete"]);
    run.finish().resume();
    expect(run.wants()).toEqual(["start b/1"]);
  });
});

describe("verdicts and approvals are about one piece of work", () => {
  test("a gate that is only needed for some paths is another check than one that always is", () => {
    const some = gateOf("npm test", { when: ["docs/**" as never] });
    expect(gateKey(some)).not.toBe(gateKey(unit));
  });

  test("an approval holds for the work that was looked at, not for what comes after a conflict", () => {
    const run = new Scenario([{ id: "a", approve: true }]).work("a/1").ask({ kind: "approve", task: a });
    run.conflict(["src/x.ts"]).later(60_000).work("a/2");
    expect(run.phase("a")).toMatchObject({ kind: "held", proven: { attempt: "a/2" } });
  });

  test("the gates of a tree go one after another, in the order of the plan", () => {
    const gates = [gateOf("lint"), gateOf("test")] as const;
    const run = new Scenario([{ id: "a" }], { plan: { gates } }).work("a/1");
    expect(run.wants()).toEqual(["gate lint for a/1"]);
    expect(run.judge(gates[0], "work a/1").wants()).toEqual(["gate test for a/1"]);
  });

  test("in a batch every task has the commit that brought it in", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { mergeBatch: 2 } })
      .work("a/1")
      .work("b/1")
      .merge();
    const commits = ["a", "b"]
      .map((id) => run.phase(id))
      .map((phase) => phase.kind === "merged" && phase.commit);
    expect(commits[0]).toBe(withCommit({ task: a, attempt: "a/1" as never }).commit);
    expect(commits[0]).not.toBe(commits[1]);
  });
});

describe("stopping and starting", () => {
  test("an attempt whose start was on its way when the run was stopped is stopped too", () => {
    const run = new Scenario([{ id: "a" }]).ask({ kind: "stop", mode: "stop" }).start("a/1");
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (stop)"]);
  });

  test("an agent that says it was cancelled though nobody asked has crashed", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]).start("a/1");
    run.end("a/1", { reason: "cancelled", because: "stop", detail: "exit 130" }).save("a/1");
    expect(run.phase("a")).toMatchObject({ kind: "failed", failure: { reason: "crash" } });
  });

  test("a policy without slots still goes on, and a paused run goes on when it is resumed", () => {
    expect(new Scenario([{ id: "a" }], { policy: { slots: 0 } }).wants()).toEqual(["start a/1"]);
    expect(new Scenario([{ id: "a" }]).ask({ kind: "pause" }).resume().wants()).toEqual(["start a/1"]);
  });

  test("a run in which nothing was chosen is not complete", () => {
    expect(new Scenario([{ id: "a" }], { only: [] }).wants()).toEqual(["finish incomplete"]);
  });
});

describe("limits", () => {
  test("a reset time in the past is not believed: nothing starts at once again", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    run.end("a/1", { reason: "usage-limit", resetsAt: run.now - 5_000, detail: "limit" }).save("a/1");
    expect(run.wants()).toEqual([]);
    expect(run.wake() ?? 0).toBeGreaterThan(60_000);
  });

  test("a limit holds from the moment it is met, not only when the work is saved", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 2 } }).start("a/1");
    run.end("a/1", { reason: "usage-limit", resetsAt: null, detail: "limit" });
    expect(run.wants()).toEqual(["save a/1"]);
  });

  test("free tries are counted for each reason", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]);
    for (const n of [1, 2, 3]) {
      run
        .start(`a/${n}`)
        .end(`a/${n}`, { reason: "rate-limit", retryAfterMs: null, detail: "429" })
        .save(`a/${n}`);
      run.later(run.wake() ?? 0);
    }
    run.start("a/4").end("a/4", { reason: "network", detail: "ECONNRESET" }).save("a/4");
    expect(run.phase("a").kind).toBe("parked");
  });

  test("a rate limit does not take away the probe that a broken login needs", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").start("b/1");
    run.end("a/1", { reason: "auth", detail: "401" }).save("a/1");
    run.end("b/1", { reason: "rate-limit", retryAfterMs: 600_000, detail: "429" }).save("b/1");
    run.later(600_000);
    expect(run.wants()).toEqual(["probe rate-limit"]);
  });

  test("a probe that fails is repeated soon, so that a person who logs in waits for a minute at most", () => {
    const run = new Scenario([{ id: "a" }])
      .start("a/1")
      .end("a/1", { reason: "auth", detail: "401" })
      .save("a/1");
    const first = run.wake() ?? 0;
    const looked: number[] = [first];
    for (let n = 0; n < 9; n += 1) {
      run.later(looked.at(-1) ?? 0);
      run.fact({ type: "account.probed", account: run.want("probe").account, ok: false });
      expect(run.wants()).toEqual([]);
      looked.push(run.wake() ?? 0);
    }
    expect(Math.max(...looked)).toBeLessThanOrEqual(60_000);
  });
});

describe("what plait itself cannot do", () => {
  test("an effect that fails is wanted again after a wait, and a person is asked when it keeps failing", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").end("a/1");
    for (let n = 1; n < 5; n += 1) {
      run.fact({ type: "effect.failed", key: "save a/1", detail: "no space left" });
      expect(run.wants()).toEqual([]);
      run.later(run.wake() ?? 0);
      expect(run.wants()).toEqual(["save a/1"]);
    }
    run.fact({ type: "effect.failed", key: "save a/1", detail: "no space left" });
    expect(run.state.held).toBe("no space left");
    expect(run.resume().wants()).toEqual(["save a/1"]);
  });

  test("a step that waits for its retry is tried at once when a person stops the run, and given up soon", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").end("a/1");
    const fail = () =>
      run.fact({ type: "effect.failed", key: "save a/1", detail: "no space left", cause: "no-space" });
    for (let n = 1; n < 6; n += 1) fail();
    expect(run.wants()).toEqual([]);
    expect(run.wake()).toBeGreaterThan(10_000);
    run.ask({ kind: "stop", mode: "stop", signal: "SIGTERM" });
    expect(run.wants()).toEqual(["save a/1"]);
    let waitedMs = 0;
    for (fail(); run.state.held === null; fail()) {
      const wait = run.wake() ?? 0;
      waitedMs += wait;
      run.later(wait);
    }
    expect(waitedMs).toBeLessThan(2_000);
    run.later(run.wake() ?? 0);
    expect(run.wants()).toEqual(["save a/1", "finish stopped"]);
    expect(run.resume().wants()).toEqual(["save a/1"]);
  });

  test("a secret in the diff is no question of ownership, and is not tried again", () => {
    const secret = {
      kind: "secret",
      path: "src/key.ts",
      detail: "looks like a token",
      blocks: true,
    } as const;
    const run = new Scenario([{ id: "a", fixRounds: 2 }])
      .start("a/1")
      .end("a/1")
      .save("a/1", { findings: [secret] });
    expect(run.phase("a")).toMatchObject({ kind: "failed", failure: { reason: "denied" } });
  });

  test("a finding that does not block is kept and stops nobody", () => {
    const note = { kind: "outside-claims", path: "x.ts", detail: "not its own", blocks: false } as const;
    const run = new Scenario([{ id: "a" }])
      .start("a/1")
      .end("a/1")
      .save("a/1", { findings: [note] });
    expect(run.phase("a").kind).toBe("queued");
    expect(run.task("a").past[0]?.saved.findings).toEqual([note]);
  });
});

describe("people", () => {
  test("red work of a person goes back to the person, not to an agent", () => {
    const run = new Scenario([{ id: "a", retries: 3, fixRounds: 2 }], { plan: { gates: [unit] } });
    run.start("a/1").end("a/1", said).save("a/1");
    run.ask({ kind: "open", task: a }).opened("a/2").ask({ kind: "accept", task: a });
    run.save("a/2").judge(unit, "work a/2", "red");
    expect(run.phase("a").kind).toBe("held");
    // In the same worktree, with what was found; handed in again it is the next attempt.
    expect(run.wants()).toEqual(["open a/3"]);
    expect(run.opened("a/3").wants()).toEqual(["finish held"]);
    expect(run.ask({ kind: "accept", task: a }).wants()).toEqual(["save a/3"]);
  });

  test("a task that is held by a person waits for that person", () => {
    const run = new Scenario([{ id: "a" }]).ask({ kind: "hold", task: a, why: "I want to look first" });
    expect(run.wants()).toEqual(["finish held"]);
    expect(run.finish().ask({ kind: "approve", task: a }).wants()).toEqual(["start a/1"]);
  });

  test("new words end an old conversation, new limits do not", () => {
    const accounts = {};
    const { policy } = new Scenario([{ id: "a" }]).state;
    const run = new Scenario([{ id: "a", fixRounds: 2, retries: 0 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red").start("a/2");
    const other = planOf([{ id: "a", fixRounds: 2, retries: 5, priority: 3 }], { gates: [unit] });
    run.ask({ kind: "revise", plan: other, accounts, redo: [], policy });
    expect(run.wants()).toEqual(["attend a/2"]);
    const words = planOf([{ id: "a", fixRounds: 2, retries: 0, title: "other words" }], { gates: [unit] });
    run.ask({ kind: "revise", plan: words, accounts, redo: [], policy }).end("a/2").save("a/2");
    expect(run.wants()).toEqual(["start a/3"]);
    expect(run.task("a").used.fixRounds).toBe(0);
  });

  test("a revised plan brings its own budget", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1, budgetUsd: 1 } });
    run.start("a/1").end("a/1", null, { costUsd: 2 }).save("a/1").merge();
    expect(run.wants()).toEqual(["finish over-budget"]);
    const policy = { ...run.state.policy, budgetUsd: 9 };
    run
      .finish()
      .ask({ kind: "revise", plan: planOf([{ id: "a" }, { id: "b" }]), accounts: {}, redo: [], policy });
    expect(run.resume().wants()).toEqual(["start b/1"]);
  });
});
