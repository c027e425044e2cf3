// What lands as a line: one commit a task on the target, in the order of merging.
//
// While the target has not moved, each commit has exactly the tree that was gated when its task was merged. On a target that moved,
// each task's change is merged onto the commits before it, and the tree of the last one is gated before it lands.
//
//   a task that was merged more than once   one commit, at its first place, where that ends in the same tree
//   changes that only fit together          one commit of those tasks
//   changes that an agent fitted to a target that moved (land-join.ts), where they conflict with it
//                                           one commit of those tasks, with the tree that the agent made

import type { Revision } from "../core/facts.ts";
import type { Oid, TaskId } from "../core/ids.ts";
import type { LandStyle } from "../core/plan.ts";
import type { StackStep } from "../core/proposal.ts";
import { treeOfCommit } from "./commit.ts";
import type { BuildInput, Built } from "./land-build.ts";
import { type ChainLink, readAuthors, readChain } from "./land-chain.ts";
import { type CommitRefused, type Finish, writeLandingCommit } from "./land-commit.ts";
import { findJoinedTarget } from "./land-join.ts";
import { joinMessages } from "./land-message.ts";
import {
  conflictWithoutTree,
  type MergedTask,
  type MergedTrees,
  mergeTreesFrom,
  type TreeConflict,
} from "./merge.ts";
import { isAncestor } from "./ref-updates.ts";
import type { Shadow } from "./shadow.ts";

/** Its commits: that of each task; where it changed nothing that the target does not have, the one below it. */
export type LineResult = Extract<Built, { kind: "built" }> | TreeConflict | CommitRefused;

type WaitingPick = LinePick & { readonly conflict: TreeConflict };

/** What becomes one commit: merges of the integration branch, and what each of them changed. */
type LinePick = {
  readonly links: readonly ChainLink[];
  readonly changes: readonly Change[];
  /** What was fitted to the target with it: all before it, and this. */
  readonly fitted?: Change;
};
type Change = { readonly before: Oid; readonly after: Oid };

/** A pick, and the tree once it is on those before it. */
type Placed = { readonly links: readonly ChainLink[]; readonly tree: Oid };
type Replay = { readonly kind: "clean"; readonly placed: readonly Placed[] } | TreeConflict;

export async function buildLine(shadow: Shadow, input: BuildInput, finish: Finish): Promise<LineResult> {
  const picks = await markJoin(shadow, input, await readPicks(shadow, input));
  const start: Revision = { commit: input.onto, tree: await treeOfCommit(shadow, input.onto) };
  // What was fitted to the target has the work of all tasks in it.
  if (picks === null) return conflictWithoutTree(start.tree);
  const replayed = await replayAll(shadow, { runDir: input.runDir, start: start.tree, picks });
  if (replayed.kind === "conflict") return replayed;
  return writeLine(shadow, { ...input, start, placed: replayed.placed }, finish);
}

/** One a merge, without those of other tasks than the `only` ones. */
async function readPicks(shadow: Shadow, { base, tip, only }: BuildInput): Promise<LinePick[]> {
  const chain = await readChain(shadow, base, tip);
  let before = chain[0] === undefined ? null : await treeOfCommit(shadow, chain[0].from);
  const picks: LinePick[] = [];
  for (const link of chain) {
    const change = { before: before ?? link.tree, after: link.tree };
    before = link.tree;
    const isWanted = only === undefined || (link.task !== null && only.has(link.task.task));
    if (isWanted) picks.push({ links: [link], changes: [change] });
  }
  return picks;
}

