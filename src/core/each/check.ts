import { listed, quoted } from "../analyze/words.ts";
import type { EachSource, EachVariable, PlanDraft } from "../draft.ts";
import { compile } from "../ownership/compile.ts";
import { parsePattern } from "../ownership/parse.ts";
import { type Diagnostic, diagnostic, type Located, type SourceRange } from "../source.ts";
import type { EachCode } from "./codes.ts";
import { NAME } from "./variables.ts";

/** What is wrong with variables before anybody looks for their values, which are then not looked for. */
export type CheckedEach = {
  readonly diagnostics: readonly Diagnostic[];
  readonly sound: readonly EachVariable[];
};

export function checkEach(draft: PlanDraft): CheckedEach {
  const diagnostics: Diagnostic[] = [];
  const sound: EachVariable[] = [];
  for (const task of draft.tasks) {
    if (task.each?.length === 0) {
      const message = `${quoted(task.id.value)} has an each without a variable`;
      diagnostics.push(bad(message, task.id.at, "write each: { file: src/**/*.js }, or delete it"));
    }
    for (const variable of task.each ?? []) {
      const found = [...nameProblems(variable), ...sourceProblems(variable)];
      diagnostics.push(...found);
      if (found.length === 0) sound.push(variable);
    }
  }
  return { diagnostics, sound };
}

function nameProblems({ name }: EachVariable): Diagnostic[] {
  if (NAME.test(name.value)) return [];
  const message = `the variable ${quoted(name.value)} of each has a name that cannot be used`;
  return [
    bad(message, name.at, "begin with a letter; letters a-z, digits, dashes and underscores may follow"),
  ];
}

function sourceProblems({ name, source }: EachVariable): Diagnostic[] {
  switch (source.kind) {
    case "files":
      if (source.patterns.length === 0)
        return [bad(`{${name.value}} has neither files nor command`, name.at, null)];
      return [...source.patterns, ...source.exclude].flatMap(patternProblems);
    case "values":
      return valueProblems(source.values);
    case "command":
      return [];
  }
}

function patternProblems({ value, at }: Located<string>): Diagnostic[] {
  const parsed = parsePattern(value);
  if (!parsed.ok) return [bad(`each looks for ${quoted(value)}, which ${parsed.problem}`, at, parsed.hint)];
  const undecided = compile(parsed.pattern).find((one) => one.kind === "undecided");
  if (undecided === undefined) return [];
  return [
    bad(`each looks for ${quoted(value)}, which ${undecided.why}`, at, "write it with *, ** and {a,b}"),
  ];
}

function valueProblems(values: readonly Located<string>[]): Diagnostic[] {
  const texts = values.map(({ value }) => value);
  const repeated = values.filter(({ value }, index) => texts.indexOf(value) !== index);
  return repeated.map(({ value, at }) => bad(`the value ${quoted(value)} is there twice`, at, "delete one"));
}

/** A task that could not be made, because there is nothing to make it of. */
export function emptyEach({ name, source }: EachVariable, hint: string | null): Diagnostic {
  const [message, at] = emptyWords(name, source);
  return diagnostic({ code: "each-empty" satisfies EachCode, message, at, hint });
}

function emptyWords(name: Located<string>, source: EachSource): [message: string, at: SourceRange] {
  switch (source.kind) {
    case "values":
      return [`{${name.value}} has no values`, name.at];
    case "command":
      return [`the command for {${name.value}} printed nothing`, source.run.at];
    case "files": {
      const patterns = listed(
        source.patterns.map(({ value }) => value),
        "patterns",
      );
      const rest = source.exclude.length === 0 ? "" : ` that is not excluded`;
      return [`no tracked file matches ${patterns}${rest}`, source.patterns[0]?.at ?? name.at];
    }
  }
}

function bad(message: string, at: SourceRange, hint: string | null): Diagnostic {
  return diagnostic({ code: "bad-each" satisfies EachCode, message, at, hint });
}
