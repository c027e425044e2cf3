// The task of a finding: the one that owns the place, by symbol if it owns one; for missing things, the task whose scope or text names
// them. Null if there are several.

import { ownerSearch } from "../../core/ownership/owner.ts";
import type { Plan, Task } from "../../core/plan.ts";
import type { LoggedCommit, Objects } from "../../git/index.ts";
import type { CodePlace, ContractVerdict, FoundFinding, OwnedFinding } from "../../spec/integrate/finding.ts";
import { findResource, taskNaming } from "../../spec/integrate/mentions.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import { languageOf } from "../../syntax/language.ts";
import { symbolAtLine } from "../../syntax/pieces.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { TaskWork } from "./own-work.ts";
import type { TaskSpecs } from "./read-folder.ts";

export type OwnerQuestion = {
  readonly plan: Plan;
  readonly project: Pick<SourceProject, "read">;
  readonly files: ReadonlyMap<string, Pick<ReadonlySet<string>, "has">>;
  readonly specs: TaskSpecs;
  /** Of the contracts, from the root, with a slash at the end; null where the plan has none. */
  readonly contracts: string | null;
  /** Endpoints that were found: a missing one belongs beside those of the same resource. */
  readonly endpoints: readonly ContractVerdict[];
};

export type OwnerOf = (found: FoundFinding) => Promise<string | null>;

export function findOwners(question: OwnerQuestion): OwnerOf {
  const { plan, files, contracts, specs, endpoints } = question;
  const texts = new Map(Array.from(specs, ([task, { text }]) => [task, text]));
  const atPlace = placeOwners(question);
  const isCode = ({ file }: CodePlace) => contracts === null || !file.startsWith(contracts);
  const besides = async (about: string): Promise<string | null> => {
    const near = endpoints.filter((one) => one.at !== null && isCode(one.at) && isAlike(one.about, about));
    const owners = new Set(await Promise.all(near.map(({ at }) => (at === null ? null : atPlace(at)))));
    return owners.size === 1 ? ([...owners][0] ?? null) : null;
  };
  const ofSymbol = (name: string): string | null => {
    const owners = plan.tasks.filter(({ owns }) => owns.some(({ symbol }) => symbol === name));
    return owners.length === 1 ? (owners[0]?.id ?? null) : null;
  };
  return async ({ area, code, about, at, task, home }) => {
    if (task !== undefined) return task;
    if (area === "tasks" || area === "boundaries" || area === "checks" || code.startsWith("contract-"))
      return null;
    if (at !== null && isCode(at)) return atPlace(at);
    const ofHome = home === undefined ? null : ownerOfFile(plan.tasks, files, home)(null);
    return (
      ofHome ?? ofSymbol(about) ?? taskNaming(about, texts) ?? (area === "endpoints" ? besides(about) : null)
    );
  };
}

/** If several tasks own the file, or none does, the only one that changed it. */
function ownerOfFile(
  tasks: readonly Task[],
  files: OwnerQuestion["files"],
  file: string,
): (symbol: string | null) => string | null {
  const owners = (some: readonly Task[]) => ownerSearch(some.map(({ id, owns }) => ({ task: id, owns })));
  const changed = tasks.filter(({ id }) => files.get(id)?.has(file));
  const [of, ofAll] = [owners(changed), owners(tasks)];
  const only = changed.length === 1 ? (changed[0]?.id ?? null) : null;
  return (symbol) => of(file, symbol) ?? ofAll(file, symbol) ?? only;
}

function placeOwners({ plan, files, project }: OwnerQuestion): (at: CodePlace) => Promise<string | null> {
  const symbols = new Map<string, Promise<string | null>>();
  const symbolAt = (at: CodePlace) => {
    const key = `${at.file}:${at.line}`;
    const known = symbols.get(key) ?? readSymbol(project, at);
    symbols.set(key, known);
    return known;
  };
  return async (at) => {
    const ownerOf = ownerOfFile(plan.tasks, files, at.file);
    return ownerOf(hasParts(plan, at.file) ? await symbolAt(at) : null);
  };
}

function hasParts({ tasks }: Plan, file: string): boolean {
  const search = ownerSearch(
    tasks.map(({ id, owns }) => ({
      task: id,
      owns: owns.flatMap((claim) => (claim.symbol === null ? [] : [{ ...claim, symbol: null }])),
    })),
  );
  return search(file, null) !== null;
}

async function readSymbol(
  project: OwnerQuestion["project"],
  { file, line }: CodePlace,
): Promise<string | null> {
  const language = languageOf(file);
  const text = language === null || line === null ? null : await project.read(file);
  if (language === null || line === null || text === null) return null;
  const { tree } = await readSource(language, text);
  const symbol = symbolAtLine(tree, line);
  tree.free();
  return symbol;
}

/** `/reservations/{id}` beside `/reservations`: paths of one resource. */
function isAlike(one: string, other: string): boolean {
  const resource = findResource(one);
  return resource !== undefined && resource === findResource(other);
}

export type OwnQuestion = OwnerQuestion & { readonly objects: Objects; readonly works: readonly TaskWork[] };

export type OwnFinding = (found: FoundFinding) => Promise<OwnedFinding>;

export function ownFindings(question: OwnQuestion): OwnFinding {
  const ownerOf = findOwners(question);
  const commitOf = touchingCommits(question);
  return async (found) => {
    const { task: _, ...rest } = found;
    const task = await ownerOf(found);
    const file = found.home ?? found.at?.file ?? null;
    const commit = task === null || file === null ? null : await commitOf(task, file);
    return { ...rest, task, commit };
  };
}

/** Null if the task did not change the file. Commits are only read if a task has several. */
function touchingCommits({ objects, works, files }: OwnQuestion) {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const filesOf = (commit: LoggedCommit): Promise<ReadonlySet<string>> => {
    const found = known.get(commit.commit) ?? filesIn(objects, commit);
    known.set(commit.commit, found);
    return found;
  };
  const byTask = new Map<string, TaskWork>(works.map((work) => [work.task.id, work]));
  return async (task: string, file: string): Promise<string | null> => {
    if (files.get(task)?.has(file) !== true) return null;
    const commits = byTask.get(task)?.commits ?? [];
    const own = commits.filter(({ parents }) => parents.length < 2).toReversed();
    if (own.length > 1) for (const one of own) if ((await filesOf(one)).has(file)) return one.commit;
    return (own[0] ?? commits.at(-1))?.commit ?? null;
  };
}

async function filesIn(objects: Objects, { commit, parents }: LoggedCommit): Promise<ReadonlySet<string>> {
  const [before] = parents;
  const changes = before === undefined ? null : await objects.changes(before, commit);
  return new Set((changes ?? []).map(({ path }) => path));
}