/** The first pick that has the target's commits in it, if an agent fitted them in. Null where only some of the tasks are wanted. */
async function markJoin(
  shadow: Shadow,
  input: BuildInput,
  picks: readonly LinePick[],
): Promise<readonly LinePick[] | null> {
  const joined = await findJoinedTarget(shadow, input);
  const isOwn = picks.some(({ links }) => links.some(({ commit }) => commit === joined));
  if (joined === null || isOwn) return picks;
  if (input.only !== undefined) return null;
  for (const [n, pick] of picks.entries()) {
    const { commit, tree } = pick.links[0] as ChainLink;
    if (!(await isAncestor(shadow.repository, joined, commit))) continue;
    const before = await treeOfCommit(shadow, joined);
    return picks.with(n, { ...pick, fitted: { before, after: tree } });
  }
  return picks;
}

type ToReplay = { readonly runDir: string; readonly start: Oid; readonly picks: readonly LinePick[] };

async function replayAll(shadow: Shadow, work: ToReplay): Promise<Replay> {
  if (work.picks.some(({ fitted }) => fitted !== undefined)) return replayFitted(shadow, work);
  const inOrder = await replay(shadow, work);
  const folded = foldPicks(work.picks);
  if (folded.length === work.picks.length) return inOrder;
  const once = await replay(shadow, { ...work, picks: folded });
  const isSame = once.kind === "clean" && (inOrder.kind === "conflict" || endOf(once) === endOf(inOrder));
  return isSame ? once : inOrder;
}

const endOf = ({ placed }: Extract<Replay, { kind: "clean" }>): Oid | undefined => placed.at(-1)?.tree;

/** All changes of a task at the place of its first: the tasks that need it come after it. */
function foldPicks(picks: readonly LinePick[]): LinePick[] {
  const folded: LinePick[] = [];
  const places = new Map<TaskId, number>();
  for (const pick of picks) {
    const task = pick.links[0]?.task?.task;
    const place = task === undefined ? undefined : places.get(task);
    const first = place === undefined ? undefined : folded[place];
    if (place !== undefined && first !== undefined) {
      const links = [...first.links, ...pick.links];
      folded[place] = { links, changes: [...first.changes, ...pick.changes] };
      continue;
    }
    if (task !== undefined) places.set(task, folded.length);
    folded.push(pick);
  }
  return folded;
}

/** What applies before the work that was fitted to the target, that work with all that does not apply, and then the rest. */
async function replayFitted(shadow: Shadow, { runDir, start, picks }: ToReplay): Promise<Replay> {
  const n = picks.findIndex(({ fitted }) => fitted !== undefined);
  const pick = picks[n] as LinePick;
  const task = pick.links[0]?.task?.task;
  const earlier = foldPicks(picks.slice(0, n));
  const isOwn = ({ links }: LinePick) => links[0]?.task?.task === task;
  const before = await replayWhatFits(shadow, { runDir, start, picks: earlier }, isOwn);
  const fitted = await applyChanges(shadow, runDir, {
    top: start,
    changes: pick.fitted ? [pick.fitted] : [],
  });
  if (fitted.kind === "conflict") return fitted;
  const links = [...before.left.flatMap((one) => one.links), ...pick.links];
  const rest = await replay(shadow, { runDir, start: fitted.tree, picks: picks.slice(n + 1) });
  if (rest.kind === "conflict") return rest;
  return { kind: "clean", placed: [...before.placed, { links, tree: fitted.tree }, ...rest.placed] };
}

type Fits = { readonly placed: readonly Placed[]; readonly left: readonly LinePick[] };

/** Without those that conflict, or belong to it: what became of them is part of what was fitted. */
async function replayWhatFits(
  shadow: Shadow,
  { runDir, start, picks }: ToReplay,
  isLeft: (pick: LinePick) => boolean,
): Promise<Fits> {
  const placed: Placed[] = [];
  const left: LinePick[] = [];
  let top = start;
  for (const pick of picks) {
    const { changes } = pick;
    const applied = isLeft(pick) ? null : await applyChanges(shadow, runDir, { top, changes });
    if (applied === null || applied.kind === "conflict") {
      left.push(pick);
      continue;
    }
    top = applied.tree;
    placed.push({ links: pick.links, tree: top });
  }
  return { placed, left };
}

