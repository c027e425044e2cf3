import { describe, expect, test } from "vitest";
import { BESIDE, morning, night, reportOf, unit } from "../../test/support/night.ts";
import { gateOf } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptId } from "../core/ids.ts";
import { runEnd } from "../core/select/run-end.ts";
import { plainText } from "../core/text/sentence.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { pullRequestReport } from "./pull-request.ts";

const lint = gateOf("npm run lint");
const id = (attempt: string) => attempt as AttemptId;

describe("the report of a run", () => {
  const report = reportOf(night(), { beside: BESIDE });

  test("is read from what needs a person to what stays behind", async () => {
    await expect(markdownReport(report)).toMatchFileSnapshot("pictures/night.md");
  });

  test("is the same every time, also for programs", () => {
    expect(jsonReport(reportOf(night(), { beside: BESIDE }))).toBe(jsonReport(report));
    expect(JSON.parse(jsonReport(report))).toEqual({ ...report, text: plainText(report.text) });
    expect(jsonReport(report)).not.toContain("\u202e");
  });

  test("says what it cost in the same words everywhere: not told, at least nothing, or so much", () => {
    const crash = { reason: "crash", detail: "" } as const;
    const run = new Scenario([{ id: "a" }, { id: "b", retries: 0 }])
      .start("b/1")
      .end("b/1", crash)
      .save("b/1");
    const told = () => [markdownReport(reportOf(run)), pullRequestReport(reportOf(run), "")];
    expect(told()).toEqual([
      expect.stringContaining("| cost | not reported |"),
      expect.stringMatching(/^Run .*, cost not reported[.,]/m),
    ]);
    expect(junitReport(reportOf(run))).toContain('name="plait.cost-usd" value="not reported"');
    run.start("a/1").end("a/1", null, { costUsd: 0 }).save("a/1");
    expect(told()[0]).not.toContain("| cost | at least");
    expect(told()[1]).not.toContain("at least");
  });

  test("names what needs a person with what to type, and both sides of a conflict", () => {
    expect(report.needsYou.map(({ kind, task }) => [kind, task])).toEqual([
      ["approve", "pay"],
      ["conflict", "tax"],
      ["failed", "mail"],
      ["failed", "hook"],
      ["failed", "big"],
      ["hooks", "hook"],
      ["worktree", "big"],
    ]);
    const [, conflict, mail] = report.needsYou;
    expect(conflict?.steps.map(({ command }) => command)).toEqual([
      "plait open tax --run run-1",
      "plait logs tax --run run-1",
      "plait diff tax --run run-1",
      "plait diff api --run run-1",
      "plait retry tax --run run-1",
    ]);
    expect(mail?.details).toContain("1 task skipped");
  });

  test("has the verdicts of the facts: flaky ones are told apart, and those of merges too", () => {
    const [schema, api] = report.tasks;
    expect(schema?.attempts[0]?.gates).toMatchObject([
      { name: "npm test", on: "work", verdict: "green", how: "ran", runs: 2 },
      { name: "npm test", on: "merge", verdict: "green", how: "unaffected" },
    ]);
    expect(
      api?.attempts.map(({ continues, gates }) => [
        continues,
        gates.map(({ on, verdict }) => `${on} ${verdict}`),
      ]),
    ).toEqual([
      [null, ["work red"]],
      [1, ["work green", "merge green"]],
    ]);
    expect(report.gates).toMatchObject([{ name: "npm test", red: 1, flaky: 1, unaffected: 1 }]);
  });

  test("names every ref that stays, and none of a run that landed (I8)", () => {
    expect(report.saved.integration).toBe("plait/run-1/integration");
    expect(report.saved.refs.map(({ ref }) => ref)).toContain("refs/plait/run-1/api/1");
    const landed = reportOf(new Scenario([{ id: "a" }]).work("a/1").merge().land().finish());
    expect(landed).toMatchObject({ exit: 0, saved: { refs: [], integration: null }, needsYou: [] });
    expect(markdownReport(landed)).toMatch(
      /^# Run `run-1`\n\n\*\*Landed on main as [0-9a-f]{7}, 1 of 1 done\.\*\*\n/,
    );
    expect(markdownReport(landed)).toContain("## Needs you\n\nNothing.\n");
  });
});

