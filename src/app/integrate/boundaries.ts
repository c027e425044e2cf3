// Whether each task changed only what it owns, by its own commits.

import type { Oid } from "../../core/ids.ts";
import { matcher } from "../../core/ownership/match.ts";
import { isStep, type Plan, type Task } from "../../core/plan.ts";
import { blobText, type Objects, type TreeChange } from "../../git/index.ts";
import type { ChangedFile, OwnershipFinding } from "../../ownership/finding.ts";
import { rulesBefore } from "../../ownership/guarded.ts";
import { judgeWork, type WorkRules } from "../../ownership/judge-work.ts";
import { projectFiles } from "../../spec/align/project.ts";
import { buildFinding, rebuildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { type CommitProject, MOST_FILE_BYTES } from "./commit-project.ts";
import type { OwnChange, TaskWork } from "./own-work.ts";
import type { ChangesOf } from "./presence.ts";

export type BoundaryQuestion = {
  readonly objects: Objects;
  readonly plan: Plan;
  /** The checked tree: reverted changes do no harm. */
  readonly now: CommitProject;
  /** The artifact folder from the root, with a slash at the end; null if the plan is a file. */
  readonly folder: string | null;
  /** Of the contracts, likewise. */
  readonly contracts: string | null;
};

export type BoundaryAnswer = { readonly findings: readonly FoundFinding[]; readonly files: ChangesOf };

export async function checkBoundaries(work: TaskWork, question: BoundaryQuestion): Promise<BoundaryAnswer> {
  const findings: FoundFinding[] = [];
  const files = new Map<string, TreeChange[]>();
  let isGone = false;
  for (const change of await oldestFirst(work.changes, question.objects)) {
    const judged = await checkOwn(change, { ...question, earlier: files }, [work]);
    isGone ||= judged === null;
    for (const [path, all] of judged?.files ?? []) files.set(path, [...(files.get(path) ?? []), ...all]);
    findings.push(...(judged?.findings ?? []));
  }
  const untold = isGone ? "its commits are no longer in this repository" : work.untold;
  if (untold !== null) findings.push(buildUnclear(work, untold));
  return { findings: once(findings), files };
}

export type JointAnswer = Pick<BoundaryAnswer, "findings"> & {
  /** By task: those of the files that it owns. */
  readonly files: ReadonlyMap<string, ChangesOf>;
};

/** A commit of several tasks: each file belongs to the tasks that own it; files that none owns are findings. */
export async function checkJoint(
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
    const judged = from === undefined ? null : await checkOwn({ from, to: commit.commit }, question, theirs);
    for (const { task } of theirs)
      for (const [path, all] of judged?.files ?? [])
        if (isStep(question.plan, task) ? isInstalled(path) : mayOwn(task, path))
          files.get(task.id)?.set(path, all);
    // Such files may belong to a task that this plan does not know.
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

const doubted = (finding: FoundFinding): FoundFinding =>
  finding.weight === "must"
    ? rebuildFinding(finding, { isPersonPossible: true }, { weight: "unclear" })
    : finding;

/** Files that a step changes that installs packages. */
const isInstalled = (path: string): boolean => projectFiles.includes(path);

/** A task without `owns` may change anything. */
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

/** Null if the commits are gone. */
async function checkOwn(
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
  const findings = changes.filter(isContract).map((change) => {
    const isBack = isReverted(sinceFirst(change), question);
    const place = { ...subject, at: { file: change.path, line: null } };
    const values = { change: change.change, isReverted: isBack };
    return buildFinding("contract-changed", values, { ...place, weight: isBack ? "should" : "must" });
  });
  for (const one of found)
    findings.push(await findingOf(one, byPath.get(one.path), { subject, question, rules }));
  const placed = findings.slice(0, MOST_PLACED).map((one) => withLine(one, byPath, objects));
  findings.splice(0, placed.length, ...(await Promise.all(placed)));
  return { findings, files: new Map(changes.map((change) => [change.path, [change]])) };
}

/** With several tasks the owner is unknown. */
function subjectOf(works: readonly TaskWork[]): Pick<FoundFinding, "about" | "task"> {
  const [first, ...others] = works;
  const about = works.map(({ task }) => task.id).join(" or ");
  return first === undefined || others.length > 0 ? { about } : { about, task: first.task.id };
}

/** Of several tasks: paths that any of them may change, and those that none may. */
async function rulesOf(
  works: readonly TaskWork[],
  from: Oid,
  { plan, objects }: BoundaryQuestion,
): Promise<WorkRules> {
  const tasks = works.map(({ task }) => task).filter((task) => works.length === 1 || !isStep(plan, task));
  const isFree = tasks.some(({ owns }) => owns.length === 0);
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

/** Each lookup starts a program. */
const MOST_PLACED = 50;

/** A finding about a whole file is placed where the change begins. */
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

const CODES = {
  outside: "outside-scope",
  boundary: "inside-boundary",
  symbol: "outside-symbol",
  guarded: "guarded-changed",
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
  const { kind, path, line, symbol, owner, detail, isOutside } = found;
  const place = { ...subject, at: { file: path, line } };
  const isDeleted = change?.change === "deleted";
  if (kind === "unsure")
    return buildFinding("scope-unclear", { kind: "change", detail, owner, isDeleted }, place);
  const isBack =
    change !== undefined &&
    (isReverted(change, question) ||
      (kind === "symbol" && (await isPartReverted(found, change, { question, rules }))));
  const isMild = kind === "guarded" && !isOutside && question.plan.enforce !== "fail";
  const values = { detail, symbol, owner, isDeleted, isReverted: isBack, isOutside };
  return buildFinding(CODES[kind], values, { ...place, weight: isBack || isMild ? "should" : "must" });
}

/** Content and mode are as before; a submodule is at its commit. */
function isReverted({ path, was }: TreeChange, { now }: BoundaryQuestion): boolean {
  return now.entryOf(path) === was;
}

/** The part of the file is as before: checking the current file finds nothing in it. */
async function isPartReverted(
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

function buildUnclear({ task }: TaskWork, reason: string): FoundFinding {
  return buildFinding(
    "scope-unclear",
    { kind: "commits", reason },
    { about: task.id, task: task.id, at: null },
  );
}

/** A task that was merged twice may have done the same twice. */
function once(findings: readonly FoundFinding[]): FoundFinding[] {
  const known = new Map(findings.map((one) => [JSON.stringify([one.code, one.at?.file, one.values]), one]));
  return [...known.values()];
}
