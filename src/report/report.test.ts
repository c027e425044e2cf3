import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../test/support/plans.ts";
import { revision, Scenario } from "../../test/support/scenario.ts";
import type { Finding, GateJudged } from "../core/facts.ts";
import type { AttemptId, Oid } from "../core/ids.ts";
import { jsonReport } from "./json.ts";
import { markdownReport } from "./markdown.ts";
import type { RunReport } from "./model.ts";
import { runReport } from "./run-report.ts";
import type { Beside } from "./task-report.ts";

const FOLDER = "/repo/.git/plait/runs/run-1";

const NOTHING: Beside = {
  said: new Map(),
  outputs: new Map(),
  diffs: new Map(),
  artifacts: new Map(),
  reports: new Map(),
  changed: [],
  files: (attempt) => {
    const name = attempt.replace("/", ".");
    return {
      log: `${FOLDER}/logs/${name}.log`,
      transcript: `${FOLDER}/transcripts/${name}.ndjson`,
      prompt: `${FOLDER}/prompts/${name}.md`,
    };
  },
};

type More = { readonly beside?: Partial<Beside>; readonly isDriven?: boolean };

function reportOf(run: Scenario, { beside = {}, isDriven = false }: More = {}): RunReport {
  const { facts, state, now } = run;
  const stat = { files: 2, added: 14, removed: 3, changes: [] };
  return runReport({
    ...{ facts, state, now, isDriven, folder: FOLDER, landed: stat },
    beside: { ...NOTHING, ...beside },
  });
}

const unit = gateOf("npm test");
const lint = gateOf("npm run lint");
const id = (attempt: string) => attempt as AttemptId;

/** A verdict that says more than green or red. */
function judged(run: Scenario, word: string, more: Partial<GateJudged>): Scenario {
  const { state, now } = run;
  const fact = run.judge(unit, word).facts.pop();
  Object.assign(run, { state, now });
  return run.fact({ ...(fact as GateJudged), ...more });
}

const HOSTILE =
  "# done\n```\n</details><script>alert(1)</script>\n````\n| a | b |\n\u001b[31mred\u001b[0m \u202egnp";

/** A night with a bit of everything. */
function night(): Scenario {
  const usage = { costUsd: 0.42, inputTokens: 120_000, outputTokens: 4_000 };
  const planted: Finding = {
    kind: "planted",
    path: ".git/hooks/post-merge",
    detail: "was not there",
    blocks: true,
  };
  const run = new Scenario(
    [
      { id: "schema", title: "Tables | of *the* <b>shop</b>" },
      { id: "api", needs: ["schema"], fixRounds: 1 },
      { id: "tax", retries: 1 },
      { id: "pay", approve: true },
      { id: "mail", retries: 0 },
      { id: "ship", needs: ["mail"] },
      { id: "hook", retries: 0 },
      { id: "big", retries: 0 },
    ],
    { plan: { gates: [unit], budgetUsd: 20 } },
  );
  run.start("schema/1").later(65_000).end("schema/1", null, usage).save("schema/1");
  judged(run, "work schema/1", { tries: 2, durationMs: 12_000, summary: "exit code 0, green at try 2" });
  judged(run.build(), "merge schema/1", {
    how: "unaffected",
    tries: 0,
    durationMs: 0,
    reference: "1" as Oid,
  }).advance();
  run.start("api/1").later(30_000).end("api/1", null, usage).save("api/1").judge(unit, "work api/1", "red");
  run.start("api/2").later(8_000).end("api/2", null, usage).save("api/2").judge(unit, "work api/2");
  run.build().judge(unit, "merge api/1 api/2").judge(unit, "merge api/2").advance();
  for (const n of [1, 2]) {
    run.later(60_000).work(`tax/${n}`).judge(unit, `work tax/${n}`);
    const task = { task: taskId("tax"), attempt: id(`tax/${n}`) };
    const failure = { reason: "conflict", with: [taskId("api")], paths: ["src/a_b.ts"], detail: "" } as const;
    run.fact({ type: "candidate.refused", from: run.state.tip.commit, task, failure });
  }
  run.work("pay/1").judge(unit, "work pay/1");
  const detail = "the agent says BLOCKED: no `key`";
  run.start("mail/1").end("mail/1", { reason: "agent-said-no", detail }, usage).save("mail/1");
  run
    .start("hook/1")
    .end("hook/1", { reason: "denied", detail: "planted a hook" })
    .save("hook/1", { findings: [planted] });
  run.start("big/1").end("big/1", { reason: "crash", detail: "exit code 1" });
  run.fact({
    ...{ type: "attempt.saved", attempt: id("big/1"), ref: "refs/plait/run-1/big/1" as never },
    ...{ result: revision("work big/1"), changed: true, findings: [], report: null, ignored: 3 },
    kept: "/worktrees/kept/big",
  });
  return run.finish();
}

