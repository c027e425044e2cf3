// Whether each task changed only what is its own: from its own commits, before and after each.

import type { Oid } from "../../core/ids.ts";
import { matcher } from "../../core/ownership/match.ts";
import type { Plan, Task } from "../../core/plan.ts";
import { isStep } from "../../core/plan-steps.ts";
import { blobText, type Objects, type TreeChange } from "../../git/index.ts";
import type { ChangedFile, OwnershipFinding } from "../../ownership/finding.ts";
import { rulesBefore } from "../../ownership/guarded.ts";
import { judgeWork, type WorkRules } from "../../ownership/judge-work.ts";
import { projectFiles } from "../../spec/align/project.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { type CommitProject, MOST_FILE_BYTES } from "./commit-project.ts";
import type { OwnChange, TaskWork } from "./own-work.ts";
import type { ChangesOf } from "./presence.ts";

export type BoundaryQuestion = {
  readonly objects: Objects;
  readonly plan: Plan;
  /** What is judged, as it is now: what was taken back since does no harm. */
  readonly now: CommitProject;
  /** The artifact folder from the root, with a slash at the end; null where the plan is none. */
  readonly folder: string | null;
  /** Of the contracts, likewise. */
  readonly contracts: string | null;
};

export type BoundaryAnswer = {
  readonly findings: readonly FoundFinding[];
  /** All files that it changed. */
  readonly files: ChangesOf;
};

export async function judgeBoundaries(work: TaskWork, question: BoundaryQuestion): Promise<BoundaryAnswer> {
  const findings: FoundFinding[] = [];
  const files = new Map<string, TreeChange[]>();
  let isGone = false;
  for (const change of await oldestFirst(work.changes, question.objects)) {
    const judged = await judgeOwn(change, { ...question, earlier: files }, [work]);
    isGone ||= judged === null;
    for (const [path, all] of judged?.files ?? []) files.set(path, [...(files.get(path) ?? []), ...all]);
    findings.push(...(judged?.findings ?? []));
  }
  const untold = isGone ? "its commits are not in this repository any more" : work.untold;
  if (untold !== null) findings.push(unclear(work, untold));
  return { findings: once(findings), files };
}

export type JointAnswer = Pick<BoundaryAnswer, "findings"> & {
  /** By task: those of the files that it owns. */
  readonly files: ReadonlyMap<string, ChangesOf>;
};

/** What came in as one commit of several tasks: each file is of those that own it, and what none of them owns is named. */
export async function judgeJoint(
  works: readonly TaskWork[],
  question: BoundaryQuestion,
): Promise<JointAnswer> {
  const commits = new Map(works.flatMap(({ joint }) => joint).map((one) => [one.commit.commit, one]));
  const findings: FoundFinding[] = [];
  const files = new Map(
    works.map(({ task }) => [task.id as string, new Map<string, readonly TreeChange[]>()]),
  );
  for (const { commit, tasks, others } of commits.values()) {
    const [from] = commit.parents;
    const theirs = works.filter(({ task }) => tasks.includes(task.id));
    const judged = from === undefined ? null : await judgeOwn({ from, to: commit.commit }, question, theirs);
    for (const { task } of theirs)
      for (const [path, all] of judged?.files ?? [])
        if (isStep(question.plan, task) ? isInstalled(path) : mayOwn(task, path))
          files.get(task.id)?.set(path, all);
    // What none of them owns may be of a task that this plan does not know.
    if (others.length > 0 || judged === null) continue;
    const left = judged.findings.filter(
      ({ at }) => at === null || !cameAlong(at.file, judged.files, question),
    );
    findings.push(...(commit.hasUnnamedPart ? left.map(doubted) : left));
  }
  return { findings: once(findings), files };
}

/** The plan and its reports are often part of the same pull request. Its contracts only where they are new. */
function cameAlong(path: string, files: ChangesOf, { folder, contracts }: BoundaryQuestion): boolean {
  if (folder === null || !path.startsWith(folder)) return false;
  const isNew = files.get(path)?.every(({ change }) => change === "added") ?? false;
  return isNew || contracts === null || !path.startsWith(contracts);
}

function doubted(finding: FoundFinding): FoundFinding {
  const message = `${finding.message}; or a person did, in a part of this commit that names no task`;
  return finding.weight === "must" ? { ...finding, weight: "cannot-tell", message } : finding;
}

/** What a step that installs packages changes. */
const isInstalled = (path: string): boolean => projectFiles.includes(path);

/** Who says nothing may change anything; in doubt it is the task's. */
function mayOwn({ owns }: Task, path: string): boolean {
  return owns.length === 0 || owns.some(({ pattern }) => matcher(pattern)(path) !== false);
}

