import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { glyphs } from "../../cli/render/glyphs.ts";
import { renderIntegration } from "../../cli/render/integration.ts";
import { paint } from "../../cli/render/line.ts";
import { formatCommand } from "../../core/text/command.ts";
import { plainText } from "../../core/text/sentence.ts";
import type { IntegrationFinding } from "./finding.ts";
import { findNextCommand, listNextSteps } from "./next-steps.ts";
import type { IntegrationReport } from "./report.ts";
import { buildIntegrationBlock, buildReportJson } from "./report-json.ts";
import { renderReport } from "./report-markdown.ts";
import { buildSummary } from "./summary.ts";

const finding = (over: Partial<IntegrationFinding>): IntegrationFinding => ({
  area: "boundaries",
  code: "outside-symbol",
  weight: "must",
  about: "task-002",
  at: { file: "app/models.py", line: 41 },
  message: "changes `Product.name`, which task-001 owns",
  task: "task-002",
  commit: "b".repeat(40),
  fix: "Revert the change to `app/models.py`",
  ...over,
});

const missing = finding({
  area: "types",
  code: "field-missing",
  about: "ReservationOut",
  at: { file: "app/schemas.py", line: 7 },
  message: "`note` is missing",
  fix: "Add `note` to `ReservationOut`",
});
const unclear = finding({
  area: "endpoints",
  code: "endpoint-unclear",
  weight: "unclear",
  about: "GET /reports",
  at: null,
  message: "the path of a route is computed | in app/x.py",
  fix: "Compare `GET /reports` with the contract by hand",
});

const clean: IntegrationReport = {
  generatedAt: "2026-03-02T12:00:00.000Z",
  subject: {
    plan: "stock-reservations",
    path: "parallel/TS-0042-stock-reservations",
    isFolder: true,
    prd: "docs/prd.md",
    techSpecId: "TS-0042",
    techSpec: "tech-specs/approved/TS-0042-stock-reservations.md",
  },
  judged: { kind: "landed", ref: "refs/heads/main", commit: "1".repeat(40), run: "calm-otter" },
  requirements: null,
  tasks: [
    {
      task: "task-001",
      title: "Models",
      wave: 1,
      status: "merged",
      commits: [{ commit: "a".repeat(40), subject: "models" }],
      files: 2,
      from: "run",
    },
    {
      task: "task-002",
      title: "Look | around",
      wave: 2,
      status: "changes-nothing",
      commits: [],
      files: 0,
      from: "run",
    },
  ],
  types: [
    { about: "Product", status: "ok", at: { file: "app/models.py", line: 12 }, findings: [] },
    { about: "ReservationOut", status: "ok", at: { file: "app/schemas.py", line: 7 }, findings: [] },
  ],
  endpoints: [
    {
      about: "GET /products/{sku}",
      status: "ok",
      at: { file: "app/routers/products.py", line: 9 },
      findings: [],
    },
  ],
  techSpec: null,
  checks: [
    {
      name: "pytest",
      kind: "tests",
      run: "pytest",
      status: "green",
      summary: "14 passed",
      counts: { passed: 14, failed: 0, skipped: 0 },
      durationMs: 2100,
      output: "",
    },
  ],
  findings: [],
  unknown: [],
  allowUnknown: false,
};

const broken: IntegrationReport = {
  ...clean,
  judged: {
    kind: "integration",
    ref: "refs/heads/plait/calm-otter/integration",
    commit: null,
    run: "calm-otter",
  },
  tasks: [
    ...clean.tasks,
    { task: "task-003", title: "Routes", wave: 3, status: "not-merged", commits: [], files: 0, from: "run" },
    { task: "task-004", title: "Docs", wave: 3, status: "no-commits", commits: [], files: 0, from: null },
  ],
  types: [
    { about: "Product", status: "ok", at: { file: "app/models.py", line: 12 }, findings: [] },
    {
      about: "ReservationOut",
      status: "differs",
      at: { file: "app/schemas.py", line: 7 },
      findings: [missing],
    },
  ],
  endpoints: [{ about: "GET /reports", status: "unclear", at: null, findings: [unclear] }],
  techSpec: {
    agent: "claude",
    model: "opus",
    costUsd: 0.42,
    sections: [
      {
        section: "Data model",
        status: "met",
        sentences: [{ text: "Stock is kept.", line: 12 }],
        text: "",
        places: [],
      },
      {
        section: "API",
        status: "deviates",
        sentences: [{ text: "Errors have one form.", line: 30 }],
        text: "<b>reports</b> answers with plain text",
        places: [{ file: "app/routers/reports.py", line: 3 }],
      },
    ],
  },
  checks: [
    {
      name: "pytest",
      kind: "tests",
      run: "pytest -q | cat",
      status: "red",
      summary: "1 failed, 13 passed",
      counts: { passed: 13, failed: 1, skipped: 0 },
      durationMs: 2100,
      output: "FAILED tests/test_x.py\n```\n1 failed",
    },
    {
      name: "mypy",
      kind: "types",
      run: "mypy .",
      status: "not-run",
      summary: "mypy is not installed",
      counts: null,
      durationMs: 0,
      output: "",
    },
  ],
  findings: [
    finding({
      area: "tasks",
      code: "task-not-merged",
      about: "task-003",
      task: "task-003",
      commit: null,
      at: null,
      message: "is not merged",
      fix: "Finish the task and merge it: plait resume",
    }),
    finding({}),
    finding({
      weight: "should",
      message: "reverted since",
      at: { file: "README.md", line: null },
      fix: "Nothing to do: the change is reverted",
    }),
    unclear,
    missing,
    finding({
      area: "tech-spec",
      code: "spec-deviates",
      weight: "should",
      about: "API",
      at: null,
      message: "deviates",
      fix: "Read section `API` of the tech spec, and change the code or the spec",
    }),
    finding({
      area: "checks",
      code: "check-red",
      about: "pytest",
      at: null,
      message: "1 failed, 13 passed",
      fix: "Make the check `pytest` pass",
      task: null,
      commit: null,
    }),
  ],
};

