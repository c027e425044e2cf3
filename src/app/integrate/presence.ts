// Files that a task must create, stubs that it left, and tasks that changed nothing. Only merged tasks are checked.

import { findMissingCreations } from "../../core/ownership/change.ts";
import { matcher } from "../../core/ownership/match.ts";
import type { Task } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import { blobText, type Objects, type TreeChange } from "../../git/index.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { forbidsStubs, mayHaveStubs, type Stub, stubsIn } from "../../spec/integrate/presence/stubs.ts";
import { isImplementation, type SourceProject } from "../../spec/integrate/project.ts";
import { type Language, languageOf } from "../../syntax/language.ts";
import { MOST_FILE_BYTES } from "./commit-project.ts";
import type { TaskWork } from "./own-work.ts";
import type { ReadTaskSpec, TaskSpecs } from "./planned-folder.ts";

/** The changes of a task by path; several if it was merged several times. */
export type ChangesOf = ReadonlyMap<string, readonly TreeChange[]>;

export type PresenceQuestion = {
  readonly objects: Objects;
  readonly project: SourceProject;
  readonly works: readonly TaskWork[];
  readonly changes: ReadonlyMap<string, ChangesOf>;
  readonly specs: TaskSpecs;
};

export async function listPresenceFindings(question: PresenceQuestion): Promise<FoundFinding[]> {
  const { works, changes, specs } = question;
  const isIgnored = await ignoredPaths(question.project);
  const found: FoundFinding[] = [];
  for (const work of works) {
    const { id } = work.task;
    const own = changes.get(id) ?? new Map();
    const spec = specs.get(id) ?? null;
    if (isEmpty(work, own, spec)) found.push(emptyTask(work, spec));
    else if (work.status === "merged")
      found.push(
        ...missingFiles(question, { work, own, spec, isIgnored }),
        ...(await leftStubs(question, { work, own, spec })),
      );
  }
  return found;
}

type One = { readonly work: TaskWork; readonly own: ChangesOf; readonly spec: ReadTaskSpec | null };

/** A task with a scope must change something, even if its format allows empty tasks. */
function isEmpty(
  { task, status, from, untold }: TaskWork,
  own: ChangesOf,
  spec: ReadTaskSpec | null,
): boolean {
  const { allowEmpty, access, work, owns } = task;
  if (own.size > 0 || untold !== null || access !== "write" || work.kind !== "agent") return false;
  if (spec === null) return status === "merged" && !allowEmpty;
  return owns.length > 0 && (status === "merged" || (status === "changes-nothing" && from === "run"));
}

function emptyTask({ task, status }: TaskWork, spec: ReadTaskSpec | null): FoundFinding {
  const at = spec === null ? null : placeOf(spec.spec);
  const place = { about: task.id, task: task.id, at };
  return buildFinding("task-empty", { isMerged: status === "merged" }, place);
}

type Asked = One & { readonly isIgnored: (path: string) => boolean };

function missingFiles(
  { project: { paths }, works, changes }: PresenceQuestion,
  { work: { task }, own, spec, isIgnored }: Asked,
): FoundFinding[] {
  return findMissingCreations(task.owns, paths).flatMap((pattern): FoundFinding[] => {
    if (isIgnored(pattern)) return [];
    const covers = matcher(pattern);
    const deleted = [...own].find(([path, all]) => covers(path) === true && all.some(isAdded))?.[0];
    const takenBy = works.find(
      (other) => other.task !== task && deleted !== undefined && mayDelete(other.task, changes, deleted),
    );
    if (takenBy !== undefined) return [];
    const entry = spec?.spec.create.find(({ value }) => value === pattern);
    const at = entry === undefined ? null : placeOf(entry);
    const place = { about: task.id, task: task.id, at, home: deleted ?? pattern };
    return [buildFinding("scope-file-missing", { pattern, deleted: deleted ?? null }, place)];
  });
}

const isAdded = ({ change }: TreeChange): boolean => change === "added";

/** The owner of a file may delete it. */
function mayDelete({ id, owns }: Task, changes: PresenceQuestion["changes"], path: string): boolean {
  const isDeleted =
    changes
      .get(id)
      ?.get(path)
      ?.some(({ change }) => change === "deleted") ?? false;
  return isDeleted && owns.some(({ pattern }) => matcher(pattern)(path) === true);
}

