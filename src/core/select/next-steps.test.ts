import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { Policy } from "../facts.ts";
import { textHash } from "../ids.ts";
import type { PushByHand } from "../landing-types.ts";
import type { TaskState } from "../run-state.ts";
import { get, set } from "../sorted-map.ts";
import { formatCommand } from "../text/command.ts";
import { listNextSteps } from "./next-steps.ts";
import { countRedGates, runEnd } from "./run-end.ts";
import { failedTasks, lastConversation, openTasks } from "./task-lists.ts";
import { formatSpeedUp } from "./totals.ts";

const said = { reason: "agent-said-no", detail: "no" } as const;
const next = (run: Scenario) =>
  listNextSteps(run.state, { isRunning: false }).map(
    ({ command, purpose }) => `${formatCommand(command)}: ${purpose}`,
  );

describe("what to type after a run", () => {
  test("that failed in part: read, try again, or land merged tasks", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["b"] }]);
    run.work("a/1").merge().start("b/1").end("b/1", said).save("b/1").finish();
    expect(next(run)).toEqual([
      "plait logs b --run run-1: see why b failed",
      "plait retry b --run run-1: retry b; c follows",
      "plait open b --run run-1: finish the task yourself",
      "plait land run-1: land 1 merged task",
    ]);
  });

  test("where a check failed: what it judged is done again, and nobody can hand in for it", () => {
    const check = { kind: "command", run: { kind: "shell", line: "test -s x" } } as const;
    const run = new Scenario([{ id: "a" }, { id: "look", needs: ["a"], access: "read-only", work: check }]);
    run.work("a/1").merge().start("look/1").end("look/1", said).save("look/1").finish();
    expect(next(run)).toEqual([
      "plait logs look --run run-1: see why look failed",
      "plait retry look --run run-1: retry look",
      "plait resume run-1 --plan plan.yaml --redo a: redo the tasks that look checks",
      "plait land run-1: land 1 merged task",
    ]);
  });

  test("that spent its budget: a larger one, or what is merged", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { plan: { budgetUsd: 2 } });
    run.start("a/1").end("a/1", null, { costUsd: 3 }).save("a/1").merge().finish();
    expect(next(run)).toEqual([
      "plait resume run-1 --budget-usd 2: continue and spend up to $2.00 more",
      "plait land run-1: land 1 merged task",
    ]);
  });

  test("that spent its budget again after each resume: the amount granted last, not the sum", () => {
    const tasks = ["a", "b", "c", "d"].map((id, i, all) => ({
      id,
      needs: i === 0 ? [] : [all[i - 1] ?? ""],
    }));
    const run = new Scenario(tasks, { plan: { budgetUsd: 0.5 } });
    const spend = (attempt: string) =>
      run.start(attempt).end(attempt, null, { costUsd: 0.6 }).save(attempt).merge().finish();
    const again = "plait resume run-1 --budget-usd 0.5: continue and spend up to $0.50 more";
    spend("a/1");
    expect(next(run)).toContain(again);
    run.resume().ask({ kind: "budget", usd: 0.5 });
    spend("b/1");
    expect(next(run)).toContain(again);
    run.resume().ask({ kind: "budget", usd: 0.25 });
    spend("c/1");
    expect(next(run)).toContain("plait resume run-1 --budget-usd 0.25: continue and spend up to $0.25 more");
  });

  test("names the run: the latest may be another one when it is typed", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", retries: 0 }, { id: "c", approve: true }]);
    run.work("a/1").merge().start("b/1").end("b/1", said).save("b/1").work("c/1").finish();
    const commands = listNextSteps(run.state, { isRunning: false }).map(({ command }) =>
      formatCommand(command),
    );
    expect(commands).toEqual([
      ...["plait logs b --run run-1", "plait approve c --run run-1", "plait retry b --run run-1"],
      ...["plait open b --run run-1", "plait land run-1"],
    ]);
  });

  test("with a conflict: resolve it; then hand it in or give it up", () => {
    const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }])
      .work("a/1")
      .conflict(["x.txt"])
      .finish();
    expect(next(run)).toEqual([
      "plait open a --run run-1: resolve the conflict",
      "plait logs a --run run-1: see why a failed",
      "plait retry a --run run-1: retry a",
    ]);
    const theirs = (first: string) => [first, "plait drop a --run run-1: drop a and keep its work saved"];
    run
      .resume()
      .ask({ kind: "stop", mode: "drain" })
      .ask({ kind: "open", task: taskId("a") });
    expect(next(run)).toEqual(
      expect.arrayContaining(["plait drop a --run run-1: drop a and keep its work saved"]),
    );
    run.opened("a/2", ["x.txt"]).finish();
    expect(next(run)).toEqual(theirs("plait submit a --run run-1: submit your changes to a"));
    expect(openTasks(run.state)).toMatchObject([
      {
        task: "a",
        worktree: "/w",
        after: { attempt: "a/1" },
        sides: { merged: { commit: run.state.tip.commit }, own: { attempt: "a/1" } },
      },
    ]);
    // What a person handed in has no conversation; the one before it has.
    run
      .resume()
      .ask({ kind: "accept", task: taskId("a") })
      .save("a/2")
      .conflict(["x.txt"])
      .opened("a/3");
    expect(lastConversation(run.task("a"), run.task("a").past.at(-1)?.id ?? null)).toBe(
      "conversation of a/1",
    );
    expect(failedTasks(run.state)).toMatchObject([{ task: "a", failure: { reason: "conflict" } }]);
  });

  test("that was stopped: go on", () => {
    const run = new Scenario([{ id: "a" }]).ask({ kind: "stop", mode: "stop" }).finish();
    expect(next(run)).toEqual(["plait resume run-1: continue the run"]);
  });

  test("that landed: look at it", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge().land().finish();
    expect(next(run)).toEqual([
      expect.stringMatching(/^git log --graph [0-9a-f]{7}\.\.main: see what landed$/),
      "plait undo run-1: undo the landing",
    ]);
  });

  test("that was to open pull requests later: open them, or land here", () => {
    const later = (publish: Policy["publish"]) =>
      new Scenario([{ id: "a" }], { policy: { land: "never", publish } }).work("a/1").merge().finish();
    const merge = "git merge plait/run-1/integration: merge the work yourself";
    expect(next(later("pull-request-per-task"))).toEqual([
      "plait land run-1: open pull requests",
      "plait land run-1 --no-pr: land on main",
      merge,
    ]);
    expect(next(later("pull-request"))[0]).toBe("plait land run-1: open a pull request");
    expect(next(later("push"))).toEqual(["plait land run-1: land on main and push", merge]);
  });

  test("whose push was refused: push by hand where the server or the branch has more than the run", () => {
    const refused = (why?: PushByHand["why"]) => {
      const run = new Scenario([{ id: "a" }], { policy: { publish: "push" } }).work("a/1").merge().land();
      const byHand = why && { byHand: { why, remote: "origin", branch: "main" } };
      run.fact({ type: "publishing.refused", tip: run.state.tip.commit, detail: "no", ...byHand }).finish();
      return next(run).filter((step) => !/git log|undo/.test(step));
    };
    const [push, record] = [
      "git push origin main: push main",
      "plait land run-1: record that the work is pushed",
    ];
    const pull = "git pull --no-rebase origin main: merge the new commits of origin";
    expect(refused()).toEqual(["plait land run-1: push again"]);
    expect(refused("behind")).toEqual([pull, push, record]);
    expect(refused("beyond")).toEqual([push, record]);
    expect(refused("other-remote")).toEqual([push, record]);
    expect(refused("rewritten")).toEqual([push]);
  });

  test("whose landing was refused: land it when that is settled", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const tip = run.state.tip.commit;
    run.fact({ type: "landing.refused", tip, why: "dirty", detail: "2 files" }).finish();
    expect(next(run)).toEqual(["plait land run-1: land after you commit, stash or move these files"]);
  });

  test("that was to stay on its branch: land it, or take it elsewhere", () => {
    const run = new Scenario([{ id: "a" }], { plan: { land: "never" } }).work("a/1").merge().finish();
    expect(next(run)).toEqual([
      "plait land run-1: land on main",
      "git merge plait/run-1/integration: merge the work yourself",
    ]);
  });

  test("with a task that only looked: read what it reports", () => {
    const run = new Scenario([{ id: "a", access: "read-only" }]).start("a/1").end("a/1");
    run.save("a/1", { changed: false });
    const state = run.state;
    const [i, task] = [0, get(state.tasks, 0) as TaskState];
    const phase = { ...task.phase, report: textHash("f".repeat(64)) } as TaskState["phase"];
    run.state = { ...state, tasks: set(state.tasks, i, { ...task, phase }) };
    expect(next(run.finish())).toEqual(["plait logs a --run run-1: read a's report"]);
  });

  test("that waits for a word: give it", () => {
    const run = new Scenario([{ id: "a", approve: true }]).work("a/1").finish();
    expect(next(run)).toEqual(["plait approve a --run run-1: approve a"]);
  });
});

