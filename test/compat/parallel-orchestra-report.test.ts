import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findProgram } from "../../src/app/folders.ts";
import { copyBeside, writePrivately } from "../../src/app/index.ts";
import { reportProblem, writeReportFile } from "../../src/cli/compat/parallel-orchestra/report-file.ts";
import type { Finding } from "../../src/core/facts.ts";
import type { PathPattern } from "../../src/core/ownership/pattern.ts";
import { jsonDocument, markdownDocument } from "../../src/report/parallel-orchestra/document.ts";
import { findingLines } from "../../src/report/parallel-orchestra/findings.ts";
import { agentWords, type Result, results } from "../../src/report/parallel-orchestra/results.ts";
import { Scenario } from "../support/scenario.ts";

const root = mkdtempSync(join(tmpdir(), "plait-po-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const RESULT: Result = {
  ...{ id: "a", agent: "dev|ops", status: "succeeded", isTimedOut: false, returncode: 0, durationSec: 1.26 },
  ...{ retryCount: 1, category: "none", says: agentWords(""), why: null, merge: "merged", branch: null },
  ...{ attempts: 2, costUsd: 0.5, findings: [], kept: null },
};

describe("the report", () => {
  const run = {
    manifest: "plan",
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    finishedAt: Date.UTC(2026, 0, 2, 3, 4, 17, 340),
    results: [
      RESULT,
      { ...RESULT, id: "b", status: "failed", category: "permanent", returncode: 2 },
      { ...RESULT, id: "c", status: "skipped", returncode: null },
      { ...RESULT, id: "d", status: "resumed" },
    ] satisfies Result[],
  };

  test("as JSON has the keys of parallel-orchestra, and six more a task", () => {
    const document = JSON.parse(jsonDocument(run));
    expect(Object.keys(document)).toEqual([
      ...["manifest", "started_at", "finished_at", "duration_sec", "total", "succeeded", "failed"],
      ...["skipped", "tasks"],
    ]);
    expect(document).toMatchObject({
      ...{ manifest: "plan", started_at: "2026-01-02T03:04:05.000+00:00", duration_sec: 12.3 },
      ...{ total: 4, succeeded: 1, failed: 1, skipped: 2 },
    });
    expect(document.tasks[0]).toEqual({
      ...{ id: "a", agent: "dev|ops", status: "succeeded", duration_sec: 1.3, retry_count: 1 },
      failure_category: "none",
      ...{ merge: "merged", branch: null, returncode: 0, attempts: 2, cost_usd: 0.5, findings: [] },
    });
    expect(document.tasks.map(({ status }: { status: string }) => status)).toEqual([
      ...["succeeded", "failed", "skipped", "resumed"],
    ]);
  });

  test("as Markdown has its heading, figures and table", () => {
    const text = markdownDocument(run);
    for (const line of [
      "# Run Summary: plan",
      "**Duration:** 12.3s",
      "## Results: 1 succeeded / 1 failed / 1 skipped / 1 resumed",
      "| Task | Agent | Status | Duration | Retries | Failure |",
      "| a | dev\\|ops | ✓ succeeded | 1.3s | 1 | — |",
      "| b | dev\\|ops | ✗ failed | 1.3s | 1 | permanent |",
      "| c | dev\\|ops | ⊘ skipped | — | — | — |",
      "| d | dev\\|ops | ↩ resumed | — | — | — |",
    ])
      expect(text.split("\n")).toContain(line);
  });

  test("goes to a file of the right kind, in folders that are made, and never through a link", async () => {
    for (const name of ["r.json", "R.JSON", "r.md", "r.markdown"])
      expect(await reportProblem(join(root, "new/folder", name))).toBeNull();
    expect(await reportProblem(join(root, "r.txt"))).toContain("Unsupported report extension");
    expect(await reportProblem(join(root, "r"))).toContain("Unsupported report extension");
    mkdirSync(join(root, "folder.md"));
    expect(await reportProblem(join(root, "folder.md"))).toContain("is not a file");
    writeFileSync(join(root, "file"), "");
    expect(await reportProblem(join(root, "file", "r.md"))).toContain("cannot be written");
    symlinkSync(join(root, "file"), join(root, "link.md"));
    expect(await reportProblem(join(root, "link.md"))).toContain("symbolic link");
    expect(await writeReportFile(join(root, "link.md"), run)).toContain("ELOOP");
    expect(readFileSync(join(root, "file"), "utf8")).toBe("");
    expect(await writeReportFile(join(root, "new/folder/r.md"), run)).toBeNull();
    expect(readFileSync(join(root, "new/folder/r.md"), "utf8")).toBe(markdownDocument(run));
  });
});

test("a program is found by its path or on the PATH, and must be one", async () => {
  const program = join(root, "bin/tool");
  mkdirSync(join(root, "bin"));
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(root, "bin/text"), "");
  const path = `/nowhere:${join(root, "bin")}`;
  expect(await findProgram("tool", path)).toBe(program);
  expect(await findProgram(program, "")).toBe(program);
  for (const name of ["text", "missing", join(root, "bin"), join(root, "missing")])
    expect(await findProgram(name, path)).toBeNull();
});

