// The checks that start no program: which commits belong to which task, whether each task changed only what it owns, whether the code
// matches the contracts.

import { join } from "node:path";
import type { Oid } from "../../core/ids.ts";
import { matcher } from "../../core/ownership/match.ts";
import { isStep, type Plan } from "../../core/plan.ts";
import { type Objects, type Repository, shortName } from "../../git/index.ts";
import { readFolderCoverage, saysCoverage } from "../../spec/folder/folder-coverage.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import { compareContracts } from "../../spec/integrate/compare.ts";
import type { ContractVerdict, FoundFinding } from "../../spec/integrate/finding.ts";
import { listPinFindings } from "../../spec/integrate/presence/pins.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { IntegratedTask, JudgedTree } from "../../spec/integrate/report.ts";
import {
  type IntegratedRequirement,
  integrateRequirements,
  listRequirementFindings,
  type RequirementQuestion,
} from "../../spec/integrate/requirements.ts";
import type { CompareDocument } from "../../spec/integrate/routes/compare-document.ts";
import { type BoundaryQuestion, checkBoundaries, checkJoint } from "./boundaries.ts";
import { type CommitProject, commitProject, folderProject } from "./commit-project.ts";
import type { JudgedCommit } from "./judged-tree.ts";
import type { FoundParts, OwnersOfParts } from "./own-parts.ts";
import { historyOf, type TaskWork } from "./own-work.ts";
import { type ChangesOf, listPresenceFindings } from "./presence.ts";
import {
  CONTRACTS,
  contractTexts,
  findAbsentContracts,
  type ReadFolder,
  readPlannedFolder,
} from "./read-folder.ts";
import type { Subject, SubjectAsked } from "./subject.ts";
import { findTaskWork } from "./task-work.ts";

export type LookAsked = SubjectAsked & { readonly signal: AbortSignal };

export type Parts = {
  readonly subject: Subject;
  readonly objects: Objects;
  readonly judged: JudgedCommit;
  readonly now: CommitProject;
};

export type Looked = FoundParts & {
  readonly tasks: readonly IntegratedTask[];
  readonly owners: OwnersOfParts["owners"];
  readonly coverage: RequirementCoverage;
  readonly compareDocument: CompareDocument | null;
};

export async function checkParts(asked: LookAsked, parts: Parts): Promise<Looked> {
  const { subject, objects, judged, now } = parts;
  const { repository, plan, run, runs, folder } = subject;
  const works = await findTaskWork({
    ...{ repository, objects, plan, judged: judged.commit, known: run, byHistory: asked.enforce },
    isIn: historyOf(objects, judged.commit, run?.state.base.commit ?? null),
    isOfPlan: (name, task) => name === run?.run || runs.hasTask(name, task),
  });
  const below = (path: string) => (folder === null ? null : `${join(folder.place, path)}/`);
  const contracts = below(CONTRACTS);
  const question = { objects, plan, now, folder: below("."), contracts };
  const { tasks, changes, findings } = await checkTasks(works, parts, question);
  const touched = new Set([...changes.values()].flatMap((files) => [...files.keys()]));
  const planned = folder === null ? null : await readPlannedFolder(folder, asked.caps);
  const compared = await compareFolder(asked, parts, { touched, works, planned });
  const { project } = compared;
  const counts = asked.enforce ? countsNow(works, touched) : () => true;
  const specs = planned?.specs ?? new Map();
  const present = await listPresenceFindings({ objects, project, works, changes, specs });
  const pins = planned === null ? [] : await listPinFindings(planned.manifest.dependencies, project);
  const owners = { plan, works, files: changes, specs, contracts, endpoints: compared.endpoints ?? [] };
  const kept = (verdicts: readonly ContractVerdict[] | null) =>
    verdicts?.map((one) => ({ ...one, findings: one.findings.filter(counts) })) ?? null;
  return {
    ...{ tasks, types: kept(compared.types), endpoints: kept(compared.endpoints), owners },
    findings: [...findings, ...present, ...pins, ...compared.findings].filter(counts),
    coverage: await readRequirementCoverage(planned, {
      tasks,
      changed: new Map(Array.from(changes, ([task, files]) => [task, [...files.keys()].toSorted()])),
    }),
    compareDocument: compared.compareDocument,
  };
}

type CheckedTasks = {
  readonly tasks: readonly IntegratedTask[];
  readonly changes: ReadonlyMap<string, ChangesOf>;
  readonly findings: readonly FoundFinding[];
};

async function checkTasks(
  works: readonly TaskWork[],
  { subject: { repository, plan }, judged }: Parts,
  question: BoundaryQuestion,
): Promise<CheckedTasks> {
  const findings: FoundFinding[] = [];
  const changes = new Map<string, ChangesOf>();
  const tasks: IntegratedTask[] = [];
  const joint = await checkJoint(works, question);
  for (const work of works) {
    const { findings: found, files } = await checkBoundaries(work, question);
    const all: ChangesOf = new Map([...(joint.files.get(work.task.id) ?? []), ...files]);
    changes.set(work.task.id, all);
    tasks.push(integratedTask(plan, work, all.size));
    findings.push(...listTaskFindings(work, judged.tree, repository), ...found);
  }
  return { tasks, changes, findings: [...findings, ...joint.findings, ...listNoOwners(plan)] };
}