const BESIDE: Partial<Beside> = {
  said: new Map([
    [id("schema/1"), HOSTILE],
    [id("mail/1"), "I looked around.\n\nStatus: BLOCKED"],
  ]),
  outputs: new Map([[id("big/1"), "boom\nat line 3"]]),
  diffs: new Map([
    [
      id("schema/1"),
      {
        ...{ files: 40, added: 14, removed: 3 },
        changes: [
          { path: "src/`tick`.sql", added: 12, removed: 3 },
          { path: "logo.png", added: null, removed: null },
        ],
      },
    ],
  ]),
  artifacts: new Map([
    [
      id("big/1"),
      [
        {
          ...{
            place: "work",
            folder: `${FOLDER}/artifacts/big/1/work`,
            count: 2,
            bytes: 3_072,
            files: ["a.log"],
          },
          leftOut: { files: 4, why: ["more than 50 MiB together"] },
        },
      ],
    ],
  ]),
};

describe("the report of a run", () => {
  const report = reportOf(night(), { beside: BESIDE });

  test("is read from what needs a person to what stays behind", async () => {
    await expect(markdownReport(report)).toMatchFileSnapshot("pictures/night.md");
  });

  test("is the same every time, also for programs", () => {
    expect(jsonReport(reportOf(night(), { beside: BESIDE }))).toBe(jsonReport(report));
    expect(JSON.parse(jsonReport(report))).toEqual(report);
    expect(jsonReport(report)).not.toContain("\u202e");
  });

  test("names what needs a person with what to type, and both sides of a conflict", () => {
    expect(report.needsYou.map(({ kind, task }) => [kind, task])).toEqual([
      ["approve", "pay"],
      ["conflict", "tax"],
      ["failed", "mail"],
      ["failed", "hook"],
      ["failed", "big"],
      ["planted", "hook"],
      ["worktree", "big"],
    ]);
    const [, conflict, mail] = report.needsYou;
    expect(conflict?.commands.map(({ command }) => command)).toEqual([
      "plait open tax --run run-1",
      "plait logs tax --run run-1",
      "plait diff tax --run run-1",
      "plait diff api --run run-1",
      "plait retry tax --run run-1",
    ]);
    expect(mail?.details).toContain("1 task was skipped for its sake");
  });

  test("has the verdicts of the facts: flaky ones are told apart, and those of merges too", () => {
    const [schema, api] = report.tasks;
    expect(schema?.attempts[0]?.gates).toMatchObject([
      { name: "npm test", on: "work", verdict: "green", how: "ran", tries: 2 },
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
    expect(report.stays.integration).toBe("plait/run-1/integration");
    expect(report.stays.refs.map(({ ref }) => ref)).toContain("refs/plait/run-1/api/1");
    const landed = reportOf(new Scenario([{ id: "a" }]).work("a/1").merge().land().finish());
    expect(landed).toMatchObject({ exit: 0, stays: { refs: [], integration: null }, needsYou: [] });
    expect(markdownReport(landed)).toMatch(
      /^# Run `run-1`\n\n\*\*Landed on main as [0-9a-f]{7}, 1 of 1 merged\.\*\*\n/,
    );
    expect(markdownReport(landed)).toContain("## What needs you\n\nNothing.\n");
  });
});

describe("what else needs a person", () => {
  test("is a base that is red before anything is done", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] }, base: "unjudged" });
    const report = reportOf(run.judge(unit, "base", "red").finish());
    expect(report).toMatchObject({
      outcome: "red-base",
      exit: 3,
      baseGates: [{ on: "base", verdict: "red" }],
    });
    expect(report.needsYou).toMatchObject([
      {
        kind: "base",
        details: ["npm test: 1 of 2 failed"],
        commands: [{ command: "plait logs --run run-1" }, { command: "plait resume run-1" }],
      },
    ]);
    expect(markdownReport(report)).toContain("3: nothing was started");
  });

  test("is a landing that was refused, with its reason", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    run
      .fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail: "a.txt is changed" })
      .finish();
    expect(reportOf(run).needsYou).toMatchObject([
      { kind: "landing", details: ["a.txt is changed"], commands: [{ command: "plait land run-1" }] },
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
      { kind: "account", says: "claude not logged in: 2 tasks of the plan use it" },
      { kind: "resume", commands: [{ command: "plait resume run-1" }] },
    ]);
  });
});

test("a run that goes on has a report too, and nothing that it does needs a person", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { plan: { gates: [lint] } })
    .work("a/1")
    .start("b/1")
    .later(9_000);
  const report = reportOf(run, { isDriven: true });
  expect(report).toMatchObject({ hasEnded: false, exit: null, endedAt: null, needsYou: [] });
  expect(report.says).toBe("under way: 0 of 2 merged, 2 left");
  expect(report.tasks[1]?.attempts).toMatchObject([{ n: 1, endedAt: null, agentMs: 9_001 }]);
  expect(reportOf(run).needsYou).toMatchObject([{ kind: "resume" }]);
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
    [/^500 things that need you/, /texts of agents and gates/, /moments in the middle/, /^400 refs/].map(
      (pattern) => expect.stringMatching(pattern),
    ),
  );
  expect(markdown).toMatch(/\d+ more tasks of the table above: `report\.json` has them\./);
  expect(markdown).toContain("| `t599` | failed |");
});
