import { describe, expect, test } from "vitest";
import { gateOf, oidOf, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptId, TextHash } from "./ids.ts";
import { lastLanding } from "./landing.ts";

const unit = gateOf("npm test");
const crash = { reason: "crash", detail: "exit 1" } as const;
const NO_USAGE = { costUsd: null, inputTokens: null, outputTokens: null };
const brief = "brief" as TextHash;
const edited = { commit: oidOf("edited"), tree: oidOf("edited tree") };
const sent = (...ids: string[]) => ids.map((id) => ({ task: taskId(id), brief }));

const merged = (retries = 0) =>
  new Scenario(
    [
      { id: "a", retries, fixRounds: 1 },
      { id: "b", needs: ["a"] },
    ],
    { plan: { gates: [unit] } },
  )
    .work("a/1")
    .judge(unit, "work a/1")
    .build()
    .judge(unit, "merge a/1")
    .advance()
    .work("b/1")
    .judge(unit, "work b/1")
    .build()
    .judge(unit, "merge b/1")
    .advance();

const landed = (retries = 0) => merged(retries).land().finish();

describe("merged work that is sent back", () => {
  test("continues its conversation from the target as it is, is merged and lands once more (I1, I11)", () => {
    const run = landed().ask({ kind: "redo", tasks: sent("a"), onto: edited });
    expect(run.phases()).toEqual({ a: "waiting", b: "merged" });
    expect(run.want("start")).toMatchObject({
      attempt: "a/2",
      base: edited,
      brief,
      fix: { attempt: "a/1", because: null },
    });
    run.work("a/2").judge(unit, "work a/2").build().judge(unit, "merge a/2").advance();
    expect(run.task("a")).toMatchObject({ brief: null, fix: null });
    expect(run.wants()).toEqual(["land"]);
    run.land();
    expect(run.wants()).toEqual(["finish complete"]);
  });

  test("is sent back again after an attempt that changed nothing", () => {
    const run = new Scenario([{ id: "a", allowEmpty: true }]).work("a/1").merge().land().finish();
    run.ask({ kind: "redo", tasks: sent("a"), onto: edited });
    run.start("a/2").end("a/2").save("a/2", { changed: false });
    expect(run.phases()).toEqual({ a: "passed" });
    run.finish().ask({ kind: "redo", tasks: sent("a"), onto: edited });
    expect(run.want("start")).toMatchObject({ attempt: "a/3", brief });
  });

  test("lands where a person has landed a run that was to land never", () => {
    const never = (run: Scenario) =>
      run.fact({ type: "policy.changed", policy: { ...run.state.policy, land: "never" } });
    const redone = (run: Scenario) => {
      run.ask({ kind: "redo", tasks: sent("a"), onto: edited });
      return run.work("a/2").judge(unit, "work a/2").build().judge(unit, "merge a/2").advance().wants();
    };
    expect(redone(never(landed()))).toEqual(["land"]);
    expect(redone(never(merged()).finish())).toEqual(["finish complete"]);
  });

  test("waits for what it needs, where that is sent back too (I11)", () => {
    const run = landed().ask({ kind: "redo", tasks: sent("b", "a"), onto: edited });
    expect(run.wants()).toEqual(["start a/2 fixing a/1"]);
    run.work("a/2").judge(unit, "work a/2").build().judge(unit, "merge a/2").advance();
    expect(run.want("start")).toMatchObject({ attempt: "b/2", base: run.state.tip });
  });

  test("a red gate is fixed where the attempt works, and a retry is told the brief again", () => {
    const run = landed(1).ask({ kind: "redo", tasks: sent("a"), onto: edited });
    run.work("a/2").judge(unit, "work a/2", "red");
    expect(run.want("start")).toMatchObject({ fix: { attempt: "a/2", because: { reason: "gate" } }, brief });
    expect(run.want("start").base).toEqual(edited);
    run.start("a/3").end("a/3", crash).save("a/3");
    run.later(run.wake() ?? 0);
    expect(run.want("start")).toMatchObject({ attempt: "a/4", fix: null, brief });
  });

  test("a conversation that is gone is begun anew with the brief, and costs no retry", () => {
    const run = landed().ask({ kind: "redo", tasks: sent("a"), onto: edited });
    const lost = { reason: "agent-error", detail: "No conversation found" } as const;
    const nothing = { exit: null, usage: NO_USAGE, conversation: null, said: null, denials: [] };
    run.start("a/2").fact({ type: "attempt.ended", attempt: "a/2" as AttemptId, failure: lost, ...nothing });
    run.save("a/2", { changed: false });
    expect(run.want("start")).toMatchObject({ attempt: "a/3", fix: null, brief, base: edited });
    run.start("a/3").end("a/3", lost).save("a/3", { changed: false });
    expect(run.phase("a").kind).toBe("failed");
  });

  test("what landed stays landed when the work fails, and nothing lands or is taken back beyond it (I3)", () => {
    const run = landed();
    const first = lastLanding(run.state);
    run.fact({ type: "policy.changed", policy: { ...run.state.policy, land: "partial" } });
    run.ask({ kind: "redo", tasks: sent("a"), onto: edited });
    run.start("a/2").end("a/2", crash).save("a/2");
    expect(run.wants()).toEqual(["finish incomplete"]);
    expect(lastLanding(run.state)).toEqual(first);
    run.finish().ask({ kind: "retry", task: taskId("a") });
    expect(run.want("start")).toMatchObject({ attempt: "a/3", fix: null, brief });
  });

  test("where a person's work was merged, the agent's own conversation continues", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]).start("a/1").end("a/1", crash).save("a/1").finish();
    run
      .ask({ kind: "open", task: taskId("a") })
      .opened("a/2")
      .ask({ kind: "accept", task: taskId("a") });
    run.save("a/2").merge().land().finish();
    run.ask({ kind: "redo", tasks: sent("a"), onto: null });
    expect(run.want("start")).toMatchObject({ attempt: "a/3", fix: { attempt: "a/1", because: null } });
  });
});

test.each([
  ["a task that is not merged", new Scenario([{ id: "a" }]), "cannot redo `a`: it is waiting in run-1"],
  ["another task", new Scenario([{ id: "b" }]), "cannot redo `a`: it is not part of run-1"],
])("cannot be sent back: %s", (_, run, refusal) => {
  expect(run.refusal({ kind: "redo", tasks: sent("a"), onto: null })).toBe(refusal);
});

test("the branch does not follow the target while tasks are on their way (I7)", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).work("a/1").merge().start("b/1");
  const redo = { kind: "redo", tasks: sent("a"), onto: edited } as const;
  expect(run.refusal(redo)).toContain("1 task is not finished; wait for the run to end: plait watch run-1");
  expect(run.refusal({ ...redo, onto: run.state.tip })).toBeNull();
});

test("a budget counts from now", () => {
  const run = landed().ask({ kind: "budget", usd: 2 });
  expect(run.state.policy.budgetUsd).toBe(run.state.spentUsd + 2);
});
