import { describe, expect, test } from "vitest";
import { gateOf } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { evolve } from "../evolve.ts";
import { FACT_VERSION } from "../facts.ts";
import { type AttemptFailure, backoffMs, FAILURE_RULES } from "../failure.ts";
import { taskState } from "../run-tasks.ts";
import { wants } from "../wants.ts";

const network: AttemptFailure = { reason: "network", detail: "ECONNRESET" };
const rateLimit: AttemptFailure = { reason: "rate-limit", retryAfterMs: null, detail: "429" };
const unit = gateOf("npm test");
const guarded = { kind: "guarded", path: "uv.lock", detail: "a lockfile", blocks: true } as const;
const outside = { kind: "outside-claims", path: "src/x.ts", detail: "not its own", blocks: true } as const;

const fail = (run: Scenario, attempt: string, failure: AttemptFailure) =>
  run.start(attempt).end(attempt, failure).save(attempt);

describe("the failure table", () => {
  const plain = (reason: string) => ({ reason, detail: "why" }) as AttemptFailure;

  test.each(["budget", "context", "rejected", "denied", "agent-said-no"])(
    "%s is never tried again",
    (reason) => {
      const run = new Scenario([{ id: "a", retries: 5 }]);
      fail(run, "a/1", plain(reason));
      expect(run.phase("a")).toMatchObject({ kind: "failed", failure: { reason } });
    },
  );

  test.each(["agent-error", "crash", "max-turns", "nothing-done"])("%s uses up a retry", (reason) => {
    const run = new Scenario([{ id: "a", retries: 1 }]);
    fail(run, "a/1", plain(reason));
    expect(run.phase("a").kind).toBe("backoff");
    expect(run.task("a").used.retries).toBe(1);
    run.later(run.wake() ?? 0);
    fail(run, "a/2", plain(reason));
    expect(run.phase("a").kind).toBe("failed");
  });

  test.each(["auth", "billing"])("%s parks the account until somebody has looked", (reason) => {
    const run = new Scenario([{ id: "a", retries: 0 }, { id: "b" }], { policy: { slots: 1 } });
    fail(run, "a/1", plain(reason));
    expect(run.phase("a")).toMatchObject({ kind: "parked", why: reason });
    expect(run.wants()).toEqual([]);
    run.later(run.wake() ?? 0);
    expect(run.wants()).toEqual([`probe ${reason}`]);
    run.fact({ type: "account.probed", account: run.want("probe").account, ok: true });
    expect(run.wants()).toEqual(["start a/2"]);
  });

  test("every reason has a rule, and every wait grows to its maximum and no further", () => {
    for (const rule of Object.values(FAILURE_RULES)) {
      if (rule.kind !== "retry" && rule.kind !== "park") continue;
      const waits = Array.from({ length: 40 }, (_, n) => backoffMs(rule.backoff, n + 1, "a/1"));
      expect(waits.every((wait, n) => n === 0 || wait >= (waits[n - 1] as number))).toBe(true);
      expect(Math.max(...waits)).toBeLessThanOrEqual(rule.backoff.maxMs);
    }
    expect(backoffMs({ firstMs: 1000, maxMs: 9000 }, 1, "a/1")).not.toBe(
      backoffMs({ firstMs: 1000, maxMs: 9000 }, 1, "b/1"),
    );
  });
});

