import { buildPlanFinding, type planCatalog } from "../analyze/catalog.ts";
import type { CodeParams } from "../catalog.ts";
import type { EachSource, EachVariable, PlanDraft } from "../draft.ts";
import { compile } from "../ownership/compile.ts";
import { matcher } from "../ownership/match.ts";
import { parsePattern } from "../ownership/parse.ts";
import type { Diagnostic, Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import type { EmptyFiles } from "./catalog.ts";
import { NAME } from "./variables.ts";

/** Variables checked before their values are looked up; only sound ones are. */
export type CheckedEach = {
  readonly diagnostics: readonly Diagnostic[];
  readonly sound: readonly EachVariable[];
};

export function checkEach(draft: PlanDraft): CheckedEach {
  const diagnostics: Diagnostic[] = [];
  const sound: EachVariable[] = [];
  for (const task of draft.tasks) {
    if (task.each?.length === 0)
      diagnostics.push(bad({ kind: "no-variable", task: task.id.value }, task.id.at));
    for (const variable of task.each ?? []) {
      const found = [...nameProblems(variable), ...sourceProblems(variable)];
      diagnostics.push(...found);
      if (found.length === 0) sound.push(variable);
    }
  }
  return { diagnostics, sound };
}

function nameProblems({ name }: EachVariable): Diagnostic[] {
  return NAME.test(name.value) ? [] : [bad({ kind: "name", name: name.value }, name.at)];
}

function sourceProblems({ name, source }: EachVariable): Diagnostic[] {
  switch (source.kind) {
    case "files":
      if (source.patterns.length === 0) return [bad({ kind: "no-source", name: name.value }, name.at)];
      return [...source.patterns, ...source.exclude].flatMap(patternProblems);
    case "values":
      return valueProblems(source.values);
    case "command":
      return [];
  }
}

function patternProblems({ value: pattern, at }: Located<string>): Diagnostic[] {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return [bad({ kind: "pattern", pattern, problem: parsed.problem, fix: parsed.hint }, at)];
  const undecided = compile(parsed.pattern).find((one) => one.kind === "undecided");
  if (undecided === undefined) return [];
  return [
    bad({ kind: "pattern", pattern, problem: undecided.why, fix: "use a plain glob: `src/**/*.js`" }, at),
  ];
}

function valueProblems(values: readonly Located<string>[]): Diagnostic[] {
  const texts = values.map(({ value }) => value);
  const repeated = values.filter(({ value }, index) => texts.indexOf(value) !== index);
  return repeated.map(({ value, at }) => bad({ kind: "repeated-value", value }, at));
}

/** A task that cannot be made because there are no values. */
export function buildEmptyEach({ name, source }: EachVariable, files?: EmptyFiles): Diagnostic {
  const params = { name: name.value, source, ...(files && { files }) };
  return buildPlanFinding("each-empty", params, findSourcePlace(source) ?? name.at);
}

function findSourcePlace(source: EachSource): SourceRange | undefined {
  if (source.kind === "values") return undefined;
  return source.kind === "command" ? source.run.at : source.patterns[0]?.at;
}

const bad = (params: CodeParams<typeof planCatalog, "bad-each">, at: SourceRange): Diagnostic =>
  buildPlanFinding("bad-each", params, at);

export type FileSource = Extract<EachSource, { kind: "files" }>;

/** The paths that a source means, sorted by their characters, so that every machine has the same order. */
export function matchingFiles({ patterns, exclude }: FileSource, paths: readonly string[]): string[] {
  const isWanted = anyOf(patterns.map(({ value }) => value));
  const isExcluded = anyOf(exclude.map(({ value }) => value));
  return paths.filter((path) => isWanted(path) && !isExcluded(path)).sort();
}

/** Patterns that cannot be used have been reported, and their variable is not looked up. */
function anyOf(texts: readonly string[]): (path: string) => boolean {
  const covers = texts.flatMap((text) => {
    const parsed = parsePattern(text);
    return parsed.ok ? [matcher(parsed.pattern)] : [];
  });
  return (path) => covers.some((one) => one(path) === true);
}

/** Why patterns match nothing: the first folder on their way that does not exist. */
export function explainNoFiles({ patterns, exclude }: FileSource, paths: readonly string[]): EmptyFiles {
  const [first] = patterns;
  if (exclude.length > 0 && matchingFiles({ kind: "files", patterns, exclude: [] }, paths).length > 0)
    return { kind: "all-excluded" };
  if (first !== undefined && /^[\w-]+$/.test(first.value)) return { kind: "plain-word", word: first.value };
  return (first && findWrongFolder(first.value, paths)) ?? { kind: "unknown" };
}

function findWrongFolder(pattern: string, paths: readonly string[]): EmptyFiles | null {
  let above = "";
  for (const segment of pattern.replace(/^\.\//, "").split("/")) {
    if (segment === "" || /[*?[{]/.test(segment)) return null;
    const beside = new Set<string>();
    for (const path of paths) {
      if (path.startsWith(above)) beside.add(path.slice(above.length).split("/")[0] as string);
    }
    if (!beside.has(segment)) {
      const near = nearest(segment, [...beside]);
      const rest = pattern.slice(above.length + segment.length);
      const suggestion = near && `${above}${near}${rest}`;
      return { kind: "no-folder", folder: `${above}${segment}`, suggestion };
    }
    above += `${segment}/`;
  }
  return null;
}
