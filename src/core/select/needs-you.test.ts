import { expect, test } from "vitest";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { AttemptFailure } from "../failure.ts";
import { message, needsYou, news } from "./needs-you.ts";

const auth: AttemptFailure = { reason: "auth", detail: "401" };
const keys = (run: Scenario) => needsYou(run.state).map(({ key }) => key.replace(/ .*/, ""));
const fail = (run: Scenario, attempt: string) => run.start(attempt).end(attempt, auth).save(attempt);

test("a login that is looked at, tried and broken again is told once until an attempt succeeds", () => {
  const run = new Scenario([{ id: "a" }]);
  fail(run, "a/1");
  let { told, isNews } = news(run.state, []);
  expect([isNews, keys(run)]).toEqual([true, ["account"]]);
  for (const n of [2, 3, 4]) {
    run.later(run.wake() ?? 0).fact({ type: "account.probed", account: run.want("probe").account, ok: true });
    ({ told, isNews } = news(run.state, told));
    expect(isNews).toBe(false);
    fail(run, `a/${n}`);
    ({ told, isNews } = news(run.state, told));
    expect(isNews).toBe(false);
  }
  run.later(run.wake() ?? 0).fact({ type: "account.probed", account: run.want("probe").account, ok: true });
  run.work("a/5");
  ({ told } = news(run.state, told));
  expect(told).toEqual([]);
});

test("what comes while something else stands is no news, and the first one after all are seen to is", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  run.ask({ kind: "hold", task: taskId("a"), why: "look first" });
  const first = news(run.state, []);
  expect(first).toEqual({ isNews: true, told: ["task a"] });
  run.ask({ kind: "hold", task: taskId("b"), why: "this too" });
  const second = news(run.state, first.told);
  expect(second).toEqual({ isNews: false, told: ["task a", "task b"] });
  expect(message(run.state)).toMatchObject({
    text: "run-1 needs you: a waits for you: look first; b waits for you: this too",
    next: [{ command: "plait approve a" }, { command: "plait approve b" }],
  });
  run.ask({ kind: "approve", task: taskId("a") });
  const third = news(run.state, second.told);
  expect(third).toEqual({ isNews: false, told: ["task b"] });
  run.ask({ kind: "approve", task: taskId("b") });
  const none = news(run.state, third.told);
  expect(none).toEqual({ isNews: false, told: [] });
  run.ask({ kind: "hold", task: taskId("a"), why: "again" });
  expect(news(run.state, none.told).isNews).toBe(true);
});

test.each([
  ["SIGHUP", ["ended"]],
  ["SIGTERM", ["ended"]],
  ["SIGINT", []],
  [undefined, []],
])("a run that was stopped by %s", (signal, needed) => {
  const run = new Scenario([{ id: "a" }]);
  run.ask({ kind: "stop", mode: "stop", ...(signal !== undefined && { signal }) }).finish();
  expect(keys(run)).toEqual(needed);
  expect(keys(run.resume())).toEqual([]);
});

test("a lost network and a limit that resets need nobody", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").start("b/1");
  run.end("a/1", { reason: "network", detail: "ECONNRESET" }).save("a/1");
  run.end("b/1", { reason: "usage-limit", resetsAt: null, detail: "limit" }).save("b/1");
  expect(keys(run)).toEqual([]);
});