test("what is written for the user goes through no link and over nothing that says something else (I3)", async () => {
  const [log, other] = [join(root, "logs/deep/a.log"), join(root, "other")];
  expect(await writePrivately(log, "one\n", "anew")).toBeNull();
  expect(await writePrivately(log, "two\n", "append")).toBeNull();
  expect(readFileSync(log, "utf8")).toBe("one\ntwo\n");
  expect([log, join(root, "logs/deep")].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  writeFileSync(other, "mine");
  symlinkSync(other, join(root, "logs/link.log"));
  expect(await writePrivately(join(root, "logs/link.log"), "x", "anew")).toBe("it is a symbolic link");
  expect(await copyBeside(log, join(root, "logs/link.log"), new Set())).toBe(join(root, "logs/link.2.log"));
  expect(await copyBeside(log, join(root, "logs/b.log"), new Set([join(root, "logs/b.log")]))).toBe(
    join(root, "logs/b.2.log"),
  );
  expect(await copyBeside(log, log, new Set([log]))).toBe(log);
  expect(readFileSync(other, "utf8")).toBe("mine");
});

test("changes that nobody asked for are told of each task, and stand in the report", () => {
  const run = new Scenario(
    [
      { id: "look", access: "read-only" },
      { id: "w", owns: [{ mode: "any", pattern: "src/" as PathPattern, symbol: null }] },
      { id: "fine" },
    ],
    {
      policy: { slots: 9 },
    },
  );
  const found = (kind: Finding["kind"], path: string) => ({ kind, path, detail: "", blocks: false }) as const;
  const many = Array.from({ length: 7 }, (_, n) => found("outside-claims", `f${n}`));
  run
    .start("look/1")
    .end("look/1")
    .save("look/1", { findings: [found("read-only", "a"), found("read-only", "b")] });
  run
    .start("w/1")
    .end("w/1")
    .save("w/1", {
      findings: [
        ...many,
        found("secret", "x"),
        found("guarded", "yarn.lock"),
        found("guarded", "src/uv.lock"),
      ],
    })
    .merge();
  run
    .start("fine/1")
    .end("fine/1")
    .save("fine/1", { findings: [found("guarded", "yarn.lock"), found("unsure", "y")] })
    .merge();
  const told = { agents: new Map(), resumed: new Set<never>(), said: new Map(), left: new Map() };
  const all = results(run.state, told);
  expect(findingLines(all)).toEqual([
    "[look] changed files although it is read-only: a, b (kept on refs/plait/run-1/look/1, not merged)",
    "[w] changed what is not in writes: f0, f1, f2, f3, f4 and 3 more",
  ]);
  const { tasks } = JSON.parse(jsonDocument({ manifest: "", startedAt: 0, finishedAt: 0, results: all }));
  expect(tasks[0].findings).toEqual([
    { kind: "read-only", path: "a" },
    { kind: "read-only", path: "b" },
  ]);
  expect(tasks[1].findings).toHaveLength(8);
  expect(tasks[1].findings[0]).toEqual({ kind: "outside-writes", path: "f0" });
  expect(tasks[2].findings).toEqual([]);
});