describe("limits of an account", () => {
  test("a usage limit parks every task of the account until it resets, and costs no retry", () => {
    const run = new Scenario([{ id: "a", retries: 0 }, { id: "b" }, { id: "c" }], { policy: { slots: 1 } });
    const resetsAt = run.now + 3_600_000;
    fail(run, "a/1", { reason: "usage-limit", resetsAt, detail: "limit" });
    expect(run.phase("a")).toMatchObject({ kind: "parked", until: resetsAt });
    expect(run.wants()).toEqual([]);
    run.now = resetsAt;
    expect(run.wants()).toEqual(["start a/2"]);
    expect(run.task("a").used.retries).toBe(0);
  });

  test("a rate limit is waited out by all, longer each time, and a success that began later ends it", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").start("b/1");
    run.end("a/1", rateLimit).save("a/1");
    const first = run.wake() ?? 0;
    run.end("b/1").save("b/1");
    expect(run.wants()).toEqual(["merge b/1"]);
    run.later(first);
    fail(run, "a/2", rateLimit);
    expect(run.wake() ?? 0).toBeGreaterThan(first);
    run.later(run.wake() ?? 0).work("a/3");
    expect(run.state.accounts).toBeNull();
  });

  test("attempts that meet the same limit together wait once, for seconds", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }]).start("a/1").start("b/1").start("c/1");
    for (const attempt of ["a/1", "b/1", "c/1"]) run.end(attempt, rateLimit).save(attempt);
    expect(run.wake() ?? 0).toBeLessThanOrEqual(5_000);
  });

  test("a server that throttles for an hour costs no retry, and is never waited for more than two minutes", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]);
    const begun = run.now;
    for (let n = 1; run.now < begun + 3_600_000; n += 1) {
      fail(run, `a/${n}`, rateLimit);
      expect(run.phase("a").kind).toBe("backoff");
      expect(run.wake() ?? 0).toBeLessThanOrEqual(120_000);
      run.later(run.wake() ?? 0);
    }
  });

  test("a rate limit waits at least as long as the vendor says", () => {
    const run = new Scenario([{ id: "a" }]);
    fail(run, "a/1", { reason: "rate-limit", retryAfterMs: 600_000, detail: "429" });
    expect(run.wake()).toBeGreaterThan(599_000);
  });

  /** What the scenario's clock still has to wait for, waited for. */
  const look = (run: Scenario, ok: boolean) =>
    run.later(run.wake() ?? 0).fact({ type: "account.probed", account: run.want("probe").account, ok });

  test("a lost network parks the account from the first time on, and nothing starts before somebody has looked", () => {
    const run = new Scenario([{ id: "a", retries: 0 }, { id: "b" }], { policy: { slots: 1 } });
    fail(run, "a/1", network);
    expect(run.phase("a")).toMatchObject({ kind: "parked", why: "network" });
    expect(run.wants()).toEqual([]);
    // Two hours without a line: one attempt was lost to it, and no chance.
    const lostAt = run.now;
    while (run.now < lostAt + 7_200_000) {
      look(run, false);
      expect(run.wants()).toEqual([]);
    }
    look(run, true);
    expect(run.task("a").used).toMatchObject({ retries: 0, free: null });
    expect(run.wants()).toEqual(["start a/2"]);
    run.work("a/2");
    expect(run.state.accounts).toBeNull();
  });

  test("where nobody can look, time decides for two hours; a line that works and drops every attempt fails the task", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]);
    const lostAt = run.now;
    let n = 0;
    for (; run.phase("a").kind !== "failed"; look(run, true)) {
      n += 1;
      fail(run, `a/${n}`, network);
      if (run.phase("a").kind === "failed") break;
      expect(run.task("a").used.retries).toBe(0);
    }
    expect(run.now - lostAt).toBeGreaterThan(7_200_000);
    expect(n).toBe(17);
  });

  test("a login that is said to work and does not is tried less and less often", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]);
    const waits: number[] = [];
    for (let n = 1; n <= 5; n += 1) {
      fail(run, `a/${n}`, { reason: "auth", detail: "401" });
      waits.push(run.wake() ?? 0);
      look(run, true);
    }
    expect(waits).toEqual([...waits].sort((x, y) => x - y));
    expect(waits.at(-1)).toBeGreaterThan(10 * 60_000);
  });

  test("the time of a sleeping machine is nobody's, and waits that ended meanwhile are over", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 2 } }).start("a/1").start("b/1");
    const startedAt = run.task("b").live[0]?.startedAt ?? 0;
    run.end("a/1", { reason: "usage-limit", resetsAt: run.now + 3_600_000, detail: "limit" }).save("a/1");
    const from = run.now;
    const at = from + 8 * 3_600_000;
    const slept = { v: FACT_VERSION, at, type: "run.slept", from } as const;
    const woken = evolve(run.state, slept);
    expect(woken && wants(woken, at).map(({ key }) => key)).toEqual(["attempt b/1", "attempt a/2"]);
    expect(woken?.undrivenMs).toBe(at - from);
    expect(woken && taskState(woken, 1).live[0]?.startedAt).toBe(startedAt);
    expect(evolve(woken, slept)).toBe(woken);
  });

  test("a limit that another run met keeps this one from starting", () => {
    const run = new Scenario([{ id: "a" }]);
    const account = run.state.index.lanes[0]?.account;
    if (account == null) throw new Error("no account");
    run.fact({
      type: "account.limited",
      account,
      until: run.now + 5000,
      durationMs: 5000,
      why: "usage-limit",
    });
    expect(run.wants()).toEqual([]);
    run.later(5000);
    expect(run.wants()).toEqual(["start a/1"]);
  });
});

