import { describe, expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { RunAction } from "../run-action.ts";
import { actionWords } from "./action-words.ts";

const { state } = story();
const effect = (action: RunAction, isDriven = true): string =>
  actionWords(state, action, { isDriven }).effect;

describe("what a person is asked", () => {
  test("names the act, its effect and its price", () => {
    expect(actionWords(state, { kind: "retry", task: taskId("tax") }, { isDriven: true })).toEqual({
      question: "Retry tax?",
      effect:
        "A 4th attempt starts from the present tip. `invoices` goes back to waiting. Past attempts cost $0.38 each.",
      verb: "Retry",
      asked: "Retry of tax asked for.",
      isGrave: false,
    });
  });

  test("a stop says what it interrupts, and a drain what may end", () => {
    expect(actionWords(state, { kind: "stop", mode: "stop" }, { isDriven: true })).toMatchObject({
      question: "Stop now?",
      effect:
        "4 agents are interrupted, gone within 5 s. What they wrote is saved, and `plait resume checkout-k7f2` goes on from there.",
      isGrave: true,
    });
    expect(effect({ kind: "stop", mode: "drain" })).toBe(
      "5 attempts may end, none starts, nothing lands. `plait resume checkout-k7f2` goes on from there.",
    );
  });

  test("dropping a task says who is skipped then", () => {
    expect(effect({ kind: "cancel", task: taskId("checkout-ui") })).toBe(
      "Its attempt is interrupted, and what was written is saved. `e2e` and `release-check` are skipped.",
    );
  });

  test("what is handed in is merged, unless it has to be approved then", () => {
    const effectWith = (approve: boolean): string => {
      const run = new Scenario([{ id: "a", approve, retries: 0, fixRounds: 0 }])
        .start("a/1")
        .end("a/1")
        .save("a/1");
      run
        .ask({ kind: "hold", task: taskId("a"), why: "look" })
        .ask({ kind: "open", task: taskId("a") })
        .opened("a/2");
      const accept = { kind: "accept", task: taskId("a") } as const;
      return actionWords(run.state, accept, { isDriven: true }).effect;
    };
    expect(effectWith(false)).toMatch(/^What is in `\/w` is saved, judged by its gates and merged\./);
    expect(effectWith(true)).toMatch(/judged by its gates and waits for approval\./);
  });

  test("where nobody drives the run, somebody will", () => {
    expect(effect({ kind: "retry", task: taskId("promo") }, false)).toContain(
      "Nobody drives the run, so plait goes on with it in the background.",
    );
  });

  test("a retry that cannot start at once says when it will", () => {
    const full = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } })
      .start("a/1")
      .end("a/1", { reason: "agent-said-no", detail: "" })
      .save("a/1")
      .start("b/1");
    const { effect: words } = actionWords(
      full.state,
      { kind: "retry", task: taskId("a") },
      { isDriven: true },
    );
    expect(words).toBe("A 2nd attempt starts from the present tip when a slot is free.");
    const over = new Scenario([{ id: "a" }], { policy: { budgetUsd: 1 } })
      .start("a/1")
      .end("a/1", { reason: "agent-said-no", detail: "" }, { costUsd: 2 })
      .save("a/1");
    expect(actionWords(over.state, { kind: "retry", task: taskId("a") }, { isDriven: true }).effect).toBe(
      "A 2nd attempt starts from the present tip when the budget is larger. The last attempt cost $2.00.",
    );
  });
});
