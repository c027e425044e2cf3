import { count } from "../../core/select/preview/words.ts";
import { dollars, elapsed, shortOid, shortRef } from "../../core/select/run-words.ts";
import { code, codeCell, inline, printed } from "../../util/markdown-text.ts";
import type { IntegrationFinding } from "./finding.ts";
import { nextSteps } from "./next-steps.ts";
import {
  type CheckResult,
  countTasks,
  type IntegrationReport,
  type ReportedVerdict,
  type SpecJudgement,
} from "./report.ts";
import { requirementSection } from "./requirements.ts";
import { placeText, type SummaryRow, summaryRows } from "./summary.ts";

/** integration-report.md, with the sections that people and tools know from the older system. */
export function reportMarkdown(report: IntegrationReport): string {
  const lines = [
    "# Integration Report",
    "",
    ...header(report),
    ...summary(report),
    ...tasksSection(report),
    ...requirementSection(report.requirements),
    ...contractSection(report),
    ...boundarySection(report),
    ...techSpecSection(report.techSpec),
    ...testSection(report.checks),
    ...actionItems(report),
    ...["## Next Steps", "", ...nextSteps(report).map((step, i) => `${i + 1}. ${step}`), ""],
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function header(report: IntegrationReport): string[] {
  const { generatedAt, subject, judged, unknown } = report;
  const { done, all } = countTasks(report);
  const spec = [subject.techSpecId, subject.techSpec].filter((part) => part !== null);
  const rows: [string, string][] = [
    ["Generated", inline(generatedAt)],
    [subject.isFolder ? "Parallel Dir" : "Plan", code(subject.path)],
    ["Source PRD", subject.prd === null ? "none" : code(subject.prd)],
    ["Tech Spec", spec.length === 0 ? "none" : spec.map(code).join(", ")],
    ["Tasks Integrated", `${done} of ${all}`],
    ["Judged", judgedText(judged)],
    ...(unknown.length === 0 ? [] : [["Unclear", inline(unknown.join(", "))] as [string, string]]),
  ];
  return [...rows.map(([name, text]) => `- **${name}:** ${text}`), ""];
}

/** Which files it is about, so that nobody takes it for a word about others. */
function judgedText({ kind, ref, commit, run }: IntegrationReport["judged"]): string {
  const at = commit === null ? "" : `, commit ${code(shortOid(commit))}`;
  const by = run === null ? "" : `, run ${code(run)}`;
  if (kind === "folder") return `the files of this folder${at}${by}`;
  const where = ref === null ? "" : ` ${code(shortRef(ref))}`;
  return `${kind === "landed" ? "the branch" : "the integration branch"}${where}${at}${by}`;
}

const MARKS: { readonly [S in SummaryRow["status"]]: string } = {
  passed: "✅",
  warning: "⚠️",
  failed: "❌",
  unknown: "⚠️",
};

function summary(report: IntegrationReport): string[] {
  const rows = summaryRows(report).map(
    ({ name, status, details }) => `| ${name} | ${MARKS[status]} | ${inline(details)} |`,
  );
  return ["## Summary", "", "| Check | Status | Details |", "|---|---|---|", ...rows, ""];
}

const TASK_WORDS = {
  merged: "✅ merged",
  "changes-nothing": "✅ changed nothing",
  "not-merged": "❌ not merged",
  "no-commits": "⚠️ no commits known",
} as const;

const MOST_COMMITS = 5;

function tasksSection({ tasks }: IntegrationReport): string[] {
  const rows = tasks.map(({ task, title, wave, status, commits, files }) => {
    const shown = commits.slice(0, MOST_COMMITS).map(({ commit }) => code(shortOid(commit)));
    const more = commits.length - shown.length;
    const all = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
    return `| ${codeCell(task)} ${inline(title)} | ${wave ?? ""} | ${TASK_WORDS[status]} | ${all} | ${files} |`;
  });
  return [
    ...["## Merged Tasks", "", "| Task | Wave | Status | Commits | Files |", "|---|---|---|---|---|"],
    ...rows,
    "",
  ];
}

function contractSection({ endpoints, types }: IntegrationReport): string[] {
  return [
    ...["## Contract Compliance", "", "### API Endpoints", ""],
    ...(endpoints === null
      ? ["No API contract was compared.", ""]
      : verdictTable(endpoints, "Endpoint", "The contract has no endpoints.")),
    ...["### Type Definitions", ""],
    ...(types === null
      ? ["No types contract was compared.", ""]
      : verdictTable(types, "Type", "The contract has no types.")),
  ];
}

const VERDICTS: { readonly [S in ReportedVerdict["status"]]: string } = {
  ok: "✅",
  differs: "❌ differs",
  missing: "❌ missing",
  extra: "⚠️ not in the contract",
  "cannot-tell": "⚠️ cannot be told",
};

function verdictTable(verdicts: readonly ReportedVerdict[], head: string, none: string): string[] {
  if (verdicts.length === 0) return [none, ""];
  const rows = verdicts.map(({ about, status, at, findings }) => {
    const notes = findings.map((finding) => notesOf(finding)).join("; ");
    const place = placeText({ at });
    const said = notes !== "" ? notes : place === null ? "" : codeCell(place);
    return `| ${codeCell(about)} | ${VERDICTS[status]} | ${said} |`;
  });
  return [`| ${head} | Status | Notes |`, "|---|---|---|", ...rows, ""];
}

function notesOf(finding: IntegrationFinding): string {
  const place = placeText(finding);
  return `${sentence(finding.message, codeCell)}${place === null ? "" : ` (${codeCell(place)})`}`;
}

function boundarySection({ findings }: IntegrationReport): string[] {
  const own = findings.filter(({ area }) => area === "boundaries");
  if (own.length === 0) return ["## Boundary Violations", "", "None.", ""];
  const rows = own.map((finding) => {
    const mark = finding.weight === "must" ? "❌" : "⚠️";
    return `| ${codeCell(finding.about)} | ${codeCell(placeText(finding) ?? "")} | ${mark} ${sentence(finding.message, codeCell)} |`;
  });
  return ["## Boundary Violations", "", "| Task | File | Issue |", "|---|---|---|", ...rows, ""];
}

const JUDGED = { met: "✅ met", deviates: "⚠️ deviates", "cannot-tell": "⚠️ cannot be told" } as const;

function techSpecSection(techSpec: SpecJudgement | null): string[] {
  if (techSpec === null)
    return ["## Tech Spec Compliance", "", "Not judged: no agent was asked (`--agent claude`).", ""];
  const { agent, model, costUsd, sections } = techSpec;
  const who = `${inline(agent)}${model === null ? "" : ` (${inline(model)})`}`;
  const cost = costUsd === null ? "" : ` It cost ${dollars(costUsd)}.`;
  const rows = sections.map(({ section, status, says, places }) => {
    const where = places.map((at) => codeCell(placeText({ at }) ?? "")).join(", ");
    const said = [inline(says), where].filter((part) => part !== "").join(" ");
    return `| ${inline(section)} | ${JUDGED[status]} | ${said} |`;
  });
  const sentences = sections.filter((one) => one.sentences.length > 0);
  return [
    ...["## Tech Spec Compliance", "", `A judgement by ${who}, not a proof.${cost}`, ""],
    ...["| Section | Status | Deviations |", "|---|---|---|", ...rows, ""],
    ...(sentences.length === 0 ? [] : ["The sentences that it rests on:", ""]),
    ...sentences.flatMap((one) => [
      `- ${inline(one.section)}`,
      ...one.sentences.map(({ text, line }) => `  - line ${line}: “${inline(text)}”`),
    ]),
    ...(sentences.length === 0 ? [] : [""]),
  ];
}

const CHECKED = { green: "✅", red: "❌", "not-run": "⚠️ not run" } as const;

function testSection(checks: IntegrationReport["checks"]): string[] {
  const head = ["## Test Results", ""];
  if (checks === null) return [...head, "No checks were run.", ""];
  if (checks.length === 0) return [...head, "The project has no checks that plait knows.", ""];
  const rows = checks.map(
    (check) =>
      `| ${inline(check.name)} | ${codeCell(check.run)} | ${CHECKED[check.status]} | ${inline(check.summary)} | ${countsText(check)} | ${elapsed(check.durationMs)} |`,
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
      `The end of what ${inline(name)} printed:`,
      "",
      ...printed(output),
      "",
    ]),
  ];
}

