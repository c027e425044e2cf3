import type { RunOutcome } from "../../../src/core/facts.ts";
import type { AttemptFailure } from "../../../src/core/failure.ts";
import type { Oid, TaskId } from "../../../src/core/ids.ts";
import { gateKey, type Task } from "../../../src/core/plan.ts";
import type { RunState, TaskPhase } from "../../../src/core/run-state.ts";
import { entries } from "../../../src/core/sorted-map.ts";
import { causeKey } from "../gates.ts";
import { hold } from "../violation.ts";
import { taskOf } from "../worktrees.ts";
import { savedRef, TARGET, type World } from "../world.ts";
import type { History } from "./history.ts";

export type Ending = { readonly world: World; readonly history: History };

/** I1, both ways: the outcome is `complete` if and only if everything that was asked for is really there. */
export function checkOutcome(ending: Ending, outcome: RunOutcome): void {
  const isComplete = outcome === "complete";
  const missing = whatIsMissing(ending, { certain: !isComplete });
  if (isComplete) hold(missing === null, "I1 complete", () => `the run says so, but ${missing}`);
  else hold(missing !== null, "I1 complete", () => `nothing is missing, but the run says ${outcome}`);
}

function whatIsMissing({ world, history }: Ending, { certain }: { certain: boolean }): string | null {
  const { ledger } = world;
  for (const task of ledger.plan?.tasks ?? []) {
    if (!ledger.isSelected(task.id) || ledger.removed.has(task.id)) continue;
    if (!history.isSatisfied(task, certain)) return `${task.id} is neither merged nor passed`;
    const merged = history.merged(task.id);
    if (merged !== null && !ledger.isGreen(merged.to.tree, merged.task))
      return `${task.id} is not green as merged`;
  }
  return whatIsNotLanded(world, history.mergedTip);
}

function whatIsNotLanded({ git, ledger, base }: World, tip: Oid): string | null {
  if (tip === base.commit) return null;
  if (ledger.land === "never" && !ledger.landingAsked) {
    return ledger.isGreen(git.look(tip).tree, ledger.plan!) ? null : "the integration branch is not green";
  }
  const { landed } = ledger;
  if (landed === null) return "nothing has landed";
  if (!git.isAncestor(landed.to.commit, git.ref(TARGET)!)) return "the target does not have what landed";
  if (!git.isAncestor(tip, landed.to.commit)) return "what landed does not have all that is merged";
  const isPublished = ledger.start?.policy.publish === "no" || ledger.published?.tip === tip;
  if (!isPublished) return "what landed is not on the server";
  return ledger.isGreen(landed.to.tree, ledger.plan!) ? null : "what landed is not green";
}

/** At the very end: the work is really in the tree, nothing is lost, and nobody pays for another's failure. */
export function checkEnd(ending: Ending, state: RunState): void {
  checkWork(ending, ending.history.tip);
  checkAllSaved(ending);
  for (const [i, { phase }] of entries(state.tasks)) {
    const task = state.index.plan.tasks[i]!;
    checkFate(ending, task, phase);
    const isMerged = ending.history.merged(task.id) !== null;
    hold(isMerged === (phase.kind === "merged"), "I1 merged is in git", () => `${task.id} is ${phase.kind}`);
  }
}

/** Every merged task's contribution is in the file, under whatever came later. */
export function checkWork({ world, history }: Ending, commit: Oid): void {
  const { git, ledger } = world;
  const files = git.files(git.look(commit).tree);
  for (const { id } of ledger.plan?.tasks ?? []) {
    const merged = history.merged(id);
    if (merged === null) continue;
    const work = git.files(git.look(git.ref(savedRef(merged.attempt))!).tree);
    for (const [path, words] of work) {
      const mine = words.find((word) => taskOf(word) === id);
      const isThere = mine === undefined || files.get(path)?.includes(mine) === true;
      hold(isThere, "I1 merged work is in the tree", () => `${path} has lost ${mine} of ${merged.attempt}`);
    }
  }
}

function checkAllSaved({ world }: Ending): void {
  for (const { id, ended, saved } of world.ledger.attempts.values()) {
    hold(ended === null || saved !== null, "I2 all that ended is saved", () => `${id} is not`);
  }
  const unsaved = world.worktrees.unsaved();
  hold(unsaved === undefined, "I2 no work is lost", () => `what ${unsaved} left is on no ref`);
  const [left] = world.alive();
  hold(left === undefined, "I5 no process is left", () => `${left?.attempt} lives`);
}

/** I9: who failed has a reason of their own. */
function checkFate({ world }: Ending, task: Task, phase: TaskPhase): void {
  if (phase.kind === "cancelled") {
    const isAsked = world.ledger.cancelled.has(task.id);
    hold(isAsked, "I9 only a person cancels", () => `${task.id} is cancelled`);
  }
  if (phase.kind !== "failed") return;
  const { failure } = phase;
  hold(
    isOwnFailure(world, task, failure),
    "I9 one's own failure",
    () => `${task.id} failed: ${JSON.stringify(failure)}`,
  );
}

function isOwnFailure(world: World, task: Task, failure: AttemptFailure): boolean {
  const records = world.ledger.of(task.id);
  switch (failure.reason) {
    case "gate":
      return hasCaused(world, task, failure.gate);
    case "conflict":
      return failure.with.every((other) => mayMeet(world, other));
    case "ownership":
      return records.some(({ saved }) => saved !== null && saved.findings.length > 0);
    case "nothing-done":
      return records.some(({ saved }) => saved !== null && !saved.changed);
    case "crash":
      return records.filter(({ ended }) => isDeath(ended?.failure?.reason)).length > 0;
    default:
      return records.some(({ ended }) => ended?.failure?.reason === failure.reason);
  }
}

const isDeath = (reason: string | undefined): boolean => reason === "crash" || reason === "orphaned";

/** A red tree that its own work, or a flake, made red. */
function hasCaused({ ledger, gates }: World, task: Task, name: string): boolean {
  const keys = task.gates.filter((gate) => gate.name === name).map(gateKey);
  return ledger.reds.some(({ tree, gate }) => {
    const causes = gates.causes.get(causeKey(tree, gate));
    return keys.includes(gate) && causes !== undefined && (causes.size === 0 || causes.has(task.id));
  });
}

/** A conflict is with work that is merged: with work that never was, it would be another's failure. */
function mayMeet({ ledger }: World, other: TaskId): boolean {
  return ledger.merged.has(other) || ledger.task(other) === undefined;
}
