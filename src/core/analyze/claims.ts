import type { TaskDraft } from "../draft.ts";
import { compile } from "../ownership/compile.ts";
import { parseClaim, parsePattern } from "../ownership/parse.ts";
import type { Claim, PathPattern } from "../ownership/pattern.ts";
import type { Located, SourceRange } from "../source.ts";
import { quoted } from "../text/figures.ts";
import type { ReportFinding } from "./findings.ts";

/** What a task says about paths, as far as it can be used. */
export type TaskPaths = {
  readonly owns: readonly { readonly claim: Claim; readonly at: SourceRange }[];
  readonly boundary: readonly Located<PathPattern>[];
  readonly artifacts: readonly PathPattern[];
  readonly reports: readonly Located<PathPattern>[];
};

export function readPaths(task: TaskDraft, report: ReportFinding): TaskPaths {
  const id = quoted(task.id.value);
  const owns = task.owns.flatMap(({ mode, text }) => {
    const parsed = parseClaim(text.value, mode);
    if (parsed.ok) return [{ claim: parsed.claim, at: text.at }];
    reportRefused(`${id} owns`, text, { ...parsed, report });
    return [];
  });
  return {
    owns,
    boundary: readPatterns(task.boundary, `${id} has the boundary`, report),
    artifacts: readPatterns(task.artifacts, `${id} has the artifact`, report).map(({ value }) => value),
    reports: readReports(task, report),
  };
}

/** Where reports are decides what git does not see, so each must be clear to git too. */
function readReports({ id, reports = [] }: TaskDraft, report: ReportFinding): Located<PathPattern>[] {
  const subject = `${quoted(id.value)} writes its report to`;
  return readPatterns(reports, subject, report).filter(({ value, at }) => {
    const unclear = compile(value).find((way) => way.kind === "undecided");
    if (unclear === undefined) return true;
    const refusal = { problem: unclear.why, hint: "use a plain glob: `reports/*.md`", report };
    reportRefused(subject, { value, at }, refusal);
    return false;
  });
}

/** `subject` begins the sentence that ends with the text and what is wrong with it. */
export function readPatterns(
  texts: readonly Located<string>[],
  subject: string,
  report: ReportFinding,
): Located<PathPattern>[] {
  return texts.flatMap((text) => {
    const parsed = parsePattern(text.value);
    if (parsed.ok) return [{ value: parsed.pattern, at: text.at }];
    reportRefused(subject, text, { ...parsed, report });
    return [];
  });
}

function reportRefused(
  subject: string,
  text: Located<string>,
  refusal: { readonly problem: string; readonly hint: string | null; readonly report: ReportFinding },
): void {
  const { problem, hint: fix, report } = refusal;
  report("bad-pattern", { subject, path: text.value, problem, fix }, text.at);
}
