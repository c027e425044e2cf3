import { describe, expect, test } from "vitest";
import { gateOf, oidOf, taskId } from "../../../test/support/plans.ts";
import { revision, Scenario, withCommit } from "../../../test/support/scenario.ts";
import { gatesToBegin } from "../want.ts";
import { wants } from "../wants.ts";

const unit = gateOf("npm test");

const three = [{ id: "a" }, { id: "b" }, { id: "c" }];

describe("the merge queue", () => {
  test("several tasks advance together, in the order they were queued (I7)", () => {
    const run = new Scenario(three, { policy: { mergeBatch: 4 } }).work("b/1").work("a/1").work("c/1");
    expect(run.wants()).toEqual(["merge b/1 a/1 c/1"]);
    run.merge();
    expect(run.phases()).toEqual({ a: "merged", b: "merged", c: "merged" });
  });

  test("a red batch is built again in halves until the bad task is found, and the good ones merge (I9)", () => {
    const tasks = [{ id: "a" }, { id: "b", retries: 0 }, { id: "c" }, { id: "d" }];
    const run = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeBatch: 4 } });
    for (const id of ["a", "b", "c", "d"]) run.work(`${id}/1`).judge(unit, `work ${id}/1`);
    run.build().judge(unit, "merge a/1 b/1 c/1 d/1", "red");
    expect(run.wants()).toEqual(["merge a/1 b/1"]);
    run.build().judge(unit, "merge a/1 b/1", "red");
    expect(run.wants()).toEqual(["merge a/1"]);
    run.build().judge(unit, "merge a/1").advance();
    expect(run.wants()).toEqual(["merge b/1 c/1"]);
    run.build().judge(unit, "merge b/1 c/1", "red").build().judge(unit, "merge b/1", "red");
    expect(run.phase("b")).toMatchObject({ kind: "failed", failure: { reason: "gate", on: "merge" } });
    run.build().judge(unit, "merge c/1").advance().build().judge(unit, "merge d/1").advance();
    expect(run.phases()).toEqual({ a: "merged", b: "failed", c: "merged", d: "merged" });
  });

  test("candidates are built ahead on each other; what stood on a red one is built again", () => {
    const run = new Scenario([{ id: "a", retries: 0 }, { id: "b" }], {
      plan: { gates: [unit] },
      policy: { mergeAhead: 2 },
    });
    for (const id of ["a", "b"]) run.work(`${id}/1`).judge(unit, `work ${id}/1`);
    run.build();
    expect(run.want("merge")).toMatchObject({ from: revision("merge a/1").commit });
    run.build().judge(unit, "merge b/1");
    expect(run.wants()).toEqual(["gate npm test for candidate"]);
    run.judge(unit, "merge a/1", "red");
    expect(run.want("merge")).toMatchObject({ from: run.state.tip.commit, tasks: [{ attempt: "b/1" }] });
    expect(run.phases()).toEqual({ a: "failed", b: "queued" });
  });

  test("a red tree further back in the chain is charged to nobody until what lies below has advanced (I9)", () => {
    const tasks = [
      { id: "a", retries: 0 },
      { id: "b", retries: 0 },
    ];
    const run = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeAhead: 2 } });
    for (const id of ["a", "b"]) run.work(`${id}/1`).judge(unit, `work ${id}/1`);
    run.build().build().judge(unit, "merge b/1", "red");
    expect(run.phases()).toEqual({ a: "queued", b: "queued" });
    expect(run.wants()).toEqual(["gate npm test for candidate"]);
    run.judge(unit, "merge a/1").advance();
    expect(run.phases()).toEqual({ a: "merged", b: "failed" });
  });

  test("a conflict with work that may never merge is charged to nobody (I9)", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], {
      plan: { gates: [unit] },
      policy: { mergeAhead: 2 },
    });
    for (const id of ["a", "b"]) run.work(`${id}/1`).judge(unit, `work ${id}/1`);
    run.build().conflict(["src/x.ts"]);
    expect(run.phase("b").kind).toBe("queued");
    expect(run.wants()).toEqual(["gate npm test for candidate"]);
    run.judge(unit, "merge a/1").advance();
    expect(run.wants()).toEqual(["merge b/1"]);
  });

  test("a cancel that crossed the move of the ref does not keep dependents skipped", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }]).work("a/1").build();
    const { from, to, tasks } = run.want("advance");
    run.ask({ kind: "cancel", task: taskId("a") }).fact({ type: "integration.advanced", from, to, tasks });
    expect(run.wants()).toEqual(["start b/1"]);
  });

  test("a conflict costs the task a retry and nothing else (I9)", () => {
    const run = new Scenario(three).work("a/1").work("b/1").conflict(["src/x.ts"]);
    expect(run.phase("a")).toMatchObject({
      kind: "backoff",
      failure: { reason: "conflict", paths: ["src/x.ts"] },
    });
    expect(run.wants()).toEqual(["start c/1", "merge b/1"]);
  });

  test("an advance from anything but the known tip is not taken (I7)", () => {
    const run = new Scenario(three).work("a/1").build();
    const [candidate] = run.state.candidates;
    if (candidate === undefined) throw new Error("no candidate");
    const { result: to, tasks } = candidate;
    run.fact({ type: "integration.advanced", from: oidOf("elsewhere"), to, tasks });
    expect(run.phase("a").kind).toBe("queued");
  });

  test("no task is in two advances (I7)", () => {
    const run = new Scenario(three).work("a/1").merge();
    const tip = run.state.tip.commit;
    const tasks = [withCommit({ task: taskId("a"), attempt: "a/1" as never })];
    run.fact({ type: "integration.advanced", from: tip, to: revision("again"), tasks });
    expect(run.state.tip.commit).toBe(tip);
  });

  test("git is believed: an advance that the journal missed is taken with its tasks", () => {
    const run = new Scenario(three).work("a/1");
    const tasks = [withCommit({ task: taskId("a"), attempt: "a/1" as never })];
    run.fact({ type: "integration.advanced", from: run.state.tip.commit, to: revision("found"), tasks });
    expect(run.phase("a")).toMatchObject({ kind: "merged" });
    expect(run.state.tip).toEqual(revision("found"));
  });
});

