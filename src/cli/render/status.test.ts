import { describe, expect, test } from "vitest";
import { Scenario } from "../../../test/support/scenario.ts";
import { listNeeds } from "../../core/select/needs.ts";
import { taskRows } from "../../core/select/task-rows.ts";
import { glyphs } from "./glyphs.ts";
import { plainText } from "./line.ts";
import { backgroundLines, statusLines } from "./status.ts";

const driver = { pid: 42, host: "here", at: "now" };
const look = { width: 80, glyphs: glyphs.unicode };

function status({ state, now }: Scenario, by: typeof driver | null = null): string {
  const lines = statusLines({ state, now, driver: by, activity: new Map() }, look);
  return lines.map((line) => plainText(line).trimEnd()).join("\n");
}

describe("the status of a run", () => {
  test("that nobody drives has nothing under way, and no slot in use", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } }).start("a/1");
    expect(status(run, driver)).toMatch(/1 of 1 slots[\s\S]*▸ a {5}running/);
    const cutOff = status(run);
    expect(cutOff).toMatch(/0 of 1 slots[\s\S]*! a {5}interrupted .* runs again on resume\n/);
    expect(cutOff).not.toContain("running");
    expect(cutOff).not.toContain("slot, all");
    expect(cutOff).toContain("next  plait resume run-1");
  });

  test("that did not land says why, whole, and what to type", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const detail = `${"two of your own files are in the way ".repeat(4)}of it.`;
    run.fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail }).finish();
    expect(status(run).replaceAll("\n", " ")).toContain(
      `Two of your own${detail.slice("two of your own".length)}`,
    );
    expect(status(run)).toMatch(
      /next {2}plait land run-1 {3}land after you commit, stash or move these files/,
    );
  });

  test("that spent its budget needs you for that, as its JSON says", () => {
    const tasks = [{ id: "a" }, { id: "b", needs: ["a"] }, { id: "c", retries: 0 }];
    const run = new Scenario(tasks, { plan: { budgetUsd: 2 } });
    run.start("c/1").end("c/1", { reason: "agent-said-no", detail: "no" }).save("c/1");
    run.start("a/1").end("a/1", null, { costUsd: 3 }).save("a/1").merge().finish();
    expect(listNeeds(run.state, { isRunning: false }).map(({ kind }) => kind)).toEqual(["budget", "failed"]);
    expect(status(run)).toMatch(/^✗ 2 need you: budget, c$/m);
  });

  test("that drains offers to end what is under way, and one that stops offers nothing more", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    expect(status(run, driver)).toContain("plait stop run-1 ");
    run.ask({ kind: "stop", mode: "drain" });
    expect(status(run, driver)).toContain("plait stop run-1 --now ");
    run.ask({ kind: "stop", mode: "stop" });
    expect(status(run, driver)).not.toContain("plait stop");
  });

  test("that a limit holds offers to test it now, until somebody does", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    expect(status(run, driver)).not.toContain("plait retry");
    run.end("a/1", { reason: "usage-limit", resetsAt: run.now + 3_600_000, detail: "limit" }).save("a/1");
    expect(status(run, driver)).toMatch(/next {2}plait retry --now --run run-1 +test the limit now\n/);
    expect(status(run)).not.toContain("plait retry");
    run.ask({ kind: "retry-now" });
    expect(status(run, driver)).not.toContain("plait retry");
  });

  test("that was stopped shows the time of all attempts, as its end does", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").later(3_000);
    run.end("a/1", { reason: "crash", detail: "gone" }).save("a/1").later(600_000).start("a/2").later(4_000);
    run.later(60_000).resume();
    const cutOff = taskRows(run.state, run.now, { isRunning: false });
    expect(cutOff).toMatchObject([{ status: { kind: "interrupted" }, lastsMs: null }]);
    expect(taskRows(run.state, run.now)).toMatchObject([
      { status: { kind: "running" }, lastsMs: expect.any(Number) },
    ]);
  });

  test("of which no cost is known shows none", () => {
    expect(status(new Scenario([{ id: "a" }]).work("a/1").merge().land().finish())).not.toContain("$");
  });
});

test("what goes on is named with one command a line", () => {
  const run = new Scenario([{ id: "a" }]).state.run;
  expect(backgroundLines(run, look).map((line) => plainText(line).trimEnd())).toEqual([
    "next  plait watch run-1   follow the run live",
    "      plait stop run-1    stop once running attempts finish",
  ]);
});
