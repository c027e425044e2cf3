import { describe, expect, test } from "vitest";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptFailure } from "./failure.ts";
import type { AccountKey } from "./ids.ts";
import { accountOf } from "./queries.ts";

const HOUR = 3_600_000;

const used = (resetsAt: number | null): AttemptFailure => ({
  reason: "usage-limit",
  resetsAt,
  detail: "You've hit your session limit",
});

/** `a` met a usage limit that ends in an hour; `b` has not begun. */
function limited() {
  const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], { policy: { slots: 2 } });
  const resetsAt = run.now + HOUR;
  run.start("a/1").end("a/1", used(resetsAt)).save("a/1");
  expect(run.wants()).toEqual([]);
  return { run, resetsAt };
}

describe("retry now", () => {
  test("lets one attempt through; limited again, the pause continues with the new end", () => {
    const { run } = limited();
    run.ask({ kind: "retry-now" });
    expect(run.wants()).toEqual(["start a/2"]);
    run.start("a/2");
    expect(run.wants()).toEqual(["attend a/2"]);
    expect(run.refusal({ kind: "retry-now" })).toMatch(
      /^no task is paused or retrying; see whether a running agent is retrying on its own: plait status /,
    );
    const later = run.now + 5 * HOUR;
    run.end("a/2", used(later)).save("a/2");
    expect(run.wants()).toEqual([]);
    expect(run.phase("a")).toMatchObject({ kind: "parked", until: later });
    expect(run.task("a").used.retries).toBe(0);
    run.now = later;
    expect(run.wants()).toEqual(["start a/3", "start b/1"]);
  });

  test("an earlier end replaces a later one, and where none is told the known one stays", () => {
    const { run, resetsAt } = limited();
    run.ask({ kind: "retry-now" }).start("a/2").end("a/2", used(null)).save("a/2");
    expect(run.phase("a")).toMatchObject({ kind: "parked", until: resetsAt });
    const sooner = run.now + 60_000;
    run.ask({ kind: "retry-now" }).start("a/3").end("a/3", used(sooner)).save("a/3");
    expect(run.phase("a")).toMatchObject({ kind: "parked", until: sooner });
  });

  test("lets one attempt through however often it is reported", () => {
    const { run } = limited();
    const skipped = { type: "waits.skipped", tasks: [], because: "record" } as const;
    const accounts = [accountOf(run.state, 0) as AccountKey];
    run
      .fact({ ...skipped, accounts })
      .start("a/2")
      .fact({ ...skipped, accounts });
    expect(run.wants()).toEqual(["attend a/2"]);
  });

  test("the others follow as soon as the attempt is answered, not when it ends", () => {
    const { run } = limited();
    run.ask({ kind: "retry-now" }).start("a/2");
    const account = accountOf(run.state, 0) as AccountKey;
    run.fact({ type: "account.probed", account, ok: true });
    expect(run.wants()).toEqual(["attend a/2", "start b/1"]);
    expect(run.state.accounts).toBeNull();
  });

  test("an attempt that ends for another reason proves nothing", () => {
    const { run, resetsAt } = limited();
    run
      .ask({ kind: "retry-now" })
      .start("a/2")
      .end("a/2", { reason: "crash", detail: "exit code 1" })
      .save("a/2");
    run.later(60_000);
    expect(run.wants()).toEqual([]);
    run.now = resetsAt;
    expect(run.wants()).toEqual(["start a/3", "start b/1"]);
  });

  test("a task that has not begun can be named; so can one that failed", () => {
    const { run } = limited();
    run.ask({ kind: "retry", task: "b" as never, now: true });
    expect(run.wants()).toEqual(["start a/2"]);
  });

  test("a retry that would only wait says how not to", () => {
    const { run } = limited();
    for (const task of ["a", "b"])
      expect(run.refusal({ kind: "retry", task: task as never })).toBe(
        `\`${task}\` is paused by its account's usage limit; retry it now: plait retry ${task} --now --run run-1`,
      );
  });

  test("a lost login is looked at, at once", () => {
    const run = new Scenario([{ id: "a" }]);
    run.start("a/1").end("a/1", { reason: "auth", detail: "not logged in" }).save("a/1");
    expect(run.wants()).toEqual([]);
    run.ask({ kind: "retry-now" });
    expect(run.wants()).toEqual(["probe auth"]);
  });

  test("ends a back-off without giving retries back", () => {
    const run = new Scenario([{ id: "a", retries: 1 }]);
    run.start("a/1").end("a/1", { reason: "crash", detail: "exit code 1" }).save("a/1");
    run.ask({ kind: "retry-now" });
    expect(run.wants()).toEqual(["start a/2"]);
    expect(run.task("a").used.retries).toBe(1);
  });
});

test("another login is another account: nothing waits for the old one", () => {
  const { run } = limited();
  const account = '["anthropic","login:0123","default"]' as AccountKey;
  run.fact({ type: "accounts.changed", accounts: { a: account, b: account, c: account } });
  expect(run.wants()).toEqual(["start a/2", "start b/1"]);
});
