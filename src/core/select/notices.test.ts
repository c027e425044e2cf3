import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { FactBody } from "../facts.ts";
import type { RefName } from "../ids.ts";
import { plainText } from "../text/sentence.ts";
import { formatAttemptNumber } from "./attempt-number.ts";
import { formatNotice } from "./notice-text.ts";
import { findNotices, type Notice } from "./notices.ts";

const unit = gateOf("npm test");
const said = { reason: "agent-said-no", detail: "no" } as const;
const crash = { reason: "crash", detail: "exit code 1" } as const;

/** Everything that the facts of `tell` made happen. */
function told(run: Scenario, tell: (run: Scenario) => unknown): Notice[] {
  const found: Notice[] = [];
  const fact = run.fact.bind(run);
  run.fact = (body: FactBody) => {
    const before = run.state;
    fact(body);
    const last = run.facts.at(-1);
    if (last !== undefined) found.push(...findNotices(last, before, run.state));
    return run;
  };
  tell(run);
  run.fact = fact;
  return found;
}

const kinds = (found: readonly Notice[]) => found.map(({ task, kind }) => `${task ?? "run"} ${kind}`);

describe("what happened to a task", () => {
  test("is told from start to merge", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } });
    const found = told(run, () =>
      run.work("a/1").judge(unit, "work a/1").build().judge(unit, "merge a/1").advance().land().finish(),
    );
    expect(kinds(found)).toEqual(["a start", "a merged", "run landed"]);
    expect(found[1]).toMatchObject({ last: { n: 1, count: { kind: "first" } }, gates: 1, costUsd: null });
  });

  test("is a retry with the attempt that comes and how many there may be", () => {
    const run = new Scenario([{ id: "a", retries: 2 }]);
    const found = told(run, () => {
      run.start("a/1").end("a/1", crash).save("a/1").later(60_000);
      run.start("a/2").end("a/2", crash).save("a/2").later(60_000);
      run.start("a/3").end("a/3", crash).save("a/3");
    });
    expect(kinds(found).filter((line) => !line.endsWith("start"))).toEqual([
      "a retry",
      "a retry",
      "a failed",
    ]);
    expect(found[1]).toMatchObject({
      next: { n: 2, count: { kind: "retry", n: 1, of: 2 } },
      why: "agent crashed: exit code 1",
    });
    expect(found[3]).toMatchObject({ next: { n: 3, count: { n: 2, of: 2 } } });
    expect(found[5]).toMatchObject({ last: { n: 3, count: { n: 2, of: 2 } }, kept: "refs/plait/run-1/a/3" });
  });

  test("counts fix rounds and fresh attempts apart, and neither moves the end of the other", () => {
    const run = new Scenario([{ id: "a", retries: 1, fixRounds: 2 }], { plan: { gates: [unit] } });
    const found = told(run, () => {
      for (const n of [1, 2, 3, 4, 5, 6]) {
        run.later(60_000).work(`a/${n}`).judge(unit, `work a/${n}`, "red");
      }
    });
    const turns = found.map((one) => {
      if (one.kind === "start") return `start ${formatAttemptNumber(one.number)}`;
      if (one.kind === "retry") return `next ${formatAttemptNumber(one.next)}`;
      return one.kind === "failed" && one.last !== null
        ? `failed ${formatAttemptNumber(one.last)}`
        : one.kind;
    });
    expect(turns).toEqual([
      "start #1",
      "next #2, fix 1 of 2",
      "start #2, fix 1 of 2",
      "next #3, fix 2 of 2",
      "start #3, fix 2 of 2",
      "next #4, retry 1 of 1",
      "start #4, retry 1 of 1",
      "next #5, fix 1 of 2",
      "start #5, fix 1 of 2",
      "next #6, fix 2 of 2",
      "start #6, fix 2 of 2",
      "failed #6, fix 2 of 2",
    ]);
    const words = found.filter(({ kind }) => kind === "retry").map((one) => formatNotice(one).word);
    expect(words).toEqual(["fix", "fix", "retry", "fix", "fix"]);
  });

  test("comes before what it does to others", () => {
    const run = new Scenario([{ id: "c", needs: ["b"] }, { id: "b", needs: ["a"] }, { id: "a" }]);
    const found = told(run, () => run.start("a/1").end("a/1", said).save("a/1"));
    expect(kinds(found)).toEqual(["a start", "a failed", "c skipped", "b skipped"]);
  });

  test("is told of each task that advanced together", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { mergeBatch: 2 } });
    run.work("a/1").work("b/1");
    expect(kinds(told(run, () => run.merge()))).toEqual(["a merged", "b merged"]);
  });

  test("is parked once, however often a resume shortens the wait", () => {
    const run = new Scenario([{ id: "a" }]);
    const limit = { reason: "usage-limit", resetsAt: run.now + 3_600_000, detail: "" } as const;
    const found = told(run, () => run.start("a/1").end("a/1", limit).save("a/1").resume());
    expect(kinds(found)).toEqual(["a start", "a paused", "run resumed"]);
    expect(found[1]).toMatchObject({ until: limit.resetsAt });
  });

  test("is a stop with what was saved", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    const stopped = { reason: "cancelled", because: "stop", detail: "" } as const;
    const found = told(run, () => {
      run.ask({ kind: "stop", mode: "stop" });
      run.end("a/1", stopped).save("a/1");
    });
    expect(kinds(found)).toEqual(["run stopping", "a stopped"]);
    expect(found[1]).toMatchObject({ kept: "refs/plait/run-1/a/1" });
  });

  test("is not told twice for facts that come twice", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const { v: _v, at: _at, ...advance } = run.facts.at(-1) as { v: 1; at: number } & FactBody;
    expect(told(run, () => run.fact(advance as FactBody))).toEqual([]);
  });
});

