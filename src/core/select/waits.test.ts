import { expect, test } from "vitest";
import { ACCOUNT, agentWork, gateOf } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { AttemptFailure } from "../failure.ts";
import type { AttemptId } from "../ids.ts";
import { plainText } from "../text/sentence.ts";
import { overview } from "./overview.ts";
import { taskRows } from "./task-rows.ts";
import { formatTaskNote } from "./task-status-text.ts";
import { listWaits, pickSharedWaits, type RunWait } from "./waits.ts";

const TASKS = [
  { id: "a", work: agentWork },
  { id: "b", work: agentWork },
  { id: "c", work: agentWork, needs: ["b"] },
];

/** `a` met the limit, `b` has not begun, `c` waits for `b`. */
function limited(failure: AttemptFailure): Scenario {
  const run = new Scenario(TASKS, { policy: { slots: 1 } });
  return run.start("a/1").end("a/1", failure).save("a/1");
}

const plainWaits = (waits: readonly RunWait[]) =>
  waits.map((wait) => ({ ...wait, reason: plainText(wait.reason) }));

test("a limit is one wait with its end and the tasks that it holds, as the rows show it", () => {
  const until = new Scenario(TASKS).now + 3_600_000;
  const run = limited({ reason: "usage-limit", resetsAt: until, detail: "" });
  const waits = plainWaits(listWaits(run.state, run.now));
  expect(waits).toEqual([
    { kind: "usage-limit", reason: "claude usage limit", until: expect.any(Number), tasks: ["a", "b"] },
  ]);
  const rows = taskRows(run.state, run.now).filter((row) => row.until !== null);
  expect(rows.map(({ task, status, until: end }) => [task, plainText(formatTaskNote(status)), end])).toEqual([
    ["a", "claude usage limit", waits[0]?.until],
    ["b", "claude usage limit", waits[0]?.until],
  ]);
  expect(plainWaits(overview(run.state, run.now).waits)).toEqual(waits);
});

test("a throttle holds who met it and who has not begun in one wait", () => {
  const run = limited({ reason: "rate-limit", retryAfterMs: 90_000, detail: "429" });
  const until = run.now + 90_000;
  expect(plainWaits(listWaits(run.state, run.now))).toMatchObject([
    { kind: "rate-limit", reason: "claude rate limit", tasks: ["a", "b"] },
  ]);
  // The line about the run says `2 tasks paused`: the rows say the same, whatever phase each task is in.
  expect(taskRows(run.state, run.now).map(({ status }) => status.kind)).toEqual([
    "paused",
    "paused",
    "waiting",
  ]);
  run.fact({ type: "account.limited", account: ACCOUNT, until, durationMs: 90_000, why: "rate-limit" });
  const [wait, ...others] = listWaits(run.state, run.now);
  expect([wait?.until, wait?.tasks, others]).toEqual([until, ["a", "b"], []]);
  expect(taskRows(run.state, run.now).map((row) => row.until)).toEqual([until, until, null]);
});

test("a retry is a wait of its own task, with its own end", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  for (const id of ["a/1", "b/1"]) run.start(id).end(id, { reason: "crash", detail: "exit code 1" }).save(id);
  const waits = plainWaits(listWaits(run.state, run.now));
  expect(waits.map(({ kind, tasks }) => [kind, tasks])).toEqual([
    ["retry", ["a"]],
    ["retry", ["b"]],
  ]);
  expect(waits.map(({ until }) => until)).toEqual(taskRows(run.state, run.now).map((row) => row.until));
  expect(pickSharedWaits(waits)).toEqual([]);
});

test("a run that stops starts nothing, whatever its tasks waited for", () => {
  const run = limited({ reason: "usage-limit", resetsAt: null, detail: "" });
  run.ask({ kind: "stop", mode: "drain" });
  expect(listWaits(run.state, run.now).map(({ kind, tasks }) => [kind, tasks])).toEqual([
    ["stopping", ["a", "b"]],
  ]);
});

test("a wait without a known end has none, and a run that is not running waits for nothing", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], { policy: { slots: 1 } }).start("a/1");
  expect(plainWaits(listWaits(run.state, run.now))).toEqual([
    { kind: "slots", reason: "a free slot (1 of 1 in use)", until: null, tasks: ["b", "c"] },
  ]);
  expect(plainWaits(listWaits(run.state, run.now, { isRunning: false }))).toEqual([]);
});

test("work that is done waits for the base check, which says its gate", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], {
    plan: { gates: [gateOf("npm test")] },
    base: "unjudged",
  });
  run.start("a/1").end("a/1").save("a/1").start("b/1");
  expect(plainWaits(listWaits(run.state, run.now))).toEqual([
    { kind: "base", reason: 'gate "npm test" on the base commit', until: null, tasks: ["a"] },
  ]);
  const [row] = taskRows(run.state, run.now);
  expect(row && plainText(formatTaskNote(row.status))).toBe("waiting for the base check");
});

test("a step that failed holds its task; a full disk is named", () => {
  const run = new Scenario([{ id: "a" }]).start("a/1").end("a/1");
  run.fact({ type: "effect.failed", key: "save a/1", detail: "ENOSPC", cause: "no-space" });
  run.fact({ type: "effect.failed", key: "land x", detail: "lock", cause: "busy" });
  expect(plainWaits(listWaits(run.state, run.now))).toEqual([
    { kind: "step", reason: "could not land (lock)", until: expect.any(Number), tasks: [] },
    {
      kind: "disk",
      reason: "the disk is full; could not save the work of a (ENOSPC)",
      until: expect.any(Number),
      tasks: ["a"],
    },
  ]);
});

test("waits within attempts are listed as long as they last", () => {
  const run = new Scenario([{ id: "a", work: agentWork }, { id: "b" }, { id: "c" }]);
  const until = run.now + 60_000;
  const usage = { costUsd: null, inputTokens: null, outputTokens: null };
  const activity = new Map(
    (["a/1", "b/1", "c/1"] as AttemptId[]).map((attempt, n) => {
      run.start(attempt);
      const wait =
        n === 0
          ? ({ kind: "agent", reason: "retrying a request", until: null } as const)
          : ({ kind: "cache", reason: "prompt cache warm-up", until: until + n } as const);
      return [attempt, { attempt, at: run.now, action: null, usage, wait }];
    }),
  );
  expect(plainWaits(listWaits(run.state, run.now, { activity }))).toEqual([
    { kind: "agent", reason: "claude retrying a request", until: null, tasks: ["a"] },
    { kind: "cache", reason: "prompt cache warm-up", until: until + 2, tasks: ["b", "c"] },
  ]);
  expect(listWaits(run.state, until + 5, { activity }).map(({ kind }) => kind)).toEqual(["agent"]);
});
