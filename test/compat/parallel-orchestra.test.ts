import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dryRunText } from "../../src/cli/compat/parallel-orchestra/dry-run.ts";
import { addErrors, runnerErrors } from "../../src/cli/compat/parallel-orchestra/outcome.ts";
import {
  parseStateFile,
  readStateFile,
  removeStateFile,
  stateFilePath,
} from "../../src/cli/compat/parallel-orchestra/state-file.ts";
import { type Asked, readWords } from "../../src/cli/compat/parallel-orchestra/words.ts";
import type { AttemptFailure } from "../../src/core/failure.ts";
import { findEndStatus } from "../../src/core/select/run-status.ts";
import { summaryLine, timeoutTail } from "../../src/report/parallel-orchestra/document.ts";
import {
  agentWords,
  type Result,
  type ResultsInput,
  results,
} from "../../src/report/parallel-orchestra/results.ts";
import { planOf } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";

const root = mkdtempSync(join(tmpdir(), "plait-po-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const DEFAULTS: Asked = {
  ...{ manifest: "m.md", maxWorkers: 3, claudeExe: null, quiet: false, logDir: null, noLog: false },
  ...{ dryRun: false, resume: false, report: null, dashboard: "auto" },
  ...{ withoutSubAgents: false, allowRoot: false, allowNested: false },
};

describe("the words of parallel-orchestra", () => {
  test.each<[string, Partial<Asked>]>([
    ["run m.md", {}],
    ["run m.md --max-workers 5", { maxWorkers: 5 }],
    ["run --max-workers=5 m.md", { maxWorkers: 5 }],
    ["run --max 5 m.md", { maxWorkers: 5 }],
    ["run m.md --claude-exe ./stub", { claudeExe: "./stub" }],
    [
      "run m.md --quiet --no-log --dry-run --resume",
      { quiet: true, noLog: true, dryRun: true, resume: true },
    ],
    ["run m.md --log-dir l --report r.json", { logDir: "l", report: "r.json" }],
    ["run m.md --dashboard", { dashboard: "on" }],
    ["run m.md --no-dashboard", { dashboard: "off" }],
    ["run m.md --allow-root --allow-nested", { allowRoot: true, allowNested: true }],
    ["run m.md --without-sub-agents", { withoutSubAgents: true }],
    ["run -- --m.md", { manifest: "--m.md" }],
  ])("%s", (line, more) => {
    expect(readWords(line.split(" "))).toEqual({ kind: "run", asked: { ...DEFAULTS, ...more } });
  });

  test.each([
    ["", "program", null],
    ["stop", "program", "invalid choice: 'stop'"],
    ["--nope", "program", "--nope"],
    ["run", "run", "manifest_path"],
    ["run a.md b.md", "run", "unrecognized arguments: b.md"],
    ["run m.md --nope", "run", "--nope"],
    ["run m.md --max-workers", "run", "expected one argument"],
    ["run m.md --max-workers --quiet", "run", "expected one argument"],
    ["run m.md --max-workers 0", "run", "from 1 to 256, not '0'"],
    ["run m.md --max-workers -2", "run", "not '-2'"],
    ["run m.md --max-workers two", "run", "not 'two'"],
    ["run m.md --max-workers 1.5", "run", "not '1.5'"],
    ["run m.md --quiet=yes", "run", "ignored explicit argument"],
    ["run m.md --no", "run", "ambiguous option: --no could match --no-log, --no-dashboard"],
    ["run m.md --dashboard --no-dashboard", "run", "not allowed with"],
    ["run m.md --report=", "run", "expected a path"],
  ])("%j is wrong", (line, of, problem) => {
    const read = readWords(line === "" ? [] : line.split(" "));
    expect(read).toMatchObject({ kind: "wrong", of });
    if (problem === null) expect(read).toMatchObject({ problem });
    else expect(read).toMatchObject({ problem: expect.stringContaining(problem) });
  });

  test.each([
    ["--version", { kind: "version" }],
    ["-h", { kind: "help", of: "program" }],
    ["--help", { kind: "help", of: "program" }],
    ["run -h", { kind: "help", of: "run" }],
    ["run m.md --help", { kind: "help", of: "run" }],
  ])("%s", (line, expected) => {
    expect(readWords(line.split(" "))).toEqual(expected);
  });
});

test("a dry run prints stages, agents, limits and groups", () => {
  const agent = (name: string | null) => ({ use: "claude", name, model: null });
  const work = (name: string | null) =>
    ({ ...planOf([{ id: "x" }]).tasks[0]?.work, agent: agent(name) }) as never;
  const limits = { startMs: 900_000, idleMs: 900_000, totalMs: 900_000 };
  const plan = planOf(
    [
      { id: "c", needs: ["a", "b"], work: work("dev"), limits, retries: 2, group: "db" },
      { id: "a", work: work(null), limits, retries: 0 },
      { id: "b", needs: ["a"], work: work("rev"), limits, retries: 1, access: "read-only" },
    ],
    { limits: { db: 2 } },
  );
  expect(dryRunText(plan, 3)).toBe(`Dry run -- no tasks will be executed.

Execution plan (max_workers=3):
  [stage 3]  c  agent=dev  timeout=900s  retries=2  depends=['a', 'b']  group=db(limit=2)
  [stage 1]  a  agent=  timeout=900s
  [stage 2]  b  agent=rev  timeout=900s  retries=1  read_only  depends=['a']

3 tasks, 3 stages
`);
});

describe("the state file of parallel-orchestra", () => {
  const whole = (more: object = {}) =>
    JSON.stringify({ manifest_path: "m.md", manifest_hash: "abc", completed_tasks: ["a", "b"], ...more });

  test("lies beside the manifest, one a stem", () => {
    expect(stateFilePath("/p/plan.md")).toBe("/p/.po-run-state-plan.json");
    expect(stateFilePath("/p/plan.v2.md")).toBe("/p/.po-run-state-plan.v2.json");
  });

  test("names the tasks that are done", () => {
    expect(parseStateFile(whole(), "abc")).toEqual({ kind: "done", tasks: ["a", "b"] });
    expect(parseStateFile(whole({ completed_tasks: ["a", 1, null] }), "abc")).toMatchObject({ tasks: ["a"] });
  });

  test.each([
    ["another manifest", whole({ manifest_hash: "abd" }), "hash mismatch"],
    ["no JSON", "{", "failed to parse"],
    ["a list", "[]", "is not a JSON object"],
    ["null", "null", "is not a JSON object"],
    ["no hash", whole({ manifest_hash: undefined }), "no manifest_hash"],
    ["no tasks", whole({ completed_tasks: undefined }), "no completed_tasks"],
  ])("is of no use where it holds %s, and says so", (_what, text, says) => {
    expect(parseStateFile(text, "abc")).toMatchObject({
      kind: "useless",
      warning: expect.stringContaining(says),
    });
  });

  test("may be missing, too large, or no file; removing one that is not there is no failure", async () => {
    const path = join(root, "state.json");
    expect(await readStateFile(path, "abc")).toEqual({ kind: "missing" });
    writeFileSync(path, " ".repeat(1024 * 1024 + 1));
    expect(await readStateFile(path, "abc")).toMatchObject({ warning: expect.stringContaining("more than") });
    writeFileSync(path, whole());
    expect(await readStateFile(path, "abc")).toMatchObject({ kind: "done" });
    symlinkSync(path, join(root, "link.json"));
    expect(await readStateFile(join(root, "link.json"), "abc")).toMatchObject({ kind: "useless" });
    for (const _ of [1, 2]) await removeStateFile(path);
    expect(await readStateFile(path, "abc")).toEqual({ kind: "missing" });
  });
});

test.each([
  ["Done.", {}],
  ["Done.\n{not json}", {}],
  ["{}", {}],
  ["[1]", {}],
  [
    '{"status":"SUCCESS","cycles":2,"report":".claude/reports/r.md"}\n\n',
    { status: "SUCCESS", cycles: 2, report: "r.md" },
  ],
  ['{"status":"FAILED","reason":"red\\n\\u001b[31mtests"}', { status: "FAILED", reason: "red [31mtests" }],
  // Once this ended the whole run, and the work went with it.
  ['{"status":"SUCCESS","cycles":"two"}', { status: "SUCCESS" }],
  ['{"status":7,"cycles":{},"report":[],"reason":null}', {}],
  ['{"status":"SUCCESS"}\nand more', {}],
])("the last line %j of an agent says what it says, and nothing in it hurts", (text, expected) => {
  const nothing = { status: null, cycles: null, report: null, reason: null };
  expect(agentWords(text)).toEqual({ ...nothing, ...expected });
});

const TOLD: ResultsInput = { agents: new Map(), resumed: new Set(), said: new Map(), left: new Map() };

const plain = (reason: string): AttemptFailure => ({ reason, detail: "why" }) as AttemptFailure;

/** A run of one task that fails with this for good. */
function failed(failure: AttemptFailure): Result {
  const run = new Scenario([{ id: "a", retries: 0 }], { policy: { land: "partial" } });
  run.start("a/1").end("a/1", failure).save("a/1");
  return results(run.state, TOLD)[0] as Result;
}

describe("what parallel-orchestra calls an end", () => {
  test.each([
    ["crash", "transient"],
    ["agent-error", "transient"],
    ["environment", "transient"],
    ["nothing-done", "transient"],
    ["rejected", "permanent"],
    ["denied", "permanent"],
    ["agent-said-no", "permanent"],
    ["context", "permanent"],
    ["auth", "permanent"],
    ["billing", "permanent"],
    ["rate-limit", "rate_limited"],
    ["overloaded", "rate_limited"],
  ])("%s is %s", (reason, category) => {
    expect(failed(plain(reason))).toMatchObject({ status: "failed", category });
  });

  test("out of time is a timeout without an exit code", () => {
    const result = failed({ reason: "timeout", clock: "total", detail: "" });
    expect(result).toMatchObject({ category: "timeout", isTimedOut: true, returncode: null });
    expect(summaryLine(result)).toBe(
      "[timeout] a () duration=0.00 returncode=None (total timeout) category=timeout",
    );
  });

  test("in the order of the manifest: merged, passed, failed, skipped, resumed, in conflict", () => {
    const run = new Scenario(
      [
        { id: "after", needs: ["bad"] },
        { id: "bad", retries: 0 },
        { id: "clash", retries: 0, fixRounds: 0 },
        { id: "good" },
        { id: "look", access: "read-only" },
        { id: "old" },
      ],
      { policy: { land: "partial", slots: 9 } },
    );
    run.start("bad/1").end("bad/1", plain("crash")).save("bad/1");
    run.work("old/1").merge().work("good/1").merge().start("look/1").end("look/1");
    run.save("look/1", { changed: false });
    run.work("clash/1").conflict(["x.txt"]);
    const told = { ...TOLD, agents: new Map([["good", "dev"]]) as never, resumed: new Set(["old"]) as never };
    const all = results(run.state, told);
    expect(all.map(summaryLine)).toEqual([
      "[fail] after () duration=0.00 returncode=None",
      "[fail] bad () duration=0.00 returncode=None category=transient",
      "[fail] clash () duration=0.00 returncode=None category=permanent",
      "[ok] good (dev) duration=0.00 returncode=0",
      "[ok] look () duration=0.00 returncode=0",
      "[skip] old () resumed",
    ]);
    expect(all.map(({ merge, branch }) => [merge, branch])).toEqual([
      [null, null],
      [null, "refs/plait/run-1/bad/1"],
      ["conflict", "refs/plait/run-1/clash/1"],
      ["not_landed", "plait/run-1/integration"],
      [null, null],
      ["not_landed", "plait/run-1/integration"],
    ]);
    const errors = runnerErrors({
      state: run.state,
      results: all,
      status: findEndStatus(run.state),
      left: new Map(),
    });
    expect(errors).toHaveLength(1);
    const [first] = errors;
    expect(first?.join("\n")).toMatch(/conflict.*clash.*x\.txt[\s\S]*refs\/plait\/run-1\/clash\/1/);
    for (const command of ["plait open clash", "plait submit clash", "plait rescue"])
      expect(first?.join("\n")).toContain(command);
    // A branch of parallel-orchestra that could not be brought in is a conflict as well.
    const left = new Map([["bad", "parallel-orchestra/bad-0123abcd"]]);
    const again = results(run.state, { ...told, left });
    expect(again[1]).toMatchObject({ merge: "conflict", branch: "parallel-orchestra/bad-0123abcd" });
    const [more = []] = runnerErrors({
      state: run.state,
      results: again,
      status: findEndStatus(run.state),
      left,
    });
    expect(more.join("\n")).toContain("plait open bad");
    expect(more.join("\n")).toContain("git merge parallel-orchestra/bad-0123abcd");
    expect(more.join("\n")).not.toContain("plait retry");
  });

  test("a conflict that is open says how it is handed in, and stays a conflict", () => {
    const run = new Scenario([{ id: "a", retries: 0, fixRounds: 0 }], { policy: { land: "partial" } });
    run
      .work("a/1")
      .conflict(["x.txt"])
      .ask({ kind: "open", task: "a" as never })
      .opened("a/2", ["x.txt"]);
    const all = results(run.state, TOLD);
    expect(all[0]).toMatchObject({ status: "failed", merge: "conflict", branch: "refs/plait/run-1/a/1" });
    const errors = runnerErrors({
      state: run.state,
      results: all,
      status: findEndStatus(run.state),
      left: new Map(),
    });
    expect(errors).toHaveLength(1);
    expect(errors.flat().join("\n")).toMatch(/a is open[\s\S]*plait submit a/);
    expect(errors.flat().join("\n")).not.toContain("plait retry");
  });

  test("what was killed is not called something that did not run", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } });
    run.start("a/1").ask({ kind: "stop", mode: "kill", signal: "SIGINT" });
    const [a, b] = results(run.state, TOLD);
    expect(a).toMatchObject({ status: "failed", why: "it was killed; --resume saves what it left" });
    expect(b).toMatchObject({ status: "skipped", why: "it did not run" });
  });

  test("a limit costs no retry", () => {
    const run = new Scenario([{ id: "a", retries: 1 }]);
    run.start("a/1").end("a/1", { reason: "rate-limit", retryAfterMs: 1_000, detail: "" }).save("a/1");
    run.later(run.wake() ?? 0).work("a/2");
    expect(results(run.merge().state, TOLD)[0]).toMatchObject({ retryCount: 0, attempts: 2 });
  });

  test("retries are counted, and what the agent said stands in the line", () => {
    const run = new Scenario([{ id: "a", retries: 1 }]);
    run.start("a/1").end("a/1", plain("crash")).save("a/1");
    run.later(run.wake() ?? 0).work("a/2");
    const said = new Map([
      ["a", 'Tried.\n{"status":"SUCCESS","cycles":3,"report":"d/r.md","reason":"fine"}'],
    ]);
    const [result] = results(run.merge().state, { ...TOLD, said: said as never });
    expect(summaryLine(result as Result)).toMatch(
      /^\[ok\] a \(\) duration=0\.00 returncode=0 retries=1 status=SUCCESS cycles=3 report=r\.md reason=fine$/,
    );
  });
});

test("a task that ran out of time shows its last twenty lines", () => {
  expect(timeoutTail("")).toEqual([]);
  expect(timeoutTail("a\nb\n")).toEqual(["  Last 2 lines before timeout:", "  > a", "  > b"]);
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
  expect(timeoutTail(lines.join("\n"))).toHaveLength(21);
  expect(timeoutTail(lines.join("\n")).at(-1)).toBe("  > line 29");
});

test.each([
  [0, null, false, 0],
  [0, 130, false, 0],
  [0, null, true, 3],
  [1, null, false, 1],
  [1, null, true, 3],
  [1, 130, false, 130],
  [1, 143, true, 143],
  [3, null, false, 1],
] as const)(
  "a run with exit code %d, signal %j and errors %j is exit code %d",
  (exit, signal, hasErrors, code) => {
    const status = { kind: "not-landed", at: 0, exit, obstacle: null } as const;
    expect(addErrors({ status, signal }, hasErrors)).toBe(code);
  },
);
