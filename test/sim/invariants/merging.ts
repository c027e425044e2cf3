import type { Revision } from "../../../src/core/facts.ts";
import type { Oid, TaskId } from "../../../src/core/ids.ts";
import type { Want } from "../../../src/core/want.ts";
import { hold } from "../violation.ts";
import { type Advance, savedRef, TARGET, type World } from "../world.ts";
import type { History } from "./history.ts";

/** I7 and what else must hold when the integration branch or the target moves, or is about to. */
export type Moving = { readonly world: World; readonly history: History };

/** At the decision: between it and the move a person may still say something. */
export function checkAdvanceWanted(
  { world }: Moving,
  { from, tasks }: Extract<Want, { kind: "advance" }>,
): void {
  const { ledger, base } = world;
  const isKnown = from !== base.commit || ledger.isGreen(base.tree, ledger.plan!);
  hold(isKnown, "nothing merges before the base is known green", () => `${names(tasks)} advance`);
  const mayMerge = ledger.stopping === null || ledger.stopping === "drain";
  hold(mayMerge, "a hard stop merges nothing", () => `${names(tasks)} advance in a stop`);
  for (const { task } of tasks) {
    hold(!ledger.cancelled.has(task), "cancelled work is not merged", () => `${task} advances`);
    const isApproved = (ledger.approved.get(task) ?? 0) > (ledger.reset.get(task) ?? 0);
    hold(!ledger.task(task)?.approve || isApproved, "approval", () => `${task} advances without it`);
  }
}

/** At the move: the branch goes from the value that was verified to a tree that is green for all that it brings. */
export function checkAdvance({ world, history }: Moving, { from, to, tasks }: Advance): void {
  const { git } = world;
  hold(tasks.length > 0, "I7", () => `an advance to ${to.commit} without tasks`);
  hold(git.look(to.commit).tree === to.tree, "I7", () => `${to.commit} does not have the tree ${to.tree}`);
  hold(
    git.look(to.commit).parents[0] === from,
    "I7 from the verified value",
    () => `${to.commit} does not stand on ${from}`,
  );
  for (const { task, attempt } of tasks) {
    const before = history.merged(task);
    const { base, continues } = world.ledger.attempts.get(attempt)?.started ?? {};
    const isFitting = continues != null && base !== undefined && world.ledger.isFitting(task, base.commit);
    hold(
      before === null || isFitting,
      "I7 no task in two advances",
      () => `${task} was merged by ${before?.attempt}, now by ${attempt}`,
    );
  }
  checkProof({ world, history }, to, tasks);
  const expected = rebuild(world, from, tasks);
  hold(expected === to.tree, "I7 the merged tree", () => `${names(tasks)} on ${from} do not give ${to.tree}`);
}

/** I7: the branch goes to a commit of the target that has all that was merged. */
export function checkCatchUp({ world: { git } }: Moving, from: Oid, to: Revision): void {
  const target = git.ref(TARGET)!;
  hold(git.isAncestor(from, to.commit), "I7 nothing merged is left", () => `${to.commit} lacks ${from}`);
  hold(git.isAncestor(to.commit, target), "I7 from the target", () => `${to.commit} is not on the target`);
}

function checkProof({ world, history }: Moving, to: Revision, tasks: Advance["tasks"]): void {
  const { ledger } = world;
  const done = new Set<TaskId>();
  for (const { task: id, attempt } of tasks) {
    const task = ledger.task(id);
    const record = ledger.attempts.get(attempt);
    hold(task !== undefined && record !== undefined, "I7", () => `${attempt} is merged and unknown`);
    const isGood = record.started.author === "person" || record.ended?.failure === null;
    hold(
      isGood,
      "I7 only good work",
      () => `${attempt} ended with ${record.ended?.failure?.reason ?? "nothing"}`,
    );
    const isSaved = record.saved !== null && record.saved.findings.length === 0;
    hold(isSaved, "I7 only saved work", () => `${attempt} is not saved, or its changes are refused`);
    const isGreen = ledger.isGreen(to.tree, task);
    hold(isGreen, "I7 green before the move", () => `not all gates of ${id} are green for ${to.tree}`);
    for (const need of task.needs) {
      const known = ledger.task(need);
      // A need that is to be done again stands in nobody's way who was made on its first work.
      const isMet =
        done.has(need) || history.wasMerged(need) || (known !== undefined && history.isSatisfied(known));
      hold(isMet, "I11 needs are merged first", () => `${id} is merged before ${need}`);
    }
    done.add(id);
  }
}

/** What git makes of it when the saved works are joined in this order. */
function rebuild({ git }: World, from: Oid, tasks: Advance["tasks"]): Oid | null {
  let tip = from;
  for (const { attempt } of tasks) {
    const result = git.ref(savedRef(attempt));
    const merged = result === null ? null : git.merge(tip, result);
    if (result === null || !merged?.ok) return null;
    tip = git.commit({ parents: [tip, result], tree: merged.tree, trailers: [] }).commit;
  }
  return git.look(tip).tree;
}

export function checkLandingWanted({ world, history }: Moving): void {
  const { ledger } = world;
  const { stopping, landingAsked, land: policy } = ledger;
  hold(stopping === null, "a stop lands nothing", () => `it lands in a ${stopping}`);
  const isAsked = landingAsked || policy === "partial";
  hold(isAsked || policy === "end", "land: never", () => "it lands");
  const missing = ledger.plan?.tasks.find(
    (task) => ledger.isSelected(task.id) && !ledger.cancelled.has(task.id) && !history.isSatisfied(task),
  );
  hold(
    isAsked || missing === undefined,
    "I1 an incomplete run lands nothing",
    () => `${missing?.id} is not done`,
  );
}

/** I1, I3: what lands is gated, has all that is merged, and takes nothing from the user. */
export function checkLanding({ world, history: { tip } }: Moving, from: Oid, to: Oid): void {
  const { git, ledger } = world;
  const { tree } = git.look(to);
  hold(
    ledger.isGreen(tree, ledger.plan!),
    "I1 what lands is gated",
    () => `not all gates are green for ${tree}`,
  );
  hold(git.isAncestor(from, to), "I3 the user's commits stay", () => `${to} does not contain ${from}`);
  hold(git.isAncestor(tip, to), "I1 what is merged lands", () => `${to} does not contain ${tip}`);
}

const names = (tasks: Advance["tasks"]): string => tasks.map(({ attempt }) => attempt).join(", ");