/** By history: a task may have been merged by several runs. */
async function oldestFirst(changes: readonly OwnChange[], objects: Objects): Promise<readonly OwnChange[]> {
  const sorted: OwnChange[] = [];
  for (const change of changes) {
    let place = sorted.length;
    while (place > 0 && (await objects.isAncestor(change.to, (sorted[place - 1] as OwnChange).from)))
      place -= 1;
    sorted.splice(place, 0, change);
  }
  return sorted;
}

/** `earlier`: what the task had changed before. */
type OwnBoundaryQuestion = BoundaryQuestion & { readonly earlier?: ChangesOf };

/** Null where it is not here any more. */
async function judgeOwn(
  { from, to }: OwnChange,
  question: OwnBoundaryQuestion,
  works: readonly TaskWork[],
): Promise<BoundaryAnswer | null> {
  const { contracts, objects, earlier, plan } = question;
  // A task that reverts what it should not have changed leaves the file as it was before its first change.
  const sinceFirst = (change: TreeChange): TreeChange => earlier?.get(change.path)?.[0] ?? change;
  const changes = await objects.changes(from, to);
  if (changes === null) return null;
  const subject = subjectOf(works.length > 1 ? works.filter(({ task }) => !isStep(plan, task)) : works);
  const rules = await rulesOf(works, from, question);
  const isContract = ({ path }: TreeChange) => contracts !== null && path.startsWith(contracts);
  const hasStep = works.some(({ task }) => isStep(plan, task));
  const judged = changes.filter((change) => !isContract(change) && !(hasStep && isInstalled(change.path)));
  const found = await judgeWork(
    judged.map((change) => changedFile(change, objects)),
    rules,
  );
  const byPath = new Map(changes.map((change) => [change.path, sinceFirst(change)]));
  const findings: FoundFinding[] = changes.filter(isContract).map((change) => ({
    ...{ area: "boundaries", code: "contract-changed", ...subject },
    at: { file: change.path, line: null },
    ...weighed(
      `${CHANGED[change.change]} a contract, which all tasks rest on`,
      isTakenBack(sinceFirst(change), question),
    ),
  }));
  for (const one of found)
    findings.push(await findingOf(one, byPath.get(one.path), { subject, question, rules }));
  const placed = findings.slice(0, MOST_PLACED).map((one) => withLine(one, byPath, objects));
  findings.splice(0, placed.length, ...(await Promise.all(placed)));
  return { findings, files: new Map(changes.map((change) => [change.path, [change]])) };
}

/** Of several nobody can say whose it is. */
function subjectOf(works: readonly TaskWork[]): Pick<FoundFinding, "about" | "task"> {
  const [first, ...others] = works;
  const about = works.map(({ task }) => task.id).join(" or ");
  return first === undefined || others.length > 0 ? { about } : { about, task: first.task.id };
}

/** Of several: what any of them may change, and what none of them may touch. */
async function rulesOf(
  works: readonly TaskWork[],
  from: Oid,
  { plan, objects }: BoundaryQuestion,
): Promise<WorkRules> {
  const tasks = works.map(({ task }) => task).filter((task) => works.length === 1 || !isStep(plan, task));
  const isFree = tasks.some(({ owns }) => owns.length === 0); // who says nothing may change anything
  const ids = new Set(tasks.map(({ id }) => id));
  return {
    owns: isFree ? [] : tasks.flatMap(({ owns }) => owns),
    boundary: (tasks[0]?.boundary ?? []).filter((one) =>
      tasks.every(({ boundary }) => boundary.includes(one)),
    ),
    others: plan.tasks.filter(({ id }) => !ids.has(id)).map(({ id, owns }) => ({ task: id, owns })),
    consent: tasks.flatMap(({ consent = [] }) => consent),
    before: await rulesBefore(plan, (paths) => textsIn(objects, from, paths)),
  };
}