test("the end counts attempts, red gates and conflicts, and names what is kept", () => {
  const unit = gateOf("npm test");
  const run = new Scenario([{ id: "a", retries: 1 }, { id: "b" }], { plan: { gates: [unit] } });
  const limit = { reason: "usage-limit", resetsAt: run.now + 600_000, detail: "" } as const;
  run.start("b/1").end("b/1", limit, { costUsd: 1 }).save("b/1", { changed: false }).later(600_000);
  run.work("a/1").judge(unit, "work a/1", "red").later(60_000);
  run.work("a/2").judge(unit, "work a/2", "red").start("b/2");
  const end = runEnd(run.state);
  expect(end).toMatchObject({
    attempts: 4,
    redGates: 2,
    conflicts: 0,
    byAgent: [{ agent: "claude", usd: 1 }],
    kept: [{ task: "a", ref: "refs/plait/run-1/a/2" }],
  });
  expect([...countRedGates(run.state)]).toEqual([["npm test", 2]]);
  // b is under way again, so its wait has an end.
  run.end("b/2").save("b/2").judge(unit, "work b/2");
  expect(Math.round(runEnd(run.state).parkedMs / 60_000)).toBe(11);
});

test("parked is the time in which a run that is driven waits for a limit or for the network", () => {
  const HOUR = 3_600_000;
  const run = new Scenario([{ id: "a", retries: 1 }]);
  const network = { reason: "network", detail: "no route" } as const;
  run.start("a/1").end("a/1", network).save("a/1", { changed: false });
  run.later(HOUR).ask({ kind: "stop", mode: "drain" }).finish();
  // A night in which nobody drove it, and one in which the machine slept while the next attempt ran.
  run
    .later(8 * HOUR)
    .resume()
    .later(HOUR)
    .start("a/2");
  const from = run.now;
  run
    .later(8 * HOUR)
    .fact({ type: "run.slept", from })
    .end("a/2")
    .save("a/2");
  expect(Math.round(runEnd(run.state).parkedMs / HOUR)).toBe(2);
});

test("a run that landed in part while a task was paused is resumed", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 2 } }).work("a/1").merge();
  const resetsAt = run.now + 3_600_000;
  run.start("b/1").end("b/1", { reason: "usage-limit", resetsAt, detail: "" }).save("b/1");
  run.ask({ kind: "land" }).land().finish();
  expect(run.phase("b").kind).toBe("parked");
  expect(next(run)[0]).toBe(`plait resume ${run.state.run}: continue the run`);
});

test("a speedup is claimed only where it means something: not in short runs, nor close to 1", () => {
  const told = (wallMs: number, speedUp: number | null) =>
    formatSpeedUp({ wallMs, serialMs: wallMs * (speedUp ?? 0), speedUp });
  expect(told(3_720_000, 3.3)).toBe("3:24:36 if run serially (3.3x faster)");
  expect([told(3_000, 3), told(3_720_000, 1.1), told(0, null)]).toEqual([null, null, null]);
});
