import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { glyphs } from "../../cli/render/glyphs.ts";
import { integrationLines } from "../../cli/render/integration.ts";
import { paint } from "../../cli/render/line.ts";
import type { FoundFinding, IntegrationFinding } from "./finding.ts";
import { fixFor } from "./fixes.ts";
import { nextCommandOf, nextSteps } from "./next-steps.ts";
import type { IntegrationReport } from "./report.ts";
import { integrationBlock, reportJson } from "./report-json.ts";
import { reportMarkdown } from "./report-markdown.ts";
import { summaryRows } from "./summary.ts";

const finding = (over: Partial<IntegrationFinding>): IntegrationFinding => {
  const found: FoundFinding = {
    area: "boundaries",
    code: "outside-symbol",
    weight: "must",
    about: "task-002",
    at: { file: "app/models.py", line: 41 },
    message: "changes `Product.name`, which task-001 owns",
  };
  return { task: "task-002", commit: "b".repeat(40), ...found, fix: fixFor({ ...found, ...over }), ...over };
};

const missing = finding({
  area: "types",
  code: "field-missing",
  about: "ReservationOut",
  at: { file: "app/schemas.py", line: 7 },
  message: "`note` is missing",
});
const unclear = finding({
  area: "endpoints",
  code: "endpoint-unclear",
  weight: "cannot-tell",
  about: "GET /reports",
  at: null,
  message: "the path of a route is computed | in app/x.py",
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
  endpoints: [{ about: "GET /reports", status: "cannot-tell", at: null, findings: [unclear] }],
  techSpec: {
    agent: "claude",
    model: "opus",
    costUsd: 0.42,
    sections: [
      {
        section: "Data model",
        status: "met",
        sentences: [{ text: "Stock is kept.", line: 12 }],
        says: "",
        places: [],
      },
      {
        section: "API",
        status: "deviates",
        sentences: [{ text: "Errors have one form.", line: 30 }],
        says: "<b>reports</b> answers with plain text",
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
    }),
    finding({}),
    finding({ weight: "should", message: "taken back since", at: { file: "README.md", line: null } }),
    unclear,
    missing,
    finding({
      area: "tech-spec",
      code: "spec-deviates",
      weight: "should",
      about: "API",
      at: null,
      message: "deviates",
    }),
    finding({
      area: "checks",
      code: "check-red",
      about: "pytest",
      at: null,
      message: "1 failed, 13 passed",
      task: null,
      commit: null,
    }),
  ],
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
  paint(integrationLines(report, { width, glyphs: signs }), { colours: false });

describe("a report in which much is wrong", () => {
  test("as Markdown", () => expectAsBefore("broken.md", reportMarkdown(broken)));
  test("in a terminal", () => expectAsBefore("broken.txt", terminal(broken, 100)));
  test("asks for what to do, and then to look again", () => {
    expect(nextSteps(broken)).toEqual([
      "See what keeps tasks from being merged: `plait status calm-otter`.",
      "Fix 4 blocking findings in task-002, task-003.",
      "Look again: `plait spec integrate --parallel-dir parallel/TS-0042-stock-reservations`.",
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
  expect(nextSteps(report)).toContain(`Send 4 blocking findings to the agents of task-001: \`${command}\`.`);
  expect(nextCommandOf(report)).toBe(command);
});

describe("a report in which nothing is wrong", () => {
  test("as Markdown", () => expectAsBefore("clean.md", reportMarkdown(clean)));
  test("in a narrow terminal without Unicode", () =>
    expectAsBefore("clean.txt", terminal(clean, 40, glyphs.ascii)));
  test("says what is not landed yet, and how to land it", () =>
    expect(nextSteps({ ...clean, judged: broken.judged })[0]).toBe("Land it: `plait land calm-otter`."));
});

test("has the sections of the older system, in their order", () => {
  const heads = reportMarkdown(broken).match(/^##+ .*$/gm);
  expect(heads).toEqual([
    ...[
      "## Summary",
      "## Merged Tasks",
      "## Contract Compliance",
      "### API Endpoints",
      "### Type Definitions",
    ],
    ...["## Boundary Violations", "## Tech Spec Compliance", "## Test Results", "## Action Items"],
    ...["### Must Fix (Blocking)", "### Should Fix (Non-Blocking)", "### Cannot Be Told (1 item to look at)"],
    "## Next Steps",
  ]);
});

test("what nobody looked at is neither passed nor failed", () => {
  const rows = summaryRows({ ...clean, checks: null, types: null, endpoints: null });
  expect(rows.filter(({ status }) => status === "unknown").map(({ name }) => name)).toEqual([
    ...["Contract Compliance", "Tech Spec Compliance", "Tests", "Type Check", "Lint"],
  ]);
});

test("what was joined to another cause still counts for the contract", () => {
  const rows = summaryRows({ ...broken, findings: broken.findings.filter(({ area }) => area !== "types") });
  expect(rows.find(({ name }) => name === "Contract Compliance")?.status).toBe("failed");
});

test("of what there is nothing of, nothing is counted", () => {
  const tasks = clean.tasks.map((task) => ({ ...task, status: "not-merged" as const }));
  const section = { section: "API", says: "", sentences: [], places: [] };
  const sections = [
    { ...section, status: "met" as const },
    { ...section, status: "cannot-tell" as const },
  ];
  const techSpec = { agent: "claude", model: null, costUsd: null, sections };
  const rows = summaryRows({ ...clean, tasks, endpoints: [], techSpec });
  const details = Object.fromEntries(rows.map((row) => [row.name, row.details]));
  expect(details).toMatchObject({
    "Contract Compliance": expect.stringMatching(/^no endpoints in the contract, /),
    "Tech Spec Compliance": "1 of 2 sections met, 1 cannot be told, as claude judges",
    "Boundary Violations": "no commits to look at",
  });
});

test("a step such as installing packages is listed, and is not counted as a task", () => {
  const [first] = clean.tasks as [(typeof clean.tasks)[number]];
  const step = { ...first, task: "dependencies", title: "dependencies for Python", isStep: true } as const;
  const report = { ...clean, tasks: [step, ...clean.tasks] };
  expect(summaryRows(report)[0]?.details).toBe("2 of 2 tasks merged");
  expect(reportMarkdown(report)).toContain("**Tasks Integrated:** 2 of 2");
  expect(reportMarkdown(report)).toContain("| `dependencies` ");
});

test("a boundary row that warns says of what", () => {
  const rowOf = (...weights: IntegrationFinding["weight"][]) =>
    summaryRows({ ...clean, findings: weights.map((weight) => finding({ weight })) })[3];
  expect(rowOf()).toMatchObject({ status: "passed", details: "none" });
  expect(rowOf("should")).toMatchObject({ status: "warning", details: "1 non-blocking" });
  expect(rowOf("cannot-tell")).toMatchObject({ status: "warning", details: "none, 1 cannot be told" });
  expect(rowOf("must", "should")).toMatchObject({ status: "failed", details: "1, 1 non-blocking" });
});

test("what is to be typed next can be typed: a spec that is gone, or built already, is left alone", () => {
  const built = "plait spec status TS-0042 --set reference";
  expect(nextCommandOf(clean)).toBe(built);
  expect(nextCommandOf({ ...clean, judged: broken.judged })).toBe("plait land calm-otter");
  for (const techSpec of [null, "tech-specs/reference/TS-0042-stock-reservations.md"]) {
    const report = { ...clean, subject: { ...clean.subject, techSpec } };
    expect(nextCommandOf(report)).toBe(null);
    expect(nextSteps(report)).toEqual(["Nothing is left to do."]);
  }
});

test("the manifest is told in the words of the older system", () => {
  expect(integrationBlock(broken, "parallel/x/integration-report.md")).toEqual({
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
  expect(integrationBlock(clean, "r.md")).toMatchObject({
    status: "completed",
    completed_at: clean.generatedAt,
  });
});

test("what is mostly unclear is not green, unless that is accepted", () => {
  const report = { ...clean, unknown: ["7 of 9 endpoints unclear", "no checks found"] };
  const headline = (one: IntegrationReport) => terminal(one, 100).trimEnd().split("\n").at(-1);
  expect(headline(report)).toBe("unclear whether the parts fit: 7 of 9 endpoints unclear, no checks found");
  expect(headline({ ...broken, unknown: report.unknown })).toMatch(
    /^4 things must be fixed; much is unclear: 7 of 9 endpoints unclear, no checks found; /,
  );
  const again = "plait spec integrate --parallel-dir parallel/TS-0042-stock-reservations --allow-unknown";
  expect(nextCommandOf(report)).toBe(again);
  expect(nextSteps(report)[1]).toBe(`Or accept them: \`${again}\`.`);
  expect([reportJson(report), integrationBlock(report, "r.md")]).toMatchObject([
    { ok: false },
    { status: "pending" },
  ]);
  const accepted = { ...report, allowUnknown: true };
  expect(headline(accepted)).toMatch(/^the parts fit as far as checked: 7 of 9/);
  expect([reportJson(accepted), integrationBlock(accepted, "r.md")]).toMatchObject([
    { ok: true },
    { status: "completed" },
  ]);
});

test("the JSON says whether anything blocks", () => {
  expect(reportJson(broken)).toMatchObject({ v: 1, ok: false, findings: broken.findings });
  expect(reportJson(clean)).toMatchObject({ ok: true });
});
