import { count } from "../../core/text/figures.ts";
import type { IntegrationArea, IntegrationFinding } from "./finding.ts";
import {
  type CheckKind,
  type CheckResult,
  countTasks,
  type IntegrationReport,
  type ReportedVerdict,
} from "./report.ts";

/** One line of the summary. `unknown`: not checked. */
export type SummaryRow = {
  readonly name: string;
  readonly status: "passed" | "warning" | "failed" | "unknown";
  readonly details: string;
};

/** The rows of the terminal, the report and the manifest. */
export function buildSummary(report: IntegrationReport): SummaryRow[] {
  return [
    mergeRow(report),
    ...completenessRows(report),
    ...requirementRows(report),
    contractRow(report),
    techSpecRow(report),
    boundaryRow(report),
    ...checkRows(report.checks),
  ];
}

function mergeRow(report: IntegrationReport): SummaryRow {
  const { done, all } = countTasks(report);
  const details = `${done} of ${count(all, "task")} merged`;
  return { name: "Branch Merge", status: readStatus(report.findings, ["tasks"]), details };
}

/** Only if something is missing. */
function completenessRows({ findings }: IntegrationReport): SummaryRow[] {
  const own = findings.filter(({ area }) => area === "completeness");
  const n = (code: IntegrationFinding["code"]) => own.filter((one) => one.code === code).length;
  const parts = [
    [n("scope-file-missing"), "missing file"],
    [n("stub-left"), "stub"],
    [n("version-changed"), "changed version"],
  ] as const;
  const counts = parts.filter(([many]) => many > 0).map(([many, what]) => count(many, what));
  if (counts.length === 0) return [];
  return [
    { name: "Completeness", status: readStatus(findings, ["completeness"]), details: counts.join(", ") },
  ];
}

/** Only for plans that list the requirements they cover. */
function requirementRows({ requirements, findings }: IntegrationReport): SummaryRow[] {
  if (requirements === null) return [];
  const asked = requirements.filter(({ status }) => status !== "out-of-scope");
  const merged = asked.filter(({ status }) => status === "merged").length;
  const left = requirements.length - asked.length;
  const details = `${merged} of ${count(asked.length, "requirement")} merged${left === 0 ? "" : `, ${left} out of scope`}`;
  const status = readStatus(findings, ["requirements"]);
  const isPart = status === "passed" && merged < asked.length;
  return [{ name: "Requirements", status: isPart ? "warning" : status, details }];
}

function contractRow({ types, endpoints, findings }: IntegrationReport): SummaryRow {
  const parts = [
    ...(endpoints === null ? [] : [formatVerdicts(endpoints, "endpoint")]),
    ...(types === null ? [] : [formatVerdicts(types, "type")]),
  ];
  // Findings that were joined to another cause still count for the contract.
  const all = [...findings, ...[...(endpoints ?? []), ...(types ?? [])].flatMap((one) => one.findings)];
  const status = parts.length === 0 ? "unknown" : readStatus(all, ["endpoints", "types"]);
  return {
    name: "Contract Compliance",
    status,
    details: parts.length === 0 ? "no contract" : parts.join(", "),
  };
}

/** `3 of 4 endpoints (1 unclear)`. */
function formatVerdicts(verdicts: readonly ReportedVerdict[], what: string): string {
  const asked = verdicts.filter(({ status }) => status !== "extra");
  if (asked.length === 0) return `no ${what}s in the contract`;
  const ok = asked.filter(({ status }) => status === "ok").length;
  const unclear = asked.filter(({ status }) => status === "unclear").length;
  return `${ok} of ${count(asked.length, what)}${unclear === 0 ? "" : ` (${unclear} unclear)`}`;
}

function techSpecRow({ techSpec, findings }: IntegrationReport): SummaryRow {
  const name = "Tech Spec Compliance";
  if (techSpec === null) return { name, status: "unknown", details: "not reviewed" };
  const met = techSpec.sections.filter(({ status }) => status === "met").length;
  const unclear = techSpec.sections.filter(({ status }) => status === "unclear").length;
  const more = unclear === 0 ? "" : `, ${unclear} unclear`;
  const details = `${met} of ${count(techSpec.sections.length, "section")} met${more}, reviewed by ${techSpec.agent}`;
  return { name, status: readStatus(findings, ["tech-spec"]), details };
}

function boundaryRow({ findings, tasks }: IntegrationReport): SummaryRow {
  const name = "Boundary Violations";
  const own = findings.filter(({ area }) => area === "boundaries");
  if (own.length === 0 && tasks.every(({ status }) => status === "no-commits" || status === "not-merged"))
    return { name, status: "unknown", details: "no commits to check" };
  const countWeight = (wanted: IntegrationFinding["weight"]) =>
    own.filter(({ weight }) => weight === wanted).length;
  const [must, should, unclear] = [countWeight("must"), countWeight("should"), countWeight("unclear")];
  const details = [
    ...(must > 0 ? [`${must}`] : should > 0 ? [] : ["none"]),
    ...(should > 0 ? [`${should} non-blocking`] : []),
    ...(unclear > 0 ? [`${unclear} unclear`] : []),
  ];
  return { name, status: readStatus(findings, ["boundaries"]), details: details.join(", ") };
}

const KINDS: readonly (readonly [CheckKind, string])[] = [
  ["tests", "Tests"],
  ["types", "Type Check"],
  ["lint", "Lint"],
  ["build", "Build"],
  ["migrations", "Migrations"],
];
/** These rows are shown even without such a check. */
const ALWAYS: ReadonlySet<CheckKind> = new Set(["tests", "types", "lint"]);

function checkRows(checks: IntegrationReport["checks"]): SummaryRow[] {
  return KINDS.flatMap(([kind, name]): SummaryRow[] => {
    const own = (checks ?? []).filter((check) => check.kind === kind);
    if (own.length > 0)
      return [
        {
          name,
          status: readCheckStatus(own),
          details: own.map((one) => `${one.name}: ${one.summary}`).join("; "),
        },
      ];
    if (!ALWAYS.has(kind)) return [];
    const details = checks === null ? "not run" : "none found";
    return [{ name, status: "unknown", details }];
  });
}

function readCheckStatus(checks: readonly CheckResult[]): SummaryRow["status"] {
  if (checks.some(({ status }) => status === "red")) return "failed";
  return checks.some(({ status }) => status === "not-run") ? "warning" : "passed";
}

function readStatus(
  findings: readonly IntegrationFinding[],
  areas: readonly IntegrationArea[],
): SummaryRow["status"] {
  const own = findings.filter(({ area }) => areas.includes(area));
  if (own.some(({ weight }) => weight === "must")) return "failed";
  return own.length > 0 ? "warning" : "passed";
}

/** `app/models.py:12`. */
export function formatPlace({ at }: Pick<IntegrationFinding, "at">): string | null {
  if (at === null) return null;
  return at.line === null ? at.file : `${at.file}:${at.line}`;
}