type ToCompare = {
  readonly touched: ReadonlySet<string>;
  readonly works: readonly TaskWork[];
  readonly planned: ReadFolder | null;
};

async function compareFolder(
  { caps, signal, enforce }: LookAsked,
  { subject: { folder, repository, run }, objects, now }: Parts,
  { touched, works, planned }: ToCompare,
) {
  if (folder === null)
    return { types: null, endpoints: null, findings: [], project: now, compareDocument: null };
  const read = await contractTexts(folder, caps);
  const { contracts } = read;
  const { workTree } = repository;
  const project: SourceProject =
    enforce && workTree !== null ? await folderProject(repository, workTree) : now;
  const before = async () => {
    const start = run?.state.base.commit ?? (await firstOf(works, objects));
    return start === null ? null : commitProject(objects, start);
  };
  const compared = await compareContracts({ contracts, project, touched, before, signal });
  const absent = planned === null ? [] : await findAbsentContracts(planned);
  const isEmpty = contracts.length + read.findings.length + absent.length === 0;
  const none = { about: CONTRACTS, at: null };
  const missing = isEmpty
    ? [buildFinding("contract-absent", { folder: join(folder.place, CONTRACTS) }, none)]
    : absent;
  return { ...compared, project, findings: [...read.findings, ...missing, ...compared.findings] };
}

/** The commit before all of them. */
async function firstOf(works: readonly TaskWork[], objects: Objects): Promise<Oid | null> {
  let first: Oid | null = null;
  for (const { from } of works.flatMap(({ changes }) => changes))
    if (first === null || (await objects.isAncestor(from, first))) first = from;
  return first;
}

/** One finding for the whole plan, if no task has limits. */
function listNoOwners({ name, tasks }: Plan): FoundFinding[] {
  if (tasks.some(({ owns, boundary }) => owns.length + boundary.length > 0)) return [];
  return [buildFinding("scope-unclear", { kind: "no-owns" }, { about: name, at: null })];
}

/**
 * Which findings count in a gate of a run: tasks that are not merged yet are not a mistake of the others. Only the tree and its history
 * decide, since results are cached by tree.
 */
export function countsNow(
  works: readonly TaskWork[],
  touched: ReadonlySet<string>,
): (finding: FoundFinding) => boolean {
  const missing = works.filter(({ status }) => status === "not-merged" || status === "no-commits");
  if (missing.length === 0) return () => true;
  const toCome = missing.flatMap(({ task }) => task.owns.map(({ pattern }) => matcher(pattern)));
  return ({ area, code, at }) => {
    if (area === "tasks" || code === "type-missing" || code === "endpoint-missing") return false;
    if (area !== "types" && area !== "endpoints") return true;
    // Files that a task changed and no other task will change.
    return at !== null && touched.has(at.file) && !toCome.some((covers) => covers(at.file) !== false);
  };
}

function integratedTask(plan: Plan, work: TaskWork, files: number): IntegratedTask {
  const { id, title, wave } = work.task;
  const commits = work.commits.map(({ commit, subject }) => ({ commit, subject }));
  const { status, from } = work;
  const task = { task: id, title, wave, status, commits, files, from };
  return isStep(plan, work.task) ? { ...task, isStep: true } : task;
}

function listTaskFindings(
  { task, status, missing }: TaskWork,
  judged: JudgedTree,
  { isShallow }: Pick<Repository, "isShallow">,
): FoundFinding[] {
  const place = { about: task.id, task: task.id, at: null };
  switch (status) {
    case "not-merged":
      return [buildFinding("task-not-merged", { where: formatTree(judged), reason: missing }, place)];
    case "no-commits": {
      // In a shallow clone they may only be missing here.
      const weight = isShallow ? "unclear" : "must";
      return [buildFinding("task-without-commits", { isShallow }, { ...place, weight })];
    }
    default:
      return [];
  }
}

function formatTree({ kind, ref, commit }: JudgedTree): string {
  if (kind === "folder") return "this tree";
  return ref === null ? (commit ?? "").slice(0, 7) : shortName(ref);
}

type RequirementCoverage = {
  /** Null if the tasks list no requirements, or the documents cannot be read. */
  readonly requirements: IntegratedRequirement[] | null;
  readonly findings: readonly FoundFinding[];
};

async function readRequirementCoverage(
  folder: ReadFolder | null,
  work: Omit<RequirementQuestion, "contents">,
): Promise<RequirementCoverage> {
  const coverage =
    folder !== null && saysCoverage(folder) ? await readFolderCoverage(folder, folder.around) : null;
  if (coverage === null) return { requirements: null, findings: [] };
  if (!("set" in coverage)) {
    const { path, problem } = coverage;
    const lost = buildFinding("requirement-unclear", { problem }, { about: path, at: null });
    return { requirements: null, findings: [lost] };
  }
  const requirements = integrateRequirements({ ...work, contents: coverage.contents });
  return { requirements, findings: listRequirementFindings(requirements) };
}
