import { shellWord } from "../../core/select/preview/commands.ts";
import { type IntegrationReport, isBlocked } from "./report.ts";

/** What to do now, in the order in which to do it; commands are in backquotes. */
export function nextSteps(report: IntegrationReport): string[] {
  const { subject, judged } = report;
  const again = againCommand(report);
  if (isBlocked(report)) {
    const unmerged = report.tasks.some(({ status }) => status === "not-merged");
    return [
      ...(unmerged && judged.run !== null
        ? [`See what keeps tasks from being merged: \`plait status ${shellWord(judged.run)}\`.`]
        : []),
      "Mend what must be fixed, by hand or with a task of its own.",
      `Look again: \`${again}\`.`,
    ];
  }
  return [
    ...(judged.kind === "integration" && judged.run !== null
      ? [`Land it: \`plait land ${shellWord(judged.run)}\`.`]
      : []),
    ...(report.checks === null
      ? [`Run the checks of the project: \`${again}\` without \`--no-checks\`.`]
      : []),
    ...(report.findings.length > 0 ? ["Look at what should be fixed, and at what could not be told."] : []),
    ...(subject.techSpecId === null
      ? []
      : [`The spec is built: \`plait spec status ${shellWord(subject.techSpecId)} --set reference\`.`]),
    ...(subject.techSpecId === null && judged.kind === "landed" ? ["Nothing is left to do."] : []),
  ];
}

/** The command that made the report. */
function againCommand({ subject }: Pick<IntegrationReport, "subject">): string {
  const path = shellWord(subject.path);
  return subject.isFolder ? `plait spec integrate --parallel-dir ${path}` : `plait integrate ${path}`;
}