function countsText({ counts }: CheckResult): string {
  return counts === null ? "" : `${counts.passed}, ${counts.failed}, ${counts.skipped}`;
}

function actionItems({ findings }: IntegrationReport): string[] {
  const list = (weight: IntegrationFinding["weight"]) => {
    const own = findings.filter((finding) => finding.weight === weight);
    return own.length === 0 ? ["None."] : own.map(itemText);
  };
  const unclear = findings.filter(({ weight }) => weight === "cannot-tell").length;
  return [
    ...["## Action Items", "", "### Must Fix (Blocking)", "", ...list("must"), ""],
    ...["### Should Fix (Non-Blocking)", "", ...list("should"), ""],
    ...(unclear === 0
      ? []
      : [`### Cannot Be Told (${count(unclear, "item")} to look at)`, "", ...list("cannot-tell"), ""]),
  ];
}

function itemText(finding: IntegrationFinding): string {
  const place = placeText(finding);
  const { task, commit, about } = finding;
  const who = [
    ...(task === null || task === about ? [] : [code(task)]),
    ...(commit === null ? [] : [`commit ${code(shortOid(commit))}`]),
  ].join(", ");
  return [
    `- [ ] ${place === null ? "" : `${code(place)} `}${code(about)}: ${sentence(finding.message, code)} (${code(finding.code)})`,
    `  - **Fix**${who === "" ? "" : ` (${who})`}: ${sentence(finding.fix, code)}`,
  ].join("\n");
}

/** What stands in backquotes in a message is code here too; all else is text, whatever it is made of. */
function sentence(message: string, asCode: (text: string) => string): string {
  const parts = message.split(/`([^`]+)`/);
  return parts.map((part, i) => (i % 2 === 1 ? asCode(part) : inlinePart(part))).join("");
}

/** In the middle of a sentence the blanks at the ends count. */
function inlinePart(text: string): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return `${before === "" ? "" : " "}${inner === "" ? "" : inline(inner)}${after === "" ? "" : " "}`;
}
