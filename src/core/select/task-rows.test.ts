import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { AttemptId } from "../ids.ts";
import { plainText } from "../text/sentence.ts";
import { formatAttemptNumber } from "./attempt-number.ts";
import { progress } from "./progress.ts";
import { runEnd } from "./run-end.ts";
import { attemptLines } from "./task-attempts.ts";
import { countRunningAgents, type TaskRow, taskRow, taskRows } from "./task-rows.ts";
import { formatTaskNote } from "./task-status-text.ts";

const unit = gateOf("npm test");
const lint = gateOf("npm run lint");

/** State, ball and note of one task. */
function told(run: Scenario, id: string): string {
  const row = taskRow(run.state, taskId(id), run.now);
  return row === null ? "" : `${row.status.kind} ${row.actor}: ${plainText(formatTaskNote(row.status))}`;
}

test("a task goes through its states, from waiting to merged", () => {
  const tasks = [{ id: "a" }, { id: "b", needs: ["a"] }];
  const run = new Scenario(tasks, { plan: { gates: [unit, lint] } });
  const seen = [told(run, "a")];
  const see = () => seen.push(told(run, "a"));
  const base = run.state.tip;
  const attempt = "a/1" as AttemptId;
  const rest = { worktree: "/w", marker: "m", author: "agent", continues: null, worker: null } as const;
  run.fact({ type: "attempt.started", attempt, base, ...rest });
  see();
  run.fact({ type: "attempt.spawned", attempt, pid: 1, startTime: "1", bootId: "b" });
  see();
  expect(countRunningAgents(run.state)).toBe(1);
  run.end("a/1");
  see();
  run.save("a/1");
  see();
  run.judge(unit, "work a/1");
  see();
  run.judge(lint, "work a/1");
  see();
  run.build();
  see();
  run.judge(unit, "merge a/1");
  see();
  run.judge(lint, "merge a/1");
  see();
  run.advance();
  see();
  expect(seen).toEqual([
    "waiting later: ",
    "preparing plait: ",
    "running agents: ",
    "saving plait: ",
    "checking plait: npm test, gate 1 of 2",
    "checking plait: npm run lint, gate 2 of 2",
    "merging plait: ",
    "merging plait: running npm test and 1 more gate",
    "merging plait: running npm run lint",
    "merging plait: every gate is green",
    "merged done: ",
  ]);
  expect(told(run, "b")).toBe("waiting later: ");
});

test("a finished attempt is checked while a run drains, and not in a run that stops or has ended", () => {
  const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } });
  run.work("a/1");
  run.fact({ type: "run.stopping", mode: "drain", signal: null });
  expect(told(run, "a")).toBe("checking plait: npm test, gate 1 of 1");
  run.fact({ type: "run.stopping", mode: "stop", signal: null });
  expect(told(run, "a")).toBe("stopped later: continues on resume");
  run.fact({ type: "run.ended", outcome: "stopped" });
  expect(told(run, "a")).toBe("stopped later: continues on resume");
  expect(runEnd(run.state).kept).toEqual([expect.objectContaining({ task: "a" })]);
});

test("who stands behind in the queue knows its place, and whether it was gated ahead", () => {
  const tasks = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const run = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeAhead: 2 } });
  for (const id of ["a", "b", "c"]) run.work(`${id}/1`).judge(unit, `work ${id}/1`);
  run.build();
  expect([told(run, "b"), told(run, "c")]).toEqual([
    "queued plait: 2nd in line",
    "queued plait: 3rd in line",
  ]);
  run.build();
  expect(told(run, "b")).toBe("queued plait: 2nd in line, already checking npm test");
  run.judge(unit, "merge b/1");
  expect(told(run, "b")).toBe("queued plait: 2nd in line, already green");
});