/** Those of the files that a commit has. */
async function textsIn(
  objects: Objects,
  commit: Oid,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, oid } of (await objects.tree(commit, paths))?.files ?? []) {
    const text = await read(objects, oid);
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

/** Nobody looks up more, and each takes a program. */
const MOST_PLACED = 50;

/** What is said about a whole file is told where the change begins. */
async function withLine(
  finding: FoundFinding,
  changes: ReadonlyMap<string, TreeChange>,
  objects: Objects,
): Promise<FoundFinding> {
  const { at } = finding;
  const change = at === null || at.line !== null ? undefined : changes.get(at.file);
  if (at === null || change === undefined || change.after === null) return finding;
  if (change.change === "added") return { ...finding, at: { ...at, line: 1 } };
  const [before, after] = await Promise.all([read(objects, change.before), read(objects, change.after)]);
  return before === null || after === null
    ? finding
    : { ...finding, at: { ...at, line: firstDifference(before, after) } };
}

/** From 1, in the text after; null where they are the same. */
function firstDifference(before: string, after: string): number | null {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const i = now.findIndex((line, n) => line !== old[n]);
  if (i !== -1) return i + 1;
  return now.length < old.length ? now.length : null;
}

const CHANGED = { added: "added", modified: "changed", deleted: "deleted" } as const;

const codes = {
  outside: "outside-scope",
  boundary: "inside-boundary",
  symbol: "outside-symbol",
  guarded: "guarded-changed",
  unsure: "scope-unclear",
} as const;

type Around = {
  readonly subject: Pick<FoundFinding, "about" | "task">;
  readonly question: BoundaryQuestion;
  readonly rules: WorkRules;
};

async function findingOf(
  found: OwnershipFinding,
  change: TreeChange | undefined,
  { subject, question, rules }: Around,
): Promise<FoundFinding> {
  const { kind, path, line } = found;
  const base = { area: "boundaries", code: codes[kind], ...subject, at: { file: path, line } } as const;
  const message = change?.change === "deleted" ? deletedSentence(found) : sentence(found);
  if (kind === "unsure") return { ...base, weight: "cannot-tell", message };
  const fix = fixOf(found, change?.change === "deleted");
  const isBack =
    change !== undefined &&
    (isTakenBack(change, question) ||
      (kind === "symbol" && (await isPartBack(found, change, { question, rules }))));
  const judged = weighed(message, isBack);
  const isMild = kind === "guarded" && !found.isOutside && question.plan.enforce !== "fail";
  return { ...base, fix, ...judged, ...(isMild && { weight: "should" }) };
}

function fixOf({ kind, path, symbol, owner, isOutside }: OwnershipFinding, isDeleted: boolean): string {
  const what = symbol === null ? `\`${path}\`` : `\`${symbol}\` in \`${path}\``;
  const revert = isDeleted ? `Restore ${what}` : `Revert the change to ${what}`;
  if (owner !== null) return `${revert}, which ${owner} owns`;
  if (kind === "guarded" && isOutside !== true) return `${revert}, or name the file in the task's scope`;
  return kind === "outside" ? `${revert}, or add it to the task's scope` : revert;
}

function sentence({ symbol, owner, detail }: OwnershipFinding): string {
  const what = symbol === null || detail.includes(symbol) ? detail : `${symbol}: ${detail}`;
  return owner === null || detail.includes(owner) ? what : `${what}; it belongs to ${owner}`;
}

/** That a file is gone is the first thing to know of it. */
function deletedSentence(found: OwnershipFinding): string {
  const said = sentence(found);
  return /\bdeleted\b/.test(said) ? said : `deleted the file: ${said}`;
}

function weighed(message: string, isBack: boolean): Pick<FoundFinding, "message" | "weight" | "fix"> {
  return isBack
    ? { message: `${message}; taken back since`, weight: "should", fix: "Leave it: the change is reverted" }
    : { message, weight: "must" };
}

/** What stands there is as it was before: byte by byte, and in its mode. A link is one again, a repository inside at its commit. */
function isTakenBack({ path, was }: TreeChange, { now }: BoundaryQuestion): boolean {
  return now.entryOf(path) === was;
}

/** The part of the file is as it was: what the file has now would not be found in it. */
async function isPartBack(
  { symbol }: OwnershipFinding,
  change: TreeChange,
  { question, rules }: Omit<Around, "subject">,
): Promise<boolean> {
  const after = question.now.oidOf(change.path);
  if (after === null || symbol === null) return false;
  const since = changedFile({ ...change, change: "modified", after }, question.objects);
  const left = await judgeWork([since], rules);
  return !left.some((one) => one.kind === "unsure" || one.symbol === symbol);
}

function changedFile({ path, change, before, after }: TreeChange, objects: Objects): ChangedFile {
  const isReplaced = change === "modified" && (before === null) !== (after === null);
  return { path, change, isReplaced, before: () => read(objects, before), after: () => read(objects, after) };
}

async function read(objects: Objects, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const content = await objects.blob(name, MOST_FILE_BYTES);
  return content === null ? null : blobText(content);
}

function unclear({ task }: TaskWork, untold: string): FoundFinding {
  const message = `it cannot be told what it changed: ${untold}`;
  return {
    area: "boundaries",
    code: "scope-unclear",
    weight: "cannot-tell",
    about: task.id,
    task: task.id,
    at: null,
    message,
  };
}

/** A task that was merged twice may have done the same twice. */
function once(findings: readonly FoundFinding[]): FoundFinding[] {
  const known = new Map(findings.map((one) => [JSON.stringify([one.code, one.at?.file, one.message]), one]));
  return [...known.values()];
}
