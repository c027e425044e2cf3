import { describe, expect, test } from "vitest";
import { story, unit } from "../../../test/support/checkout.ts";
import { gateOf } from "../../../test/support/plans.ts";
import { Scenario, withCommit } from "../../../test/support/scenario.ts";
import { elapsed } from "../text/figures.ts";
import { plainText } from "../text/sentence.ts";
import { mergeQueue, type QueueEntry } from "./merge-queue.ts";
import { verdictsOf } from "./queue-checks.ts";
import { taskRows } from "./task-rows.ts";

const [lint, slow] = [gateOf("lint"), gateOf("slow")];

function queueOf(run: Scenario, isRunning = true) {
  const { state, now, facts } = run;
  const rows = taskRows(state, now, { isRunning });
  return mergeQueue({ state, rows, now, isRunning, verdicts: verdictsOf(facts, facts.length) });
}

function line({ place, task, shown, note, checks, aboutMs }: QueueEntry): string {
  const chips = checks.map((check) => {
    const time = check.ms === null ? (check.isCached ? " cached" : "") : ` ${elapsed(check.ms)}`;
    return `${check.name} ${check.state}${time}`;
  });
  const about = aboutMs === null ? "" : ` in ${elapsed(aboutMs)}`;
  return `${place ?? "-"} ${task} ${shown}${about}: ${plainText(note)} [${chips.join(", ")}]`;
}

const lines = (run: Scenario, isRunning = true) => queueOf(run, isRunning).entries.map(line);

describe("the merge queue", () => {
  test("is told in the order in which it merges, then what is on its way to it", () => {
    const run = story();
    const tip = run.state.tip.commit.slice(0, 7);
    expect(lines(run)).toEqual([
      `1 inventory merging: On the tip ${tip}. Merges when green. [test:unit running 1:06]`,
      "2 audit-log queued: Merging. []",
      "- refunds checking: Not queued yet: its own gates run first. [test:unit running 0:48]",
      "- emails retrying: Conflict with payments in src/events/bus.ts. Both sides are saved. Attempt #2 starts on the new tip. []",
    ]);
    const { merged, branch, window } = queueOf(run);
    expect(merged.slice(0, 2)).toMatchObject([
      { task: "orders-api", isTip: true },
      { task: "payments", isTip: false },
    ]);
    expect({ merged: merged.length, branch, window }).toEqual({
      merged: 10,
      branch: "plait/checkout-k7f2/integration",
      window: { ahead: 2, batch: 1 },
    });
  });

  const ahead = () => {
    const tasks = [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }];
    const plan = { gates: [lint, slow] };
    const run = new Scenario(tasks, { plan, policy: { mergeAhead: 3 } });
    for (const id of ["a", "b", "c", "d"]) {
      run.work(`${id}/1`).judge(lint, `work ${id}/1`).judge(slow, `work ${id}/1`);
    }
    return run.build().build().build();
  };

  test("shows each gate of what is gated ahead, and what that waits for", () => {
    const run = ahead().judge(lint, "merge b/1").judge(slow, "merge b/1");
    run
      .judge(lint, "merge c/1")
      .judge(slow, "merge c/1", "red")
      .later(30_000)
      .judge(lint, "merge a/1")
      .later(61_000);
    const tip = run.state.tip.commit.slice(0, 7);
    expect(lines(run)).toEqual([
      `1 a merging: On the tip ${tip}. Merges when green. [lint green 0:00, slow running 1:01]`,
      "2 b queued: Green on the tip with a. Waiting only for the task before it. [lint green 0:00, slow green 0:00]",
      "3 c queued: Gate slow red on the tip with a and b. Checked again if a task before it fails. [lint green 0:00, slow red 0:00]",
      "4 d queued: Waiting for the red task before it. []",
    ]);
    expect(lines(run, false)[3]).toBe("4 d interrupted: Continues on resume. []");
    expect(lines(run, false)[0]).toContain("slow waiting");
    expect(lines(run.judge(slow, "merge a/1"))[0]).toContain("Every gate is green; merging now.");
  });

  test("expects a merge when its gates, and those of all before it, took as long as they mostly do", () => {
    const run = ahead();
    const facts = run.facts.map((fact) =>
      fact.type === "gate.judged" ? { ...fact, durationMs: fact.name === "slow" ? 90_000 : 10_000 } : fact,
    );
    const { state, now } = run.later(4_000);
    const source = { state, now, rows: taskRows(state, now), isRunning: true };
    const { entries } = mergeQueue({ ...source, verdicts: verdictsOf(facts, facts.length) });
    expect(entries.map(({ aboutMs }) => aboutMs && Math.round(aboutMs / 1_000))).toEqual([96, 96, 96, null]);
    const undriven = mergeQueue({ ...source, isRunning: false, verdicts: verdictsOf(facts, facts.length) });
    expect(undriven.entries.every(({ aboutMs }) => aboutMs === null)).toBe(true);
    const unseen = mergeQueue({ ...source, verdicts: verdictsOf(facts, 0) });
    const late = mergeQueue({ ...source, now: now + 8_000, verdicts: verdictsOf(facts, facts.length) });
    expect(late.entries[0]?.aboutMs).toBeNull();
    expect(unseen.entries.map(({ aboutMs }) => aboutMs)).toEqual([null, null, null, null]);
  });

  test("has its gates once where a candidate carries several, and says how many more wait for room", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], {
      plan: { gates: [lint] },
      policy: { mergeBatch: 2 },
    });
    run.work("a/1").judge(lint, "work a/1").build().judge(lint, "merge a/1").advance();
    for (const id of ["b", "c"]) run.work(`${id}/1`).judge(lint, `work ${id}/1`);
    run.build();
    expect(lines(run).map((text) => text.replace(/tip \w{7}/, "tip X"))).toEqual([
      "1 b merging in 0:00: On the tip X. Merges when green. Together with c. [lint running 0:00]",
      "2 c merging in 0:00: On the tip X. Merges when green. Together with b. []",
    ]);
    expect(queueOf(run).window).toEqual({ ahead: 1, batch: 2 });
  });

  test("says where a gate was not run again: the same tree was judged before", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [lint] } }).work("a/1").judge(lint, "work a/1");
    const { from, tasks } = run.want("merge");
    const { result } = run.task("a").past[0]?.saved ?? { result: run.state.tip };
    run.fact({ type: "candidate.built", from, result, tasks: tasks.map(withCommit) });
    expect(lines(run)[0]).toMatch(/Every gate is green; merging now\. \[lint green cached\]$/);
  });

  test("puts first what waits for a person, and what no attempt is left for", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", retries: 0 }, { id: "c", approve: true }]);
    run.work("c/1").work("a/1").merge().work("b/1").conflict(["x"]);
    expect(lines(run)).toEqual([
      "- b failed: Conflict with merged work in x. Both sides are saved. No attempts left. []",
      expect.stringMatching(/^- c held: Green, and needs you: .*\. \[\]$/),
    ]);
  });

  test("a gate that was red on the merged tree sends its task back", () => {
    const run = new Scenario([{ id: "a", retries: 1 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1").build().judge(unit, "merge a/1", "red");
    expect(lines(run)).toEqual([
      "- a retrying: Gate test:unit was red on the merged tree. Attempt #2 starts on the new tip. []",
    ]);
    run.later(10_000).start("a/2");
    expect(lines(run)[0]).toContain(
      "- a running: Gate test:unit was red on the merged tree. Attempt #2 is running. []",
    );
  });
});