describe("what else needs a person", () => {
  test("is a base that is red before anything is done", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] }, base: "unjudged" });
    const report = reportOf(run.judge(unit, "base", "red").finish());
    expect(report).toMatchObject({
      status: { obstacle: { kind: "red-base" } },
      exit: 3,
      baseGates: [{ on: "base", verdict: "red" }],
    });
    expect(report.needsYou).toMatchObject([
      {
        kind: "base",
        details: ["npm test: 1 of 2 failed"],
        steps: [
          { command: "plait logs --run run-1" },
          { command: expect.stringMatching(/^plait run /) },
          { command: "plait resume run-1" },
          { command: "plait resume run-1 --allow-red-base" },
        ],
      },
    ]);
    expect(markdownReport(report)).toContain("3: environment problem");
  });

  test("is a landing that was refused, with its reason", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    run
      .fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail: "a.txt is changed" })
      .finish();
    expect(reportOf(run).needsYou).toMatchObject([
      { kind: "landing", details: ["a.txt is changed"], steps: [{ command: "plait land run-1" }] },
    ]);
  });

  test("is an expired login, and a run that stopped goes on with resume", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1");
    run
      .end("a/1", { reason: "auth", detail: "expired" })
      .save("a/1")
      .ask({ kind: "stop", mode: "stop" })
      .finish();
    expect(reportOf(run).needsYou).toMatchObject([
      { kind: "account", text: "claude is not logged in: 2 tasks paused" },
      { kind: "resume", steps: [{ command: "plait resume run-1" }] },
    ]);
  });
});

test("saves of attempts that changed nothing are counted, not named", () => {
  const failed = { reason: "crash", detail: "gone" } as const;
  const run = new Scenario([{ id: "a", retries: 1 }])
    .start("a/1")
    .end("a/1", failed)
    .save("a/1", { changed: false })
    .later(3_600_000)
    .start("a/2")
    .end("a/2", failed)
    .save("a/2", { changed: false })
    .finish();
  expect(runEnd(run.state)).toMatchObject({ kept: [], earlier: [] });
  const report = reportOf(run);
  expect(report.saved).toMatchObject({
    refs: [],
    unchanged: 2,
    steps: [{ command: "plait clean run-1" }],
  });
  expect(markdownReport(report)).toContain("- 2 attempts without changes: `refs/plait/run-1/`\n");
});

test("work of a person is told as theirs, without a log that is not there, and the night is not counted", () => {
  const text = markdownReport(reportOf(morning()));
  expect(text).toMatch(/\n\| time \| 0:4\d, plus 8:00:\d\d not running \|\n/);
  expect(text).toContain('\n- attempt #1, 0:40: gate "npm test" red');
  expect(text).toContain("\n- attempt #2, by a person, continues #1: green\n");
  expect(text).toContain(
    "\nLog, transcript and prompt: `logs/a.1.log`, `transcripts/a.1.ndjson`, `prompts/a.1.md`\n",
  );
  expect(text).not.toContain("a.2");
});

test("a run that goes on has a report too, and nothing that it does needs a person", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { plan: { gates: [lint] } })
    .work("a/1")
    .start("b/1")
    .later(9_000);
  const report = reportOf(run, { isRunning: true });
  expect(report).toMatchObject({ hasEnded: false, exit: null, endedAt: null, needsYou: [] });
  expect(plainText(report.text)).toBe("running, 0 of 2 done, 2 unfinished");
  expect(report.tasks[1]?.attempts).toMatchObject([{ n: 1, endedAt: null, agentMs: 9_001 }]);
  const cutOff = reportOf(run);
  expect(cutOff.needsYou).toMatchObject([{ kind: "resume" }]);
  expect(cutOff.times.wallMs, "nothing happens since").toBe(report.times.wallMs - 9_000);
  expect(markdownReport(cutOff)).toMatch(/interrupted; last active at/);
});

test("hundreds of failed tasks that talk a lot make a report of bounded size, which says what it left out (I10)", () => {
  const ids = Array.from({ length: 600 }, (_, n) => `t${n}`);
  const run = new Scenario(ids.map((task) => ({ id: task, retries: 0 })));
  for (const task of ids) {
    run.start(`${task}/1`).end(`${task}/1`, { reason: "agent-said-no", detail: "no" }).save(`${task}/1`);
  }
  const said = new Map(ids.map((task) => [id(`${task}/1`), "words ".repeat(20_000)]));
  const report = reportOf(run.finish(), { beside: { said } });
  const markdown = markdownReport(report);
  expect(markdown.length).toBeLessThan(2_000_000);
  expect(jsonReport(report).length).toBeLessThan(4_000_000);
  expect(report.leftOut).toMatchObject(
    [/^500 more need you/, /messages of agents and gates/, /events in the middle/, /^400 refs/].map(
      (pattern) => expect.stringMatching(pattern),
    ),
  );
  expect(markdown).toMatch(/\d+ more tasks of the table above: `report\.json` has them\./);
  expect(markdown).toContain("| `t599` | failed |");
});

test("red gates are counted as at the end of the run; results on the base commit are listed apart", () => {
  const unit = gateOf("npm test");
  const options = { plan: { gates: [unit] }, policy: { redBase: "allow" }, base: "unjudged" } as const;
  const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }], options).judgeBase([unit]);
  run.work("a/1").judge(unit, "work a/1", "red").finish();
  const { gates, baseGates } = reportOf(run);
  expect(gates.map(({ name, red }) => [name, red])).toEqual([["npm test", runEnd(run.state).redGates]]);
  expect([runEnd(run.state).redGates, baseGates.length]).toEqual([1, 1]);
});
