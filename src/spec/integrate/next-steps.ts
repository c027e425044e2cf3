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
      ...fixSteps(report),
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
function fixSteps(report: IntegrationReport): string[] {
  const must = report.findings.filter(({ weight }) => weight === "must");
  const asked = tasksToFix(report);
  const sent = must.filter(({ task }) => task !== null && asked.includes(task));
  const rest = must.filter((one) => !sent.includes(one));
  const named = report.tasks.map(({ task }) => task).filter((task) => rest.some((one) => one.task === task));
  const whose = named.length === 0 ? "" : ` in ${named.join(", ")}`;
  const sending = `Send ${count(sent.length, "blocking finding")} to the agents of ${asked.join(", ")}`;
  return [
    ...(sent.length === 0 ? [] : [`${sending}: \`${fixCommand(report)}\`.`]),
    ...(rest.length === 0 ? [] : [`Fix ${count(rest.length, "blocking finding")}${whose}.`]),
  ];
}

/** Merged tasks with blocking findings: their agents can be asked. */
function tasksToFix({ tasks, findings }: IntegrationReport): string[] {
  const blocked = new Set(findings.filter(({ weight }) => weight === "must").map(({ task }) => task));
  return tasks.filter(({ task, status }) => status === "merged" && blocked.has(task)).map(({ task }) => task);
}

const fixCommand = (report: IntegrationReport): string => `${againCommand(report)} --fix`;

/** The first of them that can be typed; null: there is none. */
export function nextCommandOf(report: IntegrationReport): string | null {
  const { judged, findings } = report;
  if (tasksToFix(report).length > 0) return fixCommand(report);
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
