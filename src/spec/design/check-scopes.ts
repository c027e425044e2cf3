import { quoted } from "../../core/analyze/words.ts";
import { looksLikeFile } from "../../core/ownership/files.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { parseScope } from "../../formats/cpo/scope.ts";
import { designFinding } from "./codes.ts";
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

/**
 * The entry goes into a task file, so it must be read there as it is written here: one path, nothing else. What ends a sentence that
 * begins with the text; null where it is good.
 */
function entryProblem(text: string): string | null {
  const line = `CREATE: ${text}`;
  const { entries } = parseScope(line, { start: 0, end: line.length });
  const [only, ...more] = entries;
  if (only === undefined) return "names nothing";
  if (more.length > 0) return "names several paths";
  if (only.text !== text.trim()) return "has more in it than a path";
  const last = text.slice(text.lastIndexOf("/") + 1);
  const isPath = !only.isProse || text.includes("/") || looksLikeFile(last);
  return isPath ? null : "is no path";
}

function badEntry({ value, at }: Located<string>): Diagnostic {
  const problem = entryProblem(value) ?? "";
  const hint =
    HINTS[problem] ?? "write the path alone; what else there is to say belongs into the requirements";
  return designFinding("design-path", { message: `${quoted(value)} ${problem}`, at, hint });
}

const HINTS: Readonly<Record<string, string>> = {
  "names nothing": "delete it; a list may be empty",
  "names several paths": "write each as an entry of its own",
};

const isOfGit = ({ value }: Located<string>): boolean => /^(?:\.\/)*\.git(?:\/|$)/i.test(value.trim());

function ofGit({ value, at }: Located<string>): Diagnostic {
  const message = `${quoted(value)} belongs to git itself, and no commit can hold it`;
  return designFinding("design-path", { message, at, hint: "name a file of the project" });
}

/** Two tasks that create parts of one file would both create the file. */
function createdPart({ value, at }: Located<string>): Diagnostic {
  const [path = ""] = value.split("::");
  const message = `${quoted(value)} names a part, but a file is created as a whole`;
  const hint = `write ${quoted(path)}; parts can be named under modify`;
  return designFinding("design-path", { message, at, hint });
}

/** A task that is alone has no neighbours to keep away from. */
function emptyScopes({ id, create, modify, empty }: LocatedTask, isAlone: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  const boundary = empty.get("boundary");
  if (boundary !== undefined && !isAlone) {
    const message = `${quoted(id.value)} has no boundary`;
    const hint = "name what it must not touch, such as the files that other tasks own";
    found.push(designFinding("design-scope", { message, at: boundary, hint }));
  }
  const at = empty.get("create");
  if (at !== undefined && create.length + modify.length === 0 && empty.has("modify")) {
    const message = `${quoted(id.value)} creates nothing and modifies nothing`;
    const hint = "name the files that it is about, or delete the task";
    found.push(designFinding("design-scope", { message, at, hint }));
  }
  return found;
}
