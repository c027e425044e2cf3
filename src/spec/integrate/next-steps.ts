import { type Command, plait, withFlags } from "../../core/text/command.ts";
import { count } from "../../core/text/figures.ts";
import { fix, type Sentence, withPeriod } from "../../core/text/sentence.ts";
import { type IntegrationReport, isBlocked, isGreen } from "./report.ts";

/** What to do now, in order. */
export const listNextSteps = (report: IntegrationReport): Sentence[] => listSteps(report).map(withPeriod);

function listSteps(report: IntegrationReport): Sentence[] {
  const { subject, judged, tasks } = report;
  const again = buildCommand(report);
  if (isBlocked(report)) {
    if (tasks.every(({ status }) => status === "no-commits"))
      return [fix("Run the tasks", plait("run", subject.path)), fix("Check again", again)];
    const isUnmerged = tasks.some(({ status }) => status === "not-merged");
    return [
      ...(isUnmerged && judged.run !== null
        ? [fix("See why tasks are not merged", plait("status", judged.run))]
        : []),
      ...listFixSteps(report),
      fix("Check again", again),
    ];
  }
  if (!isGreen(report))
    return [
      `Add checks or contracts for the unclear areas: ${report.unknown.join(", ")}`,
      fix("Or accept them", withFlags(again, { "allow-unknown": true })),
    ];
  const land = buildLand(report);
  const built = buildSetReference(report);
  return [
    ...(land === null ? [] : [fix("Land the run", land)]),
    ...(report.checks === null ? [fix("Run the project's checks", again)] : []),
    ...(report.findings.length > 0 ? ["Review the non-blocking and unclear findings"] : []),
    ...(built === null ? [] : [fix("Mark the spec as implemented", built)]),
    ...(land === null && built === null ? ["Nothing left to do"] : []),
  ];
}

/** Names only tasks that have something to fix. */
function listFixSteps(report: IntegrationReport): Sentence[] {
  const must = report.findings.filter(({ weight }) => weight === "must");
  const asked = listTasksToFix(report);
  const sent = must.filter(({ task }) => task !== null && asked.includes(task));
  const rest = must.filter((one) => !sent.includes(one));
  const named = report.tasks.map(({ task }) => task).filter((task) => rest.some((one) => one.task === task));
  const sending = `Send ${count(sent.length, "blocking finding")} to the agents of ${asked.join(", ")}`;
  const fixing = `Fix ${count(rest.length, "blocking finding")}`;
  return [
    ...(sent.length === 0 ? [] : [fix(sending, buildFix(report))]),
    ...(rest.length === 0 ? [] : [named.length === 0 ? fixing : `${fixing} in ${named.join(", ")}`]),
  ];
}

/** Merged tasks with blocking findings: their agents can fix them. */
function listTasksToFix({ tasks, findings }: IntegrationReport): string[] {
  const blocked = new Set(findings.filter(({ weight }) => weight === "must").map(({ task }) => task));
  return tasks.filter(({ task, status }) => status === "merged" && blocked.has(task)).map(({ task }) => task);
}

/** The first of the steps that is a command; null: there is none. */
export function findNextCommand(report: IntegrationReport): Command | null {
  if (listTasksToFix(report).length > 0) return buildFix(report);
  const first = report.findings.find(({ weight }) => weight === "must");
  if (first !== undefined) return plait("explain", first.code);
  if (!isGreen(report)) return withFlags(buildCommand(report), { "allow-unknown": true });
  return buildLand(report) ?? buildSetReference(report);
}

const buildFix = (report: IntegrationReport): Command => withFlags(buildCommand(report), { fix: true });

const buildLand = ({ judged: { kind, run } }: IntegrationReport): Command | null =>
  kind === "integration" && run !== null ? plait("land", run) : null;

/** Only for a spec that is approved and exists. */
function buildSetReference({ subject: { techSpec, techSpecId } }: IntegrationReport): Command | null {
  const isApproved = techSpec?.split("/").includes("approved") ?? false;
  return techSpecId === null || !isApproved ? null : plait("spec status", techSpecId, { set: "reference" });
}

/** The command that made the report. */
function buildCommand({ subject: { path, isFolder } }: Pick<IntegrationReport, "subject">): Command {
  return isFolder ? plait("spec integrate", [], { "parallel-dir": path }) : plait("integrate", path);
}
