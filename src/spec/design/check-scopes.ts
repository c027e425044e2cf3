import { looksLikeFile } from "../../core/ownership/pattern.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { parseScope } from "../../formats/cpo/scope.ts";
import { buildDesignFinding } from "./catalog.ts";
import type { LocatedTask } from "./located.ts";

/** What each scope says for itself. What is no path is told here once, and left out of what is compared. */
export function checkScopes(tasks: readonly LocatedTask[]): {
  readonly sound: readonly LocatedTask[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const entries = tasks.flatMap(({ create, modify, boundary }) => [...create, ...modify, ...boundary]);
  const bad = new Set(entries.filter((entry) => entryProblem(entry.value) !== null));
  const isAlone = tasks.length === 1;
  return {
    sound: tasks.map((task) => without(task, bad)),
    diagnostics: [
      ...[...bad].map(badEntry),
      ...tasks.flatMap(({ create, modify }) => [...create, ...modify].filter(isOfGit).map(ofGit)),
      ...tasks.flatMap(({ create }) => create.filter(({ value }) => value.includes("::")).map(createdPart)),
      ...tasks.flatMap((task) => emptyScopes(task, isAlone)),
    ],
  };
}

function without(task: LocatedTask, bad: ReadonlySet<Located<string>>): LocatedTask {
  const kept = (list: readonly Located<string>[]) => list.filter((entry) => !bad.has(entry));
  return { ...task, create: kept(task.create), modify: kept(task.modify), boundary: kept(task.boundary) };
}

/** The entry goes into a task file, so it must be read there as it is written here: one path, nothing else. */
function entryProblem(text: string): "nothing" | "several" | "remark" | "not-a-path" | null {
  const line = `CREATE: ${text}`;
  const { entries } = parseScope(line, { start: 0, end: line.length });
  const [only, ...more] = entries;
  if (only === undefined) return "nothing";
  if (more.length > 0) return "several";
  if (only.text !== text.trim()) return "remark";
  const last = text.slice(text.lastIndexOf("/") + 1);
  const isPath = !only.isProse || text.includes("/") || looksLikeFile(last);
  return isPath ? null : "not-a-path";
}

function badEntry({ value, at }: Located<string>): Diagnostic {
  return buildDesignFinding("design-path", { kind: entryProblem(value) ?? "not-a-path", path: value }, at);
}

const isOfGit = ({ value }: Located<string>): boolean => /^(?:\.\/)*\.git(?:\/|$)/i.test(value.trim());

function ofGit({ value, at }: Located<string>): Diagnostic {
  return buildDesignFinding("design-path", { kind: "git", path: value }, at);
}

/** Two tasks that create parts of one file would both create the file. */
function createdPart({ value, at }: Located<string>): Diagnostic {
  const [file = ""] = value.split("::");
  return buildDesignFinding("design-path", { kind: "part", path: value, file }, at);
}

/** A task that is alone has no neighbours to keep away from. */
function emptyScopes({ id, create, modify, empty }: LocatedTask, isAlone: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (missing: "boundary" | "files", at: SourceRange) =>
    found.push(buildDesignFinding("design-scope", { task: id.value, missing }, at));
  const boundary = empty.get("boundary");
  if (boundary !== undefined && !isAlone) report("boundary", boundary);
  const at = empty.get("create");
  if (at !== undefined && create.length + modify.length === 0 && empty.has("modify")) report("files", at);
  return found;
}
