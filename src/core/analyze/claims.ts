import type { TaskDraft } from "../draft.ts";
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
  readonly reports: readonly PathPattern[];
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
    reports: readPatterns(task.reports ?? [], `${id} reports in`, say).map(({ value }) => value),
  };
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
