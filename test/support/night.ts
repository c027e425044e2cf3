import type { Finding, GateJudged } from "../../src/core/facts.ts";
import type { AttemptId, Oid } from "../../src/core/ids.ts";
import type { RunReport } from "../../src/report/model.ts";
import { runReport } from "../../src/report/run-report.ts";
import type { Beside } from "../../src/report/task-report.ts";
import { gateOf, taskId } from "./plans.ts";
import { revision, Scenario } from "./scenario.ts";

const FOLDER = "/repo/.git/plait/runs/run-1";

export const NOTHING: Beside = {
  said: new Map(),
  summaries: new Map(),
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

type More = { readonly beside?: Partial<Beside>; readonly isRunning?: boolean };

export function reportOf(run: Scenario, { beside = {}, isRunning = false }: More = {}): RunReport {
  const { facts, state, now } = run;
  const stat = { files: 2, added: 14, removed: 3, changes: [] };
  return runReport({
    ...{ facts, state, now, isRunning, folder: FOLDER, landed: stat },
    beside: { ...NOTHING, ...beside },
  });
}

export const unit = gateOf("npm test");
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
export function night(): Scenario {
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
  const detail = "agent reported BLOCKED: no `key`";
  run
    .start("mail/1")
    .end("mail/1", { reason: "agent-said-no", detail, isClause: true }, usage)
    .save("mail/1");
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

/** Failed in the evening; in the morning a person handed in what was missing, and it landed. */
export function morning(): Scenario {
  const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }], { plan: { gates: [unit] } });
  run.start("a/1").later(40_000).end("a/1").save("a/1").judge(unit, "work a/1", "red").finish();
  run
    .later(8 * 3_600_000)
    .resume()
    .ask({ kind: "open", task: taskId("a") })
    .opened("a/2");
  run
    .ask({ kind: "accept", task: taskId("a") })
    .save("a/2")
    .judge(unit, "work a/2");
  return run.build().judge(unit, "merge a/2").advance().land().finish();
}

export const BESIDE: Partial<Beside> = {
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