const steps = (report: IntegrationReport) => listNextSteps(report).map((step) => plainText(step));
const nextCommand = (report: IntegrationReport) => {
  const command = findNextCommand(report);
  return command === null ? null : formatCommand(command);
};

const golden = join(dirname(fileURLToPath(import.meta.url)), "../../../test/spec/golden/integration");

/** UPDATE=1 writes what is made now; read the difference before you keep it. */
function expectAsBefore(name: string, text: string): void {
  const file = join(golden, name);
  const { UPDATE } = process.env;
  if (UPDATE === "1") {
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

const terminal = (report: IntegrationReport, width: number, signs = glyphs.unicode) =>
  paint(renderIntegration(report, { width, glyphs: signs }), { colours: false });

describe("a report in which much is wrong", () => {
  test("as Markdown", () => expectAsBefore("broken.md", renderReport(broken)));
  test("in a terminal", () => expectAsBefore("broken.txt", terminal(broken, 100)));
  test("lists the steps, then to check again", () => {
    expect(steps(broken)).toEqual([
      "See why tasks are not merged: plait status calm-otter.",
      "Fix 4 blocking findings in task-002, task-003.",
      "Check again: plait spec integrate --parallel-dir parallel/TS-0042-stock-reservations.",
    ]);
  });
});

test("findings of merged tasks are sent to their agents, and no other task is named", () => {
  const [first] = broken.tasks;
  const findings = broken.findings.map((one) => ({
    ...one,
    task: one.weight === "must" ? "task-001" : "task-002",
  }));
  const report: IntegrationReport = {
    ...broken,
    tasks: broken.tasks.map((one) => (one === first ? { ...one, task: "task-001", status: "merged" } : one)),
    findings,
  };
  const command = "plait spec integrate --parallel-dir parallel/TS-0042-stock-reservations --fix";
  expect(steps(report)).toContain(`Send 4 blocking findings to the agents of task-001: ${command}.`);
  expect(nextCommand(report)).toBe(command);
});

describe("a report in which nothing is wrong", () => {
  test("as Markdown", () => expectAsBefore("clean.md", renderReport(clean)));
  test("in a narrow terminal without Unicode", () =>
    expectAsBefore("clean.txt", terminal(clean, 40, glyphs.ascii)));
  test("names the command that lands the run", () =>
    expect(steps({ ...clean, judged: broken.judged })[0]).toBe("Land the run: plait land calm-otter."));
});

test("has the sections of cpo, in their order", () => {
  const heads = renderReport(broken).match(/^##+ .*$/gm);
  expect(heads).toEqual([
    ...[
      "## Summary",
      "## Merged Tasks",
      "## Contract Compliance",
      "### API Endpoints",
      "### Type Definitions",
    ],
    ...["## Boundary Violations", "## Tech Spec Compliance", "## Test Results", "## Action Items"],
    ...["### Must Fix (Blocking)", "### Should Fix (Non-Blocking)", "### Unclear"],
    "## Next Steps",
  ]);
});

test("areas that were not checked are neither passed nor failed", () => {
  const rows = buildSummary({ ...clean, checks: null, types: null, endpoints: null });
  expect(rows.filter(({ status }) => status === "unknown").map(({ name }) => name)).toEqual([
    ...["Contract Compliance", "Tech Spec Compliance", "Tests", "Type Check", "Lint"],
  ]);
});

test("joined findings still count for the contract", () => {
  const rows = buildSummary({ ...broken, findings: broken.findings.filter(({ area }) => area !== "types") });
  expect(rows.find(({ name }) => name === "Contract Compliance")?.status).toBe("failed");
});

test("empty areas are not counted", () => {
  const tasks = clean.tasks.map((task) => ({ ...task, status: "not-merged" as const }));
  const section = { section: "API", text: "", sentences: [], places: [] };
  const sections = [
    { ...section, status: "met" as const },
    { ...section, status: "unclear" as const },
  ];
  const techSpec = { agent: "claude", model: null, costUsd: null, sections };
  const rows = buildSummary({ ...clean, tasks, endpoints: [], techSpec });
  const details = Object.fromEntries(rows.map((row) => [row.name, row.details]));
  expect(details).toMatchObject({
    "Contract Compliance": expect.stringMatching(/^no endpoints in the contract, /),
    "Tech Spec Compliance": "1 of 2 sections met, 1 unclear, reviewed by claude",
    "Boundary Violations": "no commits to check",
  });
});

test("a step such as installing packages is listed, and is not counted as a task", () => {
  const [first] = clean.tasks as [(typeof clean.tasks)[number]];
  const step = { ...first, task: "dependencies", title: "dependencies for Python", isStep: true } as const;
  const report = { ...clean, tasks: [step, ...clean.tasks] };
  expect(buildSummary(report)[0]?.details).toBe("2 of 2 tasks merged");
  expect(renderReport(report)).toContain("**Tasks Integrated:** 2 of 2");
  expect(renderReport(report)).toContain("| `dependencies` ");
});

test("a boundary row names what it warns about", () => {
  const rowOf = (...weights: IntegrationFinding["weight"][]) =>
    buildSummary({ ...clean, findings: weights.map((weight) => finding({ weight })) })[3];
  expect(rowOf()).toMatchObject({ status: "passed", details: "none" });
  expect(rowOf("should")).toMatchObject({ status: "warning", details: "1 non-blocking" });
  expect(rowOf("unclear")).toMatchObject({ status: "warning", details: "none, 1 unclear" });
  expect(rowOf("must", "should")).toMatchObject({ status: "failed", details: "1, 1 non-blocking" });
});

test("the next command can be typed: a spec that is missing, or implemented, is left alone", () => {
  const built = "plait spec status TS-0042 --set reference";
  expect(nextCommand(clean)).toBe(built);
  expect(nextCommand({ ...clean, judged: broken.judged })).toBe("plait land calm-otter");
  for (const techSpec of [null, "tech-specs/reference/TS-0042-stock-reservations.md"]) {
    const report = { ...clean, subject: { ...clean.subject, techSpec } };
    expect(nextCommand(report)).toBe(null);
    expect(steps(report)).toEqual(["Nothing left to do."]);
  }
});

test("the manifest gets the values that cpo writes", () => {
  expect(buildIntegrationBlock(broken, "parallel/x/integration-report.md")).toEqual({
    status: "pending",
    report_path: "parallel/x/integration-report.md",
    checks: {
      branch_merge: "failed",
      contract_compliance: "failed",
      tech_spec_compliance: "warning",
      boundary_violations: "failed",
      tests: "failed",
      type_check: "warning",
      lint: "warning",
    },
  });
  expect(buildIntegrationBlock(clean, "r.md")).toMatchObject({
    status: "completed",
    completed_at: clean.generatedAt,
  });
});

test("a mostly unclear result is not green, unless it is accepted", () => {
  const report = { ...clean, unknown: ["7 of 9 endpoints unclear", "no checks found"] };
  const headline = (one: IntegrationReport) => terminal(one, 100).trimEnd().split("\n").at(-1);
  expect(headline(report)).toBe("unclear whether the parts fit: 7 of 9 endpoints unclear, no checks found");
  expect(headline({ ...broken, unknown: report.unknown })).toMatch(
    /^4 findings must be fixed; mostly unclear: 7 of 9 endpoints unclear, no checks found; /,
  );
  const again = "plait spec integrate --parallel-dir parallel/TS-0042-stock-reservations --allow-unknown";
  expect(nextCommand(report)).toBe(again);
  expect(steps(report)[1]).toBe(`Or accept them: ${again}.`);
  expect([buildReportJson(report), buildIntegrationBlock(report, "r.md")]).toMatchObject([
    { ok: false },
    { status: "pending" },
  ]);
  const accepted = { ...report, allowUnknown: true };
  expect(headline(accepted)).toMatch(/^the parts fit as far as checked: 7 of 9/);
  expect([buildReportJson(accepted), buildIntegrationBlock(accepted, "r.md")]).toMatchObject([
    { ok: true },
    { status: "completed" },
  ]);
});

test("the JSON shows whether anything blocks", () => {
  expect(buildReportJson(broken)).toMatchObject({ v: 1, ok: false, findings: broken.findings });
  expect(buildReportJson(clean)).toMatchObject({ ok: true });
});