test("what waits says why, and until when", () => {
  const tasks = [
    { id: "a", retries: 0 },
    { id: "b", retries: 1 },
    { id: "c", needs: ["a"] },
    { id: "d", needs: ["b"] },
    { id: "e" },
  ];
  const run = new Scenario(tasks, { policy: { slots: 2 } });
  run.start("a/1").end("a/1", { reason: "agent-said-no", detail: "no key" }).save("a/1");
  run.start("b/1").end("b/1", { reason: "crash", detail: "exit code 1" }).save("b/1");
  expect(told(run, "a")).toBe("failed you: agent reported it is blocked: no key");
  expect(told(run, "b")).toBe("retrying clock: agent crashed: exit code 1");
  expect(told(run, "c")).toBe("skipped later: a failed");
  expect(told(run, "d")).toBe("waiting later: for b");
  expect(told(run.ask({ kind: "resize", slots: 1 }).start("b/2"), "e")).toBe(
    "waiting later: for a free slot (1 of 1 in use)",
  );
  expect(told(run.ask({ kind: "pause" }), "e")).toBe("waiting later: for the run to continue");
  run.fact({ type: "task.held", task: taskId("e"), why: "look at it" });
  expect(told(run, "e")).toBe("held you: look at it");
});

describe("figures of a task", () => {
  test("add up all its attempts, the live one included", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").later(5_000);
    run.end("a/1", { reason: "crash", detail: "" }, { costUsd: 1, inputTokens: 10 }).save("a/1");
    run.later(60_000).start("a/2").later(3_000);
    const usage = { costUsd: 0.5, inputTokens: 5, outputTokens: 2 };
    const attempt = "a/2" as AttemptId;
    const activity = new Map([[attempt, { attempt, at: run.now, action: null, usage }]]);
    const [row] = taskRows(run.state, run.now, { activity });
    expect(row).toMatchObject({ attempts: 2, usage: { costUsd: 1.5, inputTokens: 15, outputTokens: 2 } });
    expect(Math.floor((row?.workMs ?? 0) / 1_000)).toBe(8);
    expect(Math.floor((row?.lastsMs ?? 0) / 1_000)).toBe(3);
  });

  test("are unknown where no attempt has said them", () => {
    const [row] = taskRows(new Scenario([{ id: "a" }]).work("a/1").state, 0);
    expect(row?.usage).toEqual({ costUsd: null, inputTokens: null, outputTokens: null });
  });
});

test("tasks that were not selected have no row", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { only: ["a"] });
  expect(taskRows(run.state, run.now).map(({ task }) => task)).toEqual(["a"]);
});

test("a fix round is told from a fresh attempt", () => {
  const run = new Scenario([{ id: "a", fixRounds: 1 }], { plan: { gates: [unit] } });
  run.work("a/1").judge(unit, "work a/1", "red").start("a/2");
  expect(told(run, "a")).toMatch(/^fixing agents/);
});

test("an attempt has a number, and is a retry or a fix; in a back-off the one that comes", () => {
  const run = new Scenario([{ id: "a", retries: 1, fixRounds: 1 }], { plan: { gates: [unit] } });
  const chance = () => {
    const row = taskRow(run.state, taskId("a"), run.now);
    const number = row?.number ?? null;
    return `${number === null ? "none" : formatAttemptNumber(number)}; ${row?.attempts} attempts`;
  };
  const seen = [chance()];
  run.start("a/1");
  seen.push(chance());
  run.end("a/1").save("a/1").judge(unit, "work a/1", "red");
  seen.push(chance());
  run.work("a/2").judge(unit, "work a/2", "red");
  seen.push(chance());
  run.later(60_000).start("a/3");
  seen.push(chance());
  expect(seen).toEqual([
    "none; 0 attempts",
    "#1; 1 attempts",
    "#2, fix 1 of 1; 1 attempts",
    "#3, retry 1 of 1; 2 attempts",
    "#3, retry 1 of 1; 3 attempts",
  ]);
});