/** Trees alone. A pick that conflicts waits for the next: together they may fit, as when the second removes what the first adds. */
async function replay(shadow: Shadow, { runDir, start, picks }: ToReplay): Promise<Replay> {
  const placed: Placed[] = [];
  let top = start;
  let waiting = null as WaitingPick | null;
  for (const pick of picks) {
    const joint: LinePick | null = waiting === null ? pick : joinPicks(waiting, pick);
    if (joint === null) break;
    const applied = await applyChanges(shadow, runDir, { top, changes: joint.changes });
    if (applied.kind === "conflict") {
      waiting = { ...joint, conflict: waiting?.conflict ?? applied };
      continue;
    }
    waiting = null;
    top = applied.tree;
    placed.push({ links: joint.links, tree: top });
  }
  return waiting === null ? { kind: "clean", placed } : waiting.conflict;
}

/** As one change; null where something else lies between the two. */
function joinPicks(first: LinePick, second: LinePick): LinePick | null {
  const [one, other] = [first.changes.at(-1), second.changes[0]];
  const isOne = first.changes.length === 1 && second.changes.length === 1;
  if (!isOne || one === undefined || other === undefined || one.after !== other.before) return null;
  return {
    links: [...first.links, ...second.links],
    changes: [{ before: one.before, after: other.after }],
  };
}

async function applyChanges(
  shadow: Shadow,
  runDir: string,
  { top, changes }: { readonly top: Oid; readonly changes: readonly Change[] },
): Promise<MergedTrees> {
  let tree = top;
  for (const { before, after } of changes) {
    const merged = await mergeTreesFrom(shadow, runDir, { base: before, ours: tree, theirs: after });
    if (merged.kind === "conflict") return merged;
    tree = merged.tree;
  }
  return { kind: "clean", tree };
}

type ToWrite = BuildInput & { readonly start: Revision; readonly placed: readonly Placed[] };

async function writeLine(
  shadow: Shadow,
  { start, placed, style, ...about }: ToWrite,
  finish: Finish,
): Promise<LineResult> {
  const authors = await readAuthors(
    shadow,
    placed.flatMap(({ links }) => links.map(({ work }) => work)),
  );
  const steps = new Map<TaskId, StackStep>();
  const commits: MergedTask[] = [];
  let top = start;
  for (const { links, tree } of placed) {
    if (tree !== top.tree) {
      const author = chooseAuthor(shadow, { links, authors, style });
      const draft = {
        ...{ tree, parents: [top.commit], at: about.at, source: "message" as const },
        message: joinMessages(links, about),
        ...(author === undefined ? {} : { author }),
      };
      const written = await writeLandingCommit(shadow, draft, finish);
      if (written.kind === "refused") return written;
      top = { commit: written.commit, tree };
      addStep(steps, links[0]?.task?.task ?? null, top);
    }
    const { commit } = top;
    for (const { task } of links) if (task !== null) commits.push({ ...task, commit });
  }
  return { kind: "built", result: top, commits, steps: [...steps.values()] };
}

/** A commit without a task, and a second one of the same task, belong to the step that they are on. */
function addStep(steps: Map<TaskId, StackStep>, task: TaskId | null, result: Revision): void {
  const last = [...steps.values()].at(-1);
  if (task !== null && !steps.has(task)) steps.set(task, { task, on: last?.task ?? null, result });
  else if (last !== undefined) steps.set(last.task, { ...last, result });
}

type Authors = Awaited<ReturnType<typeof readAuthors>>;

/** Who did the last of the work. */
function chooseAuthor(
  { repository: { identity } }: Shadow,
  {
    links,
    authors,
    style,
  }: { readonly links: readonly ChainLink[]; readonly authors: Authors; readonly style: LandStyle },
) {
  const last = links.at(-1);
  const author = last === undefined ? undefined : authors.get(last.work);
  return author === undefined || style.author === "kept" ? author : { ...author, ...identity };
}