describe("verdicts", () => {
  test("one verdict serves every attempt with that tree, command and preparation", () => {
    const run = new Scenario([{ id: "a", race: 2 }], { plan: { gates: [unit] } }).start("a/1").start("a/2");
    for (const attempt of ["a/1", "a/2"]) {
      run.end(attempt).save(attempt, { tree: "same" });
    }
    expect(run.wants().filter((want) => want.startsWith("gate"))).toHaveLength(1);
    run.judge(unit, "same");
    expect(run.phase("a")).toMatchObject({ kind: "queued", attempt: "a/1" });
    expect(run.task("a").live).toEqual([]);
  });

  test("a red verdict is never remembered: the same tree is asked again", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red").later(60_000);
    run.start("a/2").end("a/2").save("a/2", { tree: "work a/1" });
    expect(run.wants()).toEqual(["gate npm test for a/2"]);
  });

  test("the slots of a gate bound how many trees it judges at once, oldest first", () => {
    const e2e = gateOf("npm run e2e", { slots: 1 });
    const run = new Scenario(three, { plan: { gates: [e2e] } }).work("c/1").work("a/1");
    expect(run.wants()).toEqual(["start b/1", "gate npm run e2e for c/1", "gate npm run e2e for a/1"]);
    const wanted = wants(run.state, run.now);
    const [first, second] = gatesToBegin(wanted, []);
    expect([first?.asked, second]).toEqual([[{ kind: "attempt", attempt: "c/1" }], undefined]);
    const younger = wanted.filter((want) => want.kind === "gate").slice(1);
    expect(gatesToBegin(wanted, younger)).toEqual([]); // what is in flight is never overtaken
  });
});

describe("races", () => {
  test("the first attempt that proves itself wins, the others are ended and saved", () => {
    const run = new Scenario([{ id: "a", race: 2 }]);
    expect(run.wants()).toEqual(["start a/1"]);
    run.start("a/1");
    expect(run.wants()).toEqual(["attend a/1", "start a/2"]);
    run.start("a/2").end("a/2").save("a/2");
    expect(run.phase("a")).toMatchObject({ kind: "queued", attempt: "a/2" });
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (superseded)", "merge a/2"]);
    run.end("a/1").save("a/1").merge();
    expect(run.phase("a")).toMatchObject({ kind: "merged", attempt: "a/2" });
    expect(run.task("a").past.map(({ id, failure }) => [id, failure?.reason ?? null])).toEqual([
      ["a/2", null],
      ["a/1", "cancelled"],
    ]);
  });

  test("a task fails only when no attempt of it lives", () => {
    const run = new Scenario([{ id: "a", race: 2, retries: 0 }]).start("a/1").start("a/2");
    run.end("a/1", { reason: "crash", detail: "exit 1" }).save("a/1");
    expect(run.phase("a").kind).toBe("active");
    run.end("a/2", { reason: "crash", detail: "exit 1" }).save("a/2");
    expect(run.phase("a").kind).toBe("failed");
  });
});