test("a run that is held does not repeat what failed before", () => {
  const run = new Scenario([{ id: "a" }]);
  const fail = (key: string) => run.fact({ type: "effect.failed", key, detail: "disk full" });
  const found = told(run, () => {
    fail("save a/1").fact({ type: "run.held", why: "full" });
    fail("save a/1");
    fail("advance x y");
    fail("advance x y");
  });
  expect(kinds(found)).toEqual(["run trouble", "run run-held", "run trouble"]);
});

test("what people ask is told where it has an effect", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  const found = told(run, () => {
    run.ask({ kind: "pause" }).fact({ type: "run.paused" }).ask({ kind: "unpause" });
    run.ask({ kind: "resize", slots: 2 });
    run.ask({ kind: "hold", task: taskId("a"), why: "look" }).ask({ kind: "cancel", task: taskId("b") });
    run
      .fact({ type: "effect.failed", key: "x", detail: "disk full" })
      .fact({ type: "run.held", why: "full" });
  });
  expect(kinds(found)).toEqual([
    "run paused",
    "run unpaused",
    "run slots",
    "a held",
    "b dropped",
    "run trouble",
    "run run-held",
  ]);
});

test("what became of a landing that is to be taken back is told once", () => {
  const run = new Scenario([{ id: "a" }]).work("a/1").merge().land();
  const [tip, target] = [run.state.tip.commit, run.state.target as RefName];
  const refused = { type: "undo.refused", tip, detail: "main has changes in a.txt" } as const;
  const undone = { type: "landing.undone", tip, target, how: "moved-back", notes: [] } as const;
  const found = told(run, () => {
    run.ask({ kind: "undo" }).fact(refused).fact(refused);
    run.ask({ kind: "undo" }).fact({ ...undone, from: tip, to: run.state.base });
  });
  expect(found.map((one) => plainText(formatNotice(one).text))).toEqual([
    "could not undo the landing: main has changes in a.txt",
    "removed the landing from main",
  ]);
});

test("a task that a person takes over is told when it is there, and when it did not pass", () => {
  const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }]);
  run.work("a/1").conflict(["x.txt"]);
  const found = told(run, () => {
    run.ask({ kind: "open", task: taskId("a") }).opened("a/2", ["x.txt"]);
    run
      .ask({ kind: "accept", task: taskId("a") })
      .save("a/2")
      .conflict(["x.txt"])
      .opened("a/3");
  });
  expect(kinds(found)).toEqual(["a open", "a start", "a held", "a open"]);
  expect(found[0]).toMatchObject({ worktree: "/w", conflicts: 1 });
  expect(found[1]).toMatchObject({ agent: null, command: null, number: { count: null } });
});

