import { describe, expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { RunAction } from "../decide.ts";
import { plainText } from "../text/sentence.ts";
import { formatAction } from "./action-text.ts";

const { state } = story();
const effect = (action: RunAction, isRunning = true): string =>
  plainText(formatAction(state, action, { isRunning }).effect);

describe("what a person is asked", () => {
  test("names the act, its effect and its price", () => {
    const action = { kind: "retry", task: taskId("tax") } as const;
    expect(formatAction(state, action, { isRunning: true })).toMatchObject({
      ...{ question: "Retry tax?", verb: "Retry", accepted: "Retrying tax.", isGrave: false },
    });
    expect(effect(action)).toBe(
      "Attempt #4 starts from the current integration branch. invoices waits again. Past attempts cost $0.38 each.",
    );
  });

  test("a stop says what it interrupts, and a drain what may end", () => {
    expect(formatAction(state, { kind: "stop", mode: "stop" }, { isRunning: true })).toMatchObject({
      question: "Stop now?",
      isGrave: true,
    });
    expect(effect({ kind: "stop", mode: "stop" })).toBe(
      "4 agents will be interrupted within 5 seconds, and their work will be saved. To continue later: plait resume checkout-k7f2",
    );
    expect(effect({ kind: "stop", mode: "drain" })).toBe(
      "5 running attempts will finish, no new ones will start, and nothing will land. To continue later: plait resume checkout-k7f2",
    );
  });

  test("dropping a task says who is skipped then", () => {
    expect(effect({ kind: "cancel", task: taskId("checkout-ui") })).toBe(
      "Its attempt is interrupted and its work saved. e2e and release-check are skipped.",
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
      return plainText(formatAction(run.state, accept, { isRunning: true }).effect);
    };
    expect(effectWith(false)).toMatch(/^Your changes in \/w are saved and checked, then merged\./);
    expect(effectWith(true)).toMatch(/checked, then held for approval\./);
  });

  test("where nobody drives the run, somebody will", () => {
    expect(effect({ kind: "retry", task: taskId("promo") }, false)).toContain(
      "plait will resume the run in the background. Attempt #3 starts from the current integration branch. Past attempts cost $0.45 each.",
    );
  });

  test("a retry that cannot start at once says when it will", () => {
    const full = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } })
      .start("a/1")
      .end("a/1", { reason: "agent-said-no", detail: "" })
      .save("a/1")
      .start("b/1");
    const retry = ({ state: at }: Scenario) =>
      plainText(formatAction(at, { kind: "retry", task: taskId("a") }, { isRunning: true }).effect);
    expect(retry(full)).toBe("Attempt #2 starts from the current integration branch once a slot is free.");
    const over = new Scenario([{ id: "a" }], { policy: { budgetUsd: 1 } })
      .start("a/1")
      .end("a/1", { reason: "agent-said-no", detail: "" }, { costUsd: 2 })
      .save("a/1");
    expect(retry(over)).toBe(
      "Attempt #2 starts from the current integration branch once the budget is larger. The last attempt cost $2.00.",
    );
  });
});
