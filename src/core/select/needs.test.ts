import { expect, test } from "vitest";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { AttemptFailure } from "../failure.ts";
import { formatCommand } from "../text/command.ts";
import { buildNotification, findUnsentNeeds } from "./needs.ts";

const auth: AttemptFailure = { reason: "auth", detail: "401" };
const keys = (run: Scenario) => findUnsentNeeds(run.state, []).keys.map((key) => key.replace(/ .*/, ""));
const fail = (run: Scenario, attempt: string) => run.start(attempt).end(attempt, auth).save(attempt);

test("a login that is looked at, tried and broken again is told once until an attempt succeeds", () => {
  const run = new Scenario([{ id: "a" }]);
  fail(run, "a/1");
  let { keys: sent, isNew } = findUnsentNeeds(run.state, []);
  expect([isNew, keys(run)]).toEqual([true, ["account"]]);
  for (const n of [2, 3, 4]) {
    run.later(run.wake() ?? 0).fact({ type: "account.probed", account: run.want("probe").account, ok: true });
    ({ keys: sent, isNew } = findUnsentNeeds(run.state, sent));
    expect(isNew).toBe(false);
    fail(run, `a/${n}`);
    ({ keys: sent, isNew } = findUnsentNeeds(run.state, sent));
    expect(isNew).toBe(false);
  }
  run.later(run.wake() ?? 0).fact({ type: "account.probed", account: run.want("probe").account, ok: true });
  run.work("a/5");
  ({ keys: sent } = findUnsentNeeds(run.state, sent));
  expect(sent).toEqual([]);
});

test("what comes while something else stands is no news, and the first one after all are seen to is", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  run.ask({ kind: "hold", task: taskId("a"), why: "look first" });
  const first = findUnsentNeeds(run.state, []);
  expect(first).toEqual({ isNew: true, keys: ["task a"] });
  run.ask({ kind: "hold", task: taskId("b"), why: "this too" });
  const second = findUnsentNeeds(run.state, first.keys);
  expect(second).toEqual({ isNew: false, keys: ["task a", "task b"] });
  const { text, next } = buildNotification(run.state);
  expect(text).toBe("run-1 needs you: a needs you: look first; b needs you: this too");
  expect(next.slice(0, 2).map(({ command }) => formatCommand(command))).toEqual([
    "plait approve a --run run-1",
    "plait approve b --run run-1",
  ]);
  run.ask({ kind: "approve", task: taskId("a") });
  const third = findUnsentNeeds(run.state, second.keys);
  expect(third).toEqual({ isNew: false, keys: ["task b"] });
  run.ask({ kind: "approve", task: taskId("b") });
  const none = findUnsentNeeds(run.state, third.keys);
  expect(none).toEqual({ isNew: false, keys: [] });
  run.ask({ kind: "hold", task: taskId("a"), why: "again" });
  expect(findUnsentNeeds(run.state, none.keys).isNew).toBe(true);
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