describe("a task that is not under way any more", () => {
  const stopped = { reason: "cancelled", because: "stop", detail: "" } as const;

  test("is stopped where somebody stopped the run, and one that never began is not", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").ask({ kind: "stop", mode: "stop" });
    run.end("a/1", stopped).save("a/1").finish();
    expect(told(run, "a")).toBe("stopped later: runs again on resume");
    expect(told(run, "b")).toMatch(/^waiting later/);
  });

  test("is stopped, and on no timer, where the run has ended before it was tried again", () => {
    const run = new Scenario([{ id: "a", retries: 1 }], {
      plan: { gates: [unit] },
      policy: { budgetUsd: 1 },
    });
    run.start("a/1").end("a/1", null, { costUsd: 2 }).save("a/1").judge(unit, "work a/1", "red");
    expect(told(run, "a")).toMatch(/^retrying clock/);
    run.later(60_000).finish();
    expect(told(run, "a")).toBe("stopped later: needs a larger budget");
    expect(taskRow(run.state, taskId("a"), run.now)?.until).toBe(null);
  });

  test("is cut off where nobody drives the run, which then takes no slots", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], { policy: { slots: 1 } });
    run.work("b/1").start("a/1");
    const rows = taskRows(run.state, run.now, { isRunning: false });
    expect(
      rows.map(({ task, status, actor }) => [task, status.kind, actor, plainText(formatTaskNote(status))]),
    ).toEqual([
      ["a", "interrupted", "later", "runs again on resume"],
      ["b", "interrupted", "later", "queued, continues on resume"],
      ["c", "waiting", "later", ""],
    ]);
    expect(progress(run.state, { isRunning: false }).slots).toEqual({ used: 0, of: 1 });
    expect(progress(run.state).slots).toEqual({ used: 1, of: 1 });
  });

  test("is with nobody where nobody drives the run: no clock is looked at, and nothing in the queue merges", () => {
    const run = new Scenario([{ id: "a", retries: 1 }, { id: "b" }, { id: "c" }], { policy: { slots: 3 } });
    run.start("a/1").end("a/1", { reason: "crash", detail: "" }).save("a/1").work("c/1");
    const limit = { reason: "usage-limit", resetsAt: run.now + 3_600_000, detail: "" } as const;
    run.start("b/1").end("b/1", limit).save("b/1");
    const shown = (isRunning: boolean) =>
      taskRows(run.state, run.now, { isRunning }).map(
        (row) => `${row.status.kind} ${row.actor} ${row.until !== null}`,
      );
    expect(shown(true)).toEqual(["retrying clock true", "paused clock true", "merging plait false"]);
    expect(shown(false)).toEqual(Array(3).fill("interrupted later false"));
    run.ask({ kind: "stop", mode: "stop" }).finish();
    expect(shown(false)).toEqual(Array(3).fill("stopped later false"));
    expect(shown(true)).toEqual(shown(false));
  });
});

test("a person who opens a task and drops it unchanged makes a numbered attempt, and the agent's own is not an earlier one", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1");
  run.end("a/1", { reason: "agent-said-no", detail: "no key" }).save("a/1");
  const [a, b] = [taskId("a"), taskId("b")];
  run.ask({ kind: "open", task: a }).opened("a/2").ask({ kind: "cancel", task: a });
  run.save("a/2", { tree: "work a/1" });
  run.ask({ kind: "open", task: b }).opened("b/1").ask({ kind: "cancel", task: b });
  run.save("b/1", { changed: false });
  expect(taskRows(run.state, run.now).map(({ attempts }) => attempts)).toEqual([2, 1]);
  const { attempts, kept, earlier } = runEnd(run.state);
  expect({ attempts, kept: kept.map(({ ref }) => ref), earlier }).toEqual({
    attempts: 3,
    kept: ["refs/plait/run-1/a/1"],
    earlier: [],
  });
  expect(told(run, "a")).toBe("dropped later: by you");
});

test("attempts are counted as they are numbered, also those that a person submitted without a change", () => {
  const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }], { plan: { gates: [unit] } });
  const task = taskId("a");
  run.work("a/1").judge(unit, "work a/1", "red").ask({ kind: "open", task }).opened("a/2");
  for (const n of [2, 3]) {
    run.ask({ kind: "accept", task }).save(`a/${n}`, { tree: "work a/1" });
    run.judge(unit, "work a/1", "red").opened(`a/${n + 1}`);
  }
  const [row] = taskRows(run.state, run.now);
  expect([row?.attempts, row?.number?.n, runEnd(run.state).attempts]).toEqual([3, 3, 3]);
  const lines = attemptLines(run.state, row as TaskRow, { now: run.now });
  expect(lines.map(({ n }) => n)).toEqual([1, 2, 3]);
});

test("one task of a run that is not running is as in the list of all", () => {
  const run = new Scenario([{ id: "a" }]).start("a/1");
  const [row] = taskRows(run.state, run.now, { isRunning: false });
  expect(taskRow(run.state, taskId("a"), run.now, { isRunning: false })).toEqual(row);
  expect(row?.status.kind).toBe("interrupted");
});
