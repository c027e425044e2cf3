import type { TaskDraft } from "../draft.ts";
import { compile } from "../ownership/compile.ts";
import { parseClaim, parsePattern } from "../ownership/parse.ts";
import type { Claim, PathPattern } from "../ownership/pattern.ts";
import type { Located, SourceRange } from "../source.ts";
import type { Say } from "./findings.ts";
import { quoted } from "./words.ts";

/** What a task says about paths, as far as it can be used. */
export type TaskPaths = {
  readonly owns: readonly { readonly claim: Claim; readonly at: SourceRange }[];
  readonly boundary: readonly Located<PathPattern>[];
  readonly artifacts: readonly PathPattern[];
  readonly reports: readonly Located<PathPattern>[];
};

export function readPaths(task: TaskDraft, say: Say): TaskPaths {
  const id = quoted(task.id.value);
  const owns = task.owns.flatMap(({ mode, text }) => {
    const parsed = parseClaim(text.value, mode);
    if (parsed.ok) return [{ claim: parsed.claim, at: text.at }];
    sayRefused(`${id} claims`, text, { ...parsed, say });
    return [];
  });
  return {
    owns,
    boundary: readPatterns(task.boundary, `${id} has the boundary`, say),
    artifacts: readPatterns(task.artifacts, `${id} keeps`, say).map(({ value }) => value),
    reports: readReports(task, say),
  };
}

/** Where reports are decides what git does not see, so each must be clear to git too. */
function readReports({ id, reports = [] }: TaskDraft, say: Say): Located<PathPattern>[] {
  const subject = `${quoted(id.value)} reports in`;
  return readPatterns(reports, subject, say).filter(({ value, at }) => {
    const unclear = compile(value).find((way) => way.kind === "undecided");
    if (unclear === undefined) return true;
    const refusal = { problem: unclear.why, hint: "write plain globs, with *, ?, ** and {a,b}", say };
    sayRefused(subject, { value, at }, refusal);
    return false;
  });
}

/** `subject` begins the sentence that ends with the text and what is wrong with it. */
export function readPatterns(
  texts: readonly Located<string>[],
  subject: string,
  say: Say,
): Located<PathPattern>[] {
  return texts.flatMap((text) => {
    const parsed = parsePattern(text.value);
    if (parsed.ok) return [{ value: parsed.pattern, at: text.at }];
    sayRefused(subject, text, { ...parsed, say });
    return [];
  });
}

function sayRefused(
  subject: string,
  text: Located<string>,
  refusal: { readonly problem: string; readonly hint: string | null; readonly say: Say },
): void {
  const what = text.value === "" ? "a path" : quoted(text.value);
  refusal.say("bad-pattern", {
    message: `${subject} ${what}, which ${refusal.problem}`,
    at: text.at,
    hint: refusal.hint,
  });
}