describe("fix rounds", () => {
  test("a red gate goes back to the same conversation before it counts as a failed attempt", () => {
    const run = new Scenario([{ id: "a", retries: 0, fixRounds: 2 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red");
    expect(run.wants()).toEqual(["start a/2 fixing a/1"]);
    run.work("a/2").judge(unit, "work a/2", "red");
    expect(run.wants()).toEqual(["start a/3 fixing a/2"]);
    run.work("a/3").judge(unit, "work a/3", "red");
    expect(run.phase("a").kind).toBe("failed");
  });

  test("a refused change and a conflict are handed back as well", () => {
    const run = new Scenario([{ id: "a", retries: 0, fixRounds: 2 }]);
    run
      .start("a/1")
      .end("a/1")
      .save("a/1", { findings: [outside, guarded] });
    expect(run.want("start").fix?.because).toMatchObject({
      reason: "ownership",
      findings: [outside, guarded],
    });
    run.work("a/2").conflict(["src/y.ts"]);
    expect(run.want("start").fix?.because).toMatchObject({ reason: "conflict", paths: ["src/y.ts"] });
  });

  test("a fix round that meets a rate limit goes on with the same conversation afterwards", () => {
    const run = new Scenario([{ id: "a", retries: 0, fixRounds: 1 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red");
    fail(run, "a/2", rateLimit);
    run.later(run.wake() ?? 0);
    expect(run.wants()).toEqual(["start a/3 fixing a/1"]);
  });

  test("a fresh retry has its fix rounds anew", () => {
    const run = new Scenario([{ id: "a", retries: 1, fixRounds: 1 }], { plan: { gates: [unit] } });
    for (const n of [1, 2]) run.work(`a/${n}`).judge(unit, `work a/${n}`, "red");
    run.later(run.wake() ?? 0);
    expect(run.wants()).toEqual(["start a/3"]);
    run.work("a/3").judge(unit, "work a/3", "red");
    expect(run.wants()).toEqual(["start a/4 fixing a/3"]);
  });
});

test("--fail-fast ends the others, and their end uses up nothing", () => {
  const run = new Scenario([{ id: "a", retries: 0 }, { id: "b" }, { id: "c" }], {
    policy: { failFast: true, slots: 2 },
  });
  run.start("a/1").start("b/1").end("a/1", { reason: "agent-said-no", detail: "no" }).save("a/1");
  expect(run.wants()).toEqual(["attend b/1", "stop b/1 (fail-fast)"]);
  run.end("b/1", { reason: "cancelled", because: "fail-fast", detail: "stopped" }).save("b/1");
  expect(run.phases()).toEqual({ a: "failed", b: "waiting", c: "waiting" });
  expect(run.wants()).toEqual(["finish incomplete"]);
});