/** Ignored files are not expected in the tree. */
async function ignoredPaths({ paths, read }: SourceProject): Promise<(path: string) => boolean> {
  const text = paths.includes(".gitignore") ? ((await read(".gitignore")) ?? "") : "";
  const lines = text.split("\n").map((line) => line.trim().replace(/^\/|\/$/g, ""));
  const names = new Set(lines.filter((line) => line !== "" && !/^[#!]/.test(line)));
  const globs = [...names].filter((line) => /^\*\.\w+$/.test(line)).map((line) => line.slice(1));
  return (path) =>
    names.has(path) ||
    path.split("/").some((part) => names.has(part) || globs.some((end) => part.endsWith(end)));
}

/** Stubs that the task wrote and that still exist. */
async function leftStubs(question: PresenceQuestion, one: One): Promise<FoundFinding[]> {
  const found: FoundFinding[] = [];
  for (const [path, all] of one.own) {
    const language = isImplementation(path) && !path.endsWith(".pyi") ? languageOf(path) : null;
    const text = language === null ? null : await question.project.read(path);
    if (language === null || text === null || !mayHaveStubs(text)) continue;
    const stubs = await ownStubs(question, { language, text, all });
    found.push(...(await stubFindings(question, one, { path, stubs, isCreated: all.some(isAdded) })));
  }
  return found.slice(0, MOST_STUBS);
}

type StubFile = { readonly path: string; readonly stubs: readonly Stub[]; readonly isCreated: boolean };

async function stubFindings(
  { project }: PresenceQuestion,
  { work: { task }, spec }: One,
  { path, stubs, isCreated }: StubFile,
): Promise<FoundFinding[]> {
  const isForbidden = spec !== null && forbidsStubs(spec.text);
  const found: FoundFinding[] = [];
  for (const { kind, name, line, inClass } of stubs) {
    if (kind === "empty" && !isForbidden) continue;
    if (inClass === null ? await isReplaced(project, name) : await isBase(project, inClass)) continue;
    const isMust = isForbidden ? kind !== "empty" : kind === "unwritten" && isCreated;
    const place = { about: task.id, task: task.id, at: { file: path, line } };
    const weight = isMust ? "must" : "should";
    found.push(buildFinding("stub-left", { stub: kind, name }, { ...place, weight }));
  }
  return found;
}

/** More are not worth reading. */
const MOST_STUBS = 20;

type Looked = { readonly language: Language; readonly text: string; readonly all: readonly TreeChange[] };

async function ownStubs({ objects }: PresenceQuestion, { language, text, all }: Looked): Promise<Stub[]> {
  const now = await stubsIn(language, text);
  if (now.length === 0) return [];
  const keys = async (name: string | null): Promise<ReadonlySet<string>> => {
    const content = name === null ? null : await objects.blob(name, MOST_FILE_BYTES);
    const source = content === null ? null : blobText(content);
    return new Set(source === null ? [] : (await stubsIn(language, source)).map(keyOf));
  };
  const ours = new Set<string>();
  for (const { before, after } of all) {
    const [then, since] = [await keys(before), await keys(after)];
    for (const key of since) if (!then.has(key)) ours.add(key);
  }
  return now.filter((stub) => ours.has(keyOf(stub)));
}

const keyOf = ({ kind, name }: Stub): string => `${kind} ${name}`;

/** A base class may leave methods to its subclasses. */
function isBase(project: SourceProject, name: string): Promise<boolean> {
  const derived = `\\bclass\\s+\\w+\\s*(?:\\([^)]*\\b${name}\\b|(?:<[^{]*>)?\\s*(?:extends|implements)\\s[^{]*\\b${name}\\b)`;
  return isWritten(project, name, derived);
}

/** A FastAPI dependency that the application overrides. */
function isReplaced({ paths, read }: SourceProject, name: string): Promise<boolean> {
  const own = { paths: paths.filter(isImplementation), read };
  return isWritten(own, name, `\\bdependency_overrides\\[\\s*(?:\\w+\\.)*${name}\\s*\\]\\s*=`);
}

/** Whether a code file matches the pattern, which contains the name. */
async function isWritten({ paths, read }: SourceProject, name: string, pattern: string): Promise<boolean> {
  if (!/^\w+$/.test(name)) return false;
  const written = new RegExp(pattern);
  for (const path of paths) {
    if (languageOf(path) === null) continue;
    const text = await read(path);
    if (text?.includes(name) === true && written.test(text)) return true;
  }
  return false;
}

function placeOf({ at }: Pick<Located<unknown>, "at">) {
  return { file: at.file, line: at.start.line };
}
