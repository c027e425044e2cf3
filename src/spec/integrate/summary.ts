import { count } from "../../core/select/preview/words.ts";
import type { IntegrationArea, IntegrationFinding } from "./finding.ts";
import {
  type CheckKind,
  type CheckResult,
  countTasks,
  type IntegrationReport,
  type ReportedVerdict,
} from "./report.ts";

/** One line of the summary. `unknown`: nothing was looked at, or nobody can tell. */
export type SummaryRow = {
  readonly name: string;
  readonly status: "passed" | "warning" | "failed" | "unknown";
  readonly details: string;
};

/** The same rows in the terminal, in the report and in the manifest. */
export function summaryRows(report: IntegrationReport): SummaryRow[] {
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
  return { name: "Branch Merge", status: statusOf(report.findings, ["tasks"]), details };
}

/** Said where something is missing: nobody can count what is not. */
function completenessRows({ findings }: IntegrationReport): SummaryRow[] {
  const own = findings.filter(({ area }) => area === "completeness");
  const n = (code: IntegrationFinding["code"]) => own.filter((one) => one.code === code).length;
  const parts = [
    [n("scope-file-missing"), "missing file"],
    [n("stub-left"), "stub"],
    [n("version-changed"), "changed version"],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, what]) => count(many, what));
  if (told.length === 0) return [];
  return [{ name: "Completeness", status: statusOf(findings, ["completeness"]), details: told.join(", ") }];
}

/** Only of plans that say what they cover. */
function requirementRows({ requirements, findings }: IntegrationReport): SummaryRow[] {
  if (requirements === null) return [];
  const asked = requirements.filter(({ status }) => status !== "out-of-scope");
  const merged = asked.filter(({ status }) => status === "merged").length;
  const left = requirements.length - asked.length;
  const details = `${merged} of ${count(asked.length, "requirement")} merged${left === 0 ? "" : `, ${left} out of scope`}`;
  const status = statusOf(findings, ["requirements"]);
  const isPart = status === "passed" && merged < asked.length;
  return [{ name: "Requirements", status: isPart ? "warning" : status, details }];
}

function contractRow({ types, endpoints, findings }: IntegrationReport): SummaryRow {
  const parts = [
    ...(endpoints === null ? [] : [verdictsText(endpoints, "endpoint")]),
    ...(types === null ? [] : [verdictsText(types, "type")]),
  ];
  // Those that were joined to another cause are still those of the contract.
  const all = [...findings, ...[...(endpoints ?? []), ...(types ?? [])].flatMap((one) => one.findings)];
  const status = parts.length === 0 ? "unknown" : statusOf(all, ["endpoints", "types"]);
  return {
    name: "Contract Compliance",
    status,
    details: parts.length === 0 ? "no contract to compare with" : parts.join(", "),
  };
}

/** What the contract has, and how much of it is as it says. */
function verdictsText(verdicts: readonly ReportedVerdict[], what: string): string {
  const asked = verdicts.filter(({ status }) => status !== "extra");
  if (asked.length === 0) return `no ${what}s in the contract`;
  const ok = asked.filter(({ status }) => status === "ok").length;
  const unclear = asked.filter(({ status }) => status === "cannot-tell").length;
  return `${ok} of ${count(asked.length, what)}${unclear === 0 ? "" : ` (${unclear} cannot be told)`}`;
}

function techSpecRow({ techSpec, findings }: IntegrationReport): SummaryRow {
  const name = "Tech Spec Compliance";
  if (techSpec === null) return { name, status: "unknown", details: "not judged: no agent was asked" };
  const met = techSpec.sections.filter(({ status }) => status === "met").length;
  const unclear = techSpec.sections.filter(({ status }) => status === "cannot-tell").length;
  const told = unclear === 0 ? "met" : `met, ${unclear} cannot be told`;
  const details = `${met} of ${count(techSpec.sections.length, "section")} ${told}, as ${techSpec.agent} judges`;
  return { name, status: statusOf(findings, ["tech-spec"]), details };
}

function boundaryRow({ findings, tasks }: IntegrationReport): SummaryRow {
  const name = "Boundary Violations";
  const own = findings.filter(({ area }) => area === "boundaries");
  if (own.length === 0 && tasks.every(({ status }) => status === "no-commits" || status === "not-merged"))
    return { name, status: "unknown", details: "no commits to look at" };
  const weighing = (wanted: IntegrationFinding["weight"]) =>
    own.filter(({ weight }) => weight === wanted).length;
  const [must, should, unclear] = [weighing("must"), weighing("should"), weighing("cannot-tell")];
  const details = [
    ...(must > 0 ? [`${must}`] : should > 0 ? [] : ["none"]),
    ...(should > 0 ? [`${should} non-blocking`] : []),
    ...(unclear > 0 ? [`${unclear} cannot be told`] : []),
  ];
  return { name, status: statusOf(findings, ["boundaries"]), details: details.join(", ") };
}

const KINDS: readonly (readonly [CheckKind, string])[] = [
  ["tests", "Tests"],
  ["types", "Type Check"],
  ["lint", "Lint"],
  ["build", "Build"],
  ["migrations", "Migrations"],
];
/** These rows are there even where no such check is: that nothing was tested is worth a line. */
const ALWAYS: ReadonlySet<CheckKind> = new Set(["tests", "types", "lint"]);

function checkRows(checks: IntegrationReport["checks"]): SummaryRow[] {
  return KINDS.flatMap(([kind, name]): SummaryRow[] => {
    const own = (checks ?? []).filter((check) => check.kind === kind);
    if (own.length > 0) return [{ name, status: checksStatus(own), details: own.map(checkText).join("; ") }];
    if (!ALWAYS.has(kind)) return [];
    const details = checks === null ? "not run" : "the project has none that plait knows";
    return [{ name, status: "unknown", details }];
  });
}

function checksStatus(checks: readonly CheckResult[]): SummaryRow["status"] {
  if (checks.some(({ status }) => status === "red")) return "failed";
  return checks.some(({ status }) => status === "not-run") ? "warning" : "passed";
}

const checkText = ({ name, summary }: CheckResult): string => `${name}: ${summary}`;

function statusOf(
  findings: readonly IntegrationFinding[],
  areas: readonly IntegrationArea[],
): SummaryRow["status"] {
  const own = findings.filter(({ area }) => areas.includes(area));
  if (own.some(({ weight }) => weight === "must")) return "failed";
  return own.length > 0 ? "warning" : "passed";
}

/** `app/models.py:12`. */
export function placeText({ at }: Pick<IntegrationFinding, "at">): string | null {
  if (at === null) return null;
  return at.line === null ? at.file : `${at.file}:${at.line}`;
}
