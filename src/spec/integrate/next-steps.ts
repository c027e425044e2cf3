import { shellWord } from "../../core/select/preview/commands.ts";
import { count } from "../../core/select/preview/words.ts";
import { type IntegrationReport, isBlocked, isGreen } from "./report.ts";

/** What to do now, in the order in which to do it; commands are in backquotes. */
export function nextSteps(report: IntegrationReport): string[] {
  const { subject, judged } = report;
  const again = againCommand(report);
  if (isBlocked(report)) {
    const unmerged = report.tasks.some(({ status }) => status === "not-merged");
    if (report.tasks.every(({ status }) => status === "no-commits"))
      return [`Have the tasks done: \`plait run ${shellWord(subject.path)}\`.`, `Then: \`${again}\`.`];
    return [
      ...(unmerged && judged.run !== null
        ? [`See what keeps tasks from being merged: \`plait status ${shellWord(judged.run)}\`.`]
        : []),
      fixStep(report),
      `Look again: \`${again}\`.`,
    ];
  }
  if (!isGreen(report))
    return [
      `Make the unclear areas checkable: ${report.unknown.join(", ")}.`,
      `Or accept them: \`${again} --allow-unknown\`.`,
    ];
  const isToLand = judged.kind === "integration" && judged.run !== null;
  const isBuilt = builtSpec(report) !== null;
  return [
    ...(judged.kind === "integration" && judged.run !== null
      ? [`Land it: \`plait land ${shellWord(judged.run)}\`.`]
      : []),
    ...(report.checks === null
      ? [`Run the checks of the project: \`${again}\` without \`--no-checks\`.`]
      : []),
    ...(report.findings.length > 0 ? ["Look at what should be fixed, and at what could not be told."] : []),
    ...(isBuilt ? [`The spec is built: \`${builtSpec(report)}\`.`] : []),
    ...(isBuilt || isToLand ? [] : ["Nothing is left to do."]),
  ];
}

/** Only tasks that have something to fix are named. */
function fixStep({ tasks, findings }: IntegrationReport): string {
  const must = findings.filter(({ weight }) => weight === "must");
  const named = tasks.map(({ task }) => task).filter((task) => must.some((one) => one.task === task));
  const whose = named.length === 0 ? "" : ` in ${named.join(", ")}`;
  return `Fix ${count(must.length, "blocking finding")}${whose}.`;
}

/** The first of them that can be typed; null: there is none. */
export function nextCommandOf(report: IntegrationReport): string | null {
  const { judged, findings } = report;
  const first = findings.find(({ weight }) => weight === "must");
  if (first !== undefined) return `plait explain ${first.code}`;
  if (!isGreen(report)) return `${againCommand(report)} --allow-unknown`;
  if (judged.kind === "integration" && judged.run !== null) return `plait land ${shellWord(judged.run)}`;
  return builtSpec(report);
}

/** Of a spec that is approved and found: any other has nowhere to go from here. */
function builtSpec({ subject: { techSpec, techSpecId } }: IntegrationReport): string | null {
  const isApproved = techSpec?.split("/").includes("approved") ?? false;
  return techSpecId === null || !isApproved
    ? null
    : `plait spec status ${shellWord(techSpecId)} --set reference`;
}

/** The command that made the report. */
function againCommand({ subject }: Pick<IntegrationReport, "subject">): string {
  const path = shellWord(subject.path);
  return subject.isFolder ? `plait spec integrate --parallel-dir ${path}` : `plait integrate ${path}`;
}
