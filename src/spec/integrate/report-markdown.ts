import { dollars, elapsed, shortOid, shortRef } from "../../core/text/figures.ts";
import { listParts, plainPart, type Sentence } from "../../core/text/sentence.ts";
import { code, codeCell, inline, printed } from "../../util/markdown-text.ts";
import type { IntegrationFinding } from "./finding.ts";
import { listNextSteps } from "./next-steps.ts";
import {
  type CheckResult,
  countTasks,
  type IntegrationReport,
  type ReportedVerdict,
  type SpecReview,
} from "./report.ts";
import { renderRequirements } from "./requirements.ts";
import { buildSummary, formatPlace } from "./summary.ts";

/** integration-report.md, with the sections of cpo. */
export function renderReport(report: IntegrationReport): string {
  const lines = [
    "# Integration Report",
    "",
    ...renderHeader(report),
    ...renderSummary(report),
    ...renderTasks(report),
    ...renderRequirements(report.requirements),
    ...renderContracts(report),
    ...renderBoundaries(report),
    ...renderReview(report.techSpec),
    ...renderChecks(report.checks),
    ...renderActions(report),
    ...["## Next Steps", "", ...listNextSteps(report).map((step, i) => `${i + 1}. ${renderStep(step)}`), ""],
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function renderHeader(report: IntegrationReport): string[] {
  const { generatedAt, subject, judged, unknown } = report;
  const { done, all } = countTasks(report);
  const spec = [subject.techSpecId, subject.techSpec].filter((part) => part !== null);
  const rows: [string, string][] = [
    ["Generated", inline(generatedAt)],
    [subject.isFolder ? "Parallel Dir" : "Plan", code(subject.path)],
    ["Source PRD", subject.prd === null ? "none" : code(subject.prd)],
    ["Tech Spec", spec.length === 0 ? "none" : spec.map(code).join(", ")],
    ["Tasks Integrated", `${done} of ${all}`],
    ["Checked", formatTree(judged)],
    ...(unknown.length === 0 ? [] : [["Unclear", inline(unknown.join(", "))] as [string, string]]),
  ];
  return [...rows.map(([name, text]) => `- **${name}:** ${text}`), ""];
}

function formatTree({ kind, ref, commit, run }: IntegrationReport["judged"]): string {
  const at = commit === null ? "" : `, commit ${code(shortOid(commit))}`;
  const by = run === null ? "" : `, run ${code(run)}`;
  if (kind === "folder") return `files of this folder${at}${by}`;
  const where = ref === null ? "" : ` ${code(shortRef(ref))}`;
  return `${kind === "landed" ? "branch" : "integration branch"}${where}${at}${by}`;
}

const MARKS = { passed: "✅", warning: "⚠️", failed: "❌", unknown: "⚠️" } as const;

function renderSummary(report: IntegrationReport): string[] {
  const rows = buildSummary(report).map(
    ({ name, status, details }) => `| ${name} | ${MARKS[status]} | ${inline(details)} |`,
  );
  return ["## Summary", "", "| Check | Status | Details |", "|---|---|---|", ...rows, ""];
}

const TASK_TEXTS = {
  merged: "✅ merged",
  "changes-nothing": "✅ changed nothing",
  "not-merged": "❌ not merged",
  "no-commits": "⚠️ no commits found",
} as const;

const MOST_COMMITS = 5;

function renderTasks({ tasks }: IntegrationReport): string[] {
  const rows = tasks.map(({ task, title, wave, status, commits, files }) => {
    const shown = commits.slice(0, MOST_COMMITS).map(({ commit }) => code(shortOid(commit)));
    const more = commits.length - shown.length;
    const all = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
    return `| ${codeCell(task)} ${inline(title)} | ${wave ?? ""} | ${TASK_TEXTS[status]} | ${all} | ${files} |`;
  });
  return [
    ...["## Merged Tasks", "", "| Task | Wave | Status | Commits | Files |", "|---|---|---|---|---|"],
    ...rows,
    "",
  ];
}

function renderContracts({ endpoints, types }: IntegrationReport): string[] {
  return [
    ...["## Contract Compliance", "", "### API Endpoints", ""],
    ...(endpoints === null
      ? ["No API contract.", ""]
      : renderVerdicts(endpoints, "Endpoint", "The contract has no endpoints.")),
    ...["### Type Definitions", ""],
    ...(types === null
      ? ["No types contract.", ""]
      : renderVerdicts(types, "Type", "The contract has no types.")),
  ];
}

const VERDICTS: { readonly [S in ReportedVerdict["status"]]: string } = {
  ok: "✅",
  differs: "❌ differs",
  missing: "❌ missing",
  extra: "⚠️ not in the contract",
  unclear: "⚠️ unclear",
};

function renderVerdicts(verdicts: readonly ReportedVerdict[], head: string, none: string): string[] {
  if (verdicts.length === 0) return [none, ""];
  const rows = verdicts.map(({ about, status, at, findings }) => {
    const notes = findings.map((finding) => renderNote(finding)).join("; ");
    const place = formatPlace({ at });
    const text = notes !== "" ? notes : place === null ? "" : codeCell(place);
    return `| ${codeCell(about)} | ${VERDICTS[status]} | ${text} |`;
  });
  return [`| ${head} | Status | Notes |`, "|---|---|---|", ...rows, ""];
}

function renderNote(finding: IntegrationFinding): string {
  const place = formatPlace(finding);
  return `${renderMessage(finding.message, codeCell)}${place === null ? "" : ` (${codeCell(place)})`}`;
}

function renderBoundaries({ findings }: IntegrationReport): string[] {
  const own = findings.filter(({ area }) => area === "boundaries");
  if (own.length === 0) return ["## Boundary Violations", "", "None.", ""];
  const rows = own.map((finding) => {
    const mark = finding.weight === "must" ? "❌" : "⚠️";
    return `| ${codeCell(finding.about)} | ${codeCell(formatPlace(finding) ?? "")} | ${mark} ${renderMessage(finding.message, codeCell)} |`;
  });
  return ["## Boundary Violations", "", "| Task | File | Issue |", "|---|---|---|", ...rows, ""];
}

const REVIEWED = { met: "✅ met", deviates: "⚠️ deviates", unclear: "⚠️ unclear" } as const;

function renderReview(techSpec: SpecReview | null): string[] {
  if (techSpec === null)
    return ["## Tech Spec Compliance", "", "Not reviewed. To ask an agent: `--agent claude`.", ""];
  const { agent, model, costUsd, sections } = techSpec;
  const who = `${inline(agent)}${model === null ? "" : ` (${inline(model)})`}`;
  const cost = costUsd === null ? "" : ` Cost: ${dollars(costUsd)}.`;
  const rows = sections.map(({ section, status, text, places }) => {
    const where = places.map((at) => codeCell(formatPlace({ at }) ?? "")).join(", ");
    const notes = [inline(text), where].filter((part) => part !== "").join(" ");
    return `| ${inline(section)} | ${REVIEWED[status]} | ${notes} |`;
  });
  const sentences = sections.filter((one) => one.sentences.length > 0);
  return [
    ...["## Tech Spec Compliance", "", `Reviewed by ${who}; an opinion, never blocking.${cost}`, ""],
    ...["| Section | Status | Deviations |", "|---|---|---|", ...rows, ""],
    ...(sentences.length === 0 ? [] : ["Quoted sentences:", ""]),
    ...sentences.flatMap((one) => [
      `- ${inline(one.section)}`,
      ...one.sentences.map(({ text, line }) => `  - line ${line}: “${inline(text)}”`),
    ]),
    ...(sentences.length === 0 ? [] : [""]),
  ];
}

const CHECKED = { green: "✅", red: "❌", "not-run": "⚠️ not run" } as const;

function renderChecks(checks: IntegrationReport["checks"]): string[] {
  const head = ["## Test Results", ""];
  if (checks === null) return [...head, "Checks were not run.", ""];
  if (checks.length === 0) return [...head, "No checks found in the project.", ""];
  const rows = checks.map(
    (check) =>
      `| ${inline(check.name)} | ${codeCell(check.run)} | ${CHECKED[check.status]} | ${inline(check.summary)} | ${formatCounts(check)} | ${elapsed(check.durationMs)} |`,
  );
  const red = checks.filter(({ status, output }) => status === "red" && output.trim() !== "");
  return [
    ...head,
    ...[
      "| Check | Command | Status | Result | Passed, failed, skipped | Time |",
      "|---|---|---|---|---|---|",
    ],
    ...[...rows, ""],
    ...red.flatMap(({ name, output }) => [
      `End of the output of ${inline(name)}:`,
      "",
      ...printed(output),
      "",
    ]),
  ];
}

function formatCounts({ counts }: CheckResult): string {
  return counts === null ? "" : `${counts.passed}, ${counts.failed}, ${counts.skipped}`;
}

function renderActions({ findings }: IntegrationReport): string[] {
  const list = (weight: IntegrationFinding["weight"]) => {
    const own = findings.filter((finding) => finding.weight === weight);
    return own.length === 0 ? ["None."] : own.map(renderItem);
  };
  const hasUnclear = findings.some(({ weight }) => weight === "unclear");
  return [
    ...["## Action Items", "", "### Must Fix (Blocking)", "", ...list("must"), ""],
    ...["### Should Fix (Non-Blocking)", "", ...list("should"), ""],
    ...(hasUnclear ? ["### Unclear", "", ...list("unclear"), ""] : []),
  ];
}

function renderItem(finding: IntegrationFinding): string {
  const place = formatPlace(finding);
  const { task, commit, about } = finding;
  const who = [
    ...(task === null || task === about ? [] : [code(task)]),
    ...(commit === null ? [] : [`commit ${code(shortOid(commit))}`]),
  ].join(", ");
  return [
    `- [ ] ${place === null ? "" : `${code(place)} `}${code(about)}: ${renderMessage(finding.message, code)} (${code(finding.code)})`,
    `  - **Fix**${who === "" ? "" : ` (${who})`}: ${renderMessage(finding.fix, code)}`,
  ].join("\n");
}

/** Parts in backquotes are code; the rest is escaped. */
function renderMessage(message: string, asCode: (text: string) => string): string {
  const parts = message.split(/`([^`]+)`/);
  return parts.map((part, i) => (i % 2 === 1 ? asCode(part) : inlinePart(part))).join("");
}

const renderStep = (step: Sentence): string =>
  listParts(step)
    .map((part) => (typeof part === "string" ? inlinePart(part) : code(plainPart(part))))
    .join("");

/** Inside a sentence the spaces at the ends count. */
function inlinePart(text: string): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return `${before === "" ? "" : " "}${inner === "" ? "" : inline(inner)}${after === "" ? "" : " "}`;
}