test("a revised plan is told as such, and for tasks only what it changed", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).work("a/1").merge();
  const { plan } = run.state.index;
  const tasks = [...plan.tasks].reverse();
  const found = told(run, () =>
    run.fact({ type: "plan.revised", plan: { ...plan, tasks }, accounts: {}, redo: [] }),
  );
  expect(kinds(found)).toEqual(["run revised"]);
});

test("a task that was skipped is not skipped again when another of its needs is merged", () => {
  const run = new Scenario([{ id: "a" }, { id: "b", retries: 0 }, { id: "c", needs: ["a", "b"] }]);
  run.start("a/1").start("b/1").end("b/1", said).save("b/1");
  const found = told(run, () => run.end("a/1").save("a/1").merge());
  expect(kinds(found)).toEqual(["a merged"]);
});

describe("in words", () => {
  const at = 0 as Notice["at"];
  const about = { at, task: taskId("a") };
  const said = (one: Notice) => {
    const { isWarning, sign, word, rest, text } = formatNotice(one);
    const [behind, clause] = [rest, text].map((part) => plainText(part, () => "for 3d"));
    return [isWarning ? "warning" : sign, word, behind, clause];
  };

  test("a task says the same in a column and as a clause", () => {
    expect([
      said({ ...about, kind: "paused", why: "claude usage limit", until: at, isCheck: false }),
      said({ ...about, kind: "paused", why: "claude is not logged in", until: at, isCheck: true }),
      said({ ...about, kind: "open", worktree: "/w", conflicts: 1 }),
      said({ ...about, kind: "stopped", kept: null }),
      said({ ...about, kind: "skipped", because: { task: taskId("b"), kind: "failed" } }),
    ]).toEqual([
      ["paused", "paused", "claude usage limit for 3d", "paused for 3d: claude usage limit"],
      [
        "paused",
        "paused",
        "claude is not logged in (next check for 3d)",
        "paused (next check for 3d): claude is not logged in",
      ],
      ["held", "open", "at /w, 1 file with conflicts", "its worktree is open at /w, 1 file with conflicts"],
      ["stopped", "stopped", "no work to save", "stopped, no work to save"],
      ["skipped", "skipped", "b failed", "skipped: b failed"],
    ]);
  });

  test("a base that is known to be red has not failed", () => {
    const run = { at, task: null, run: new Scenario([{ id: "a" }]).state.run } as const;
    const base = {
      ...run,
      kind: "base",
      gate: "test",
      verdict: "red",
      summary: "2 failed",
      isUnprepared: false,
    } as const;
    expect([said({ ...base, isKnown: true }), said({ ...base, isKnown: false })]).toEqual([
      [
        "warning",
        "red",
        "gate test on the base commit: 2 failed, known red",
        "gate test is red on the base commit, known red (2 failed)",
      ],
      [
        "failed",
        "red",
        "gate test on the base commit: 2 failed",
        "gate test is red on the base commit (2 failed)",
      ],
    ]);
  });
});

test("a limit that another run met is told, with how many wait for it; one that a task here met is told by that task", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["a"] }]);
  const account = run.state.index.lanes[0]?.account;
  if (account == null) throw new Error("no account");
  const limited = (durationMs: number): FactBody => ({
    ...{ type: "account.limited", account, durationMs, until: run.now + durationMs, why: "usage-limit" },
  });
  const found = told(run, () => run.fact(limited(5_000)).fact(limited(4_000)));
  expect(found.map((one) => plainText(formatNotice(one).text, (_, lead) => `${lead} 14:55`))).toEqual([
    "2 tasks paused until 14:55: claude usage limit (detected by another run)",
  ]);
  run.later(6_000).start("a/1");
  const own = told(run, () =>
    run
      .end("a/1", { reason: "usage-limit", resetsAt: run.now + 9_000, detail: "later" })
      .fact(limited(9_000)),
  );
  expect(kinds(own)).not.toContain("run limited");
});
