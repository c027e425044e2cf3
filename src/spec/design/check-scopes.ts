import type { CodeParams } from "../../core/catalog.ts";
import { looksLikeFile } from "../../core/ownership/pattern.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { parseScope } from "../../formats/cpo/scope.ts";
import { buildDesignFinding, type designCatalog } from "./catalog.ts";
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
      ...Array.from(bad, ({ value, at }) =>
        badPath({ kind: entryProblem(value) ?? "not-a-path", path: value }, at),
      ),
      ...tasks.flatMap(({ create, modify }) =>
        [...create, ...modify]
          .filter(isOfGit)
          .map(({ value, at }) => badPath({ kind: "git", path: value }, at)),
      ),
      // Two tasks that create parts of one file would both create the file.
      ...tasks
        .flatMap(({ create }) => create.filter(({ value }) => value.includes("::")))
        .map(({ value, at }) =>
          badPath({ kind: "part", path: value, file: value.replace(/::.*$/s, "") }, at),
        ),
      ...tasks.flatMap((task) => emptyScopes(task, isAlone)),
    ],
  };
}

function badPath(params: CodeParams<typeof designCatalog, "design-path">, at: SourceRange): Diagnostic {
  return buildDesignFinding("design-path", params, at);
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

const isOfGit = ({ value }: Located<string>): boolean => /^(?:\.\/)*\.git(?:\/|$)/i.test(value.trim());

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
