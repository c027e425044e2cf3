import { describe, expect, test } from "vitest";
import { runSeed } from "../../../test/sim/run.ts";
import { ended, story } from "../../../test/support/checkout.ts";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { decide } from "../decide.ts";
import { evolve } from "../evolve.ts";
import type { TaskId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { plainText } from "../text/sentence.ts";
import { formatAction } from "./action-text.ts";
import { offers } from "./offers.ts";

const kinds = (state: RunState, task: TaskId | null, isRunning = true): string[] =>
  offers(state, task, { isRunning }).map((one) => (one.kind === "stop" ? `stop ${one.mode}` : one.kind));

describe("what is offered", () => {
  test("is never refused, and can be told, at any moment of random runs", () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 40; seed += 1) {
      let state: RunState | null = null;
      runSeed(seed).facts.forEach((fact, n) => {
        state = evolve(state, fact);
        if (state === null || n % 9 !== 0) return;
        for (const isRunning of [true, false]) checkAll(state, isRunning, seen);
      });
    }
    for (const kind of ["retry", "approve", "accept", "open", "hold", "cancel", "land", "undo", "resume"])
      expect(seen).toContain(kind);
  });

  test("of a run: what a person could want of it now", () => {
    const run = story();
    expect(kinds(run.state, null)).toEqual(["pause", "stop drain", "stop stop", "retry-now"]);
    run.ask({ kind: "stop", mode: "drain" });
    expect(kinds(run.state, null)).toEqual(["stop stop"]);
    run.ask({ kind: "stop", mode: "stop" });
    expect(kinds(run.state, null)).toEqual(["stop kill"]);
    expect(kinds(ended().state, null, false)).toEqual(["resume", "land"]);
  });

  test("of a task: by its phase", () => {
    const { state } = story();
    expect(kinds(state, taskId("tax"))).toEqual(["retry", "open"]);
    expect(kinds(state, taskId("cart-ui"))).toEqual(["hold", "cancel"]);
    expect(kinds(state, taskId("i18n"))).toEqual(["retry", "open", "hold", "cancel"]);
    expect(kinds(state, taskId("deps"))).toEqual([]);
    expect(kinds(state, taskId("invoices"))).toEqual([]);
    expect(kinds(state, "nobody" as TaskId)).toEqual([]);
  });

  test("without a driver: only what starts one, or needs none", () => {
    const { state } = story();
    expect(kinds(state, taskId("tax"), false)).toEqual(["retry"]);
    expect(kinds(state, taskId("cart-ui"), false)).toEqual([]);
    expect(kinds(state, null, false)).toEqual(["resume"]);
  });

  test("landing by itself is not offered again", () => {
    const done = new Scenario([{ id: "a" }]).work("a/1").merge();
    expect(kinds(done.state, null)).toEqual(["pause", "stop drain", "stop stop"]);
    expect(kinds(done.land().finish().state, null, false)).toEqual(["undo"]);
  });
});

function checkAll(state: RunState, isRunning: boolean, seen: Set<string>): void {
  const tasks = [null, ...state.index.plan.tasks.map(({ id }) => id)];
  for (const action of tasks.flatMap((task) => offers(state, task, { isRunning }))) {
    seen.add(action.kind);
    if (action.kind !== "resume")
      expect({ action, ...decide(state, action, state.clock) }).toMatchObject({ ok: true });
    const { question, effect } = formatAction(state, action, { isRunning });
    expect(`${question} ${plainText(effect)}`).toMatch(/^[A-Z].*\? \S.*(\.|: plait .*)$/);
  }
}
