// The landing: the target takes what the run made, in the style that is asked for. That is the integration tip itself, or commits
// that are built for it (and gated, where their tree is another): because they shall look otherwise, or because the target has
// moved meanwhile. And the undoing of it.

import type { Revision } from "../../../core/facts.ts";
import type { Oid, TaskId } from "../../../core/ids.ts";
import type { TargetJoin } from "../../../core/landing-types.ts";
import type { Plan } from "../../../core/plan.ts";
import { groupByNeeds, type StackStep } from "../../../core/proposal.ts";
import type { RunState } from "../../../core/run-state.ts";
import { count } from "../../../core/text/figures.ts";
import type { Want } from "../../../core/want.ts";
import {
  type BuildInput,
  buildLanding,
  countCommits,
  hasOwnCommits,
  isAncestor,
  joinTarget,
  land,
  listCommits,
  readRef,
  type Shadow,
  shortName,
  undoLanding,
} from "../../../git/index.ts";
import type { EffectContext, Effects } from "../driver.ts";
import { listOutdatedFolders } from "../prepared/lock-files.ts";
import type { RunContext } from "../run-context.ts";
import { refuseUnexplained } from "./unexplained.ts";

type ToLand = Pick<Extract<Want, { kind: "land" }>, "tip" | "result" | "onto">;

export function landEffect(site: RunContext): Effects["land"] {
  const { shadow } = site;
  return async (want, hands) => {
    if (await refuseUnexplained(site, want, hands)) return;
    if (await isBuiltFirst(site, want, hands)) return;
    const { tip, result } = want;
    const { target } = hands.state();
    const landing = await land(shadow, { ...buildLandingInput(site), target, to: result });
    if (landing.kind === "landed" && target !== null) {
      const { from, to, notes } = landing;
      site.targetWatch.expect(to.commit);
      // The target has moved: a failure from here on does not undo the landing.
      const outdated = await listOutdatedInCheckout(site, hands.state(), landing).catch(() => []);
      const others = await listOtherCommits(site, hands.state(), from).catch(() => []);
      const all = [...notes, ...others, ...outdated];
      await hands.record({ type: "run.landed", tip, target, from, to, notes: all });
      return;
    }
    if (landing.kind === "moved") return build(site, hands, { tip, onto: landing.onto });
    if (landing.kind === "landed") throw new Error("a landing without a target landed");
    const { kind: _, ...refused } = landing;
    await hands.record({ type: "landing.refused", tip, ...refused });
  };
}

/** Where the target is checked out, its lock files are the new ones and what was installed is not. */
async function listOutdatedInCheckout(
  site: RunContext,
  { index, target }: RunState,
  { from, to }: { readonly from: Oid; readonly to: Revision },
): Promise<string[]> {
  const { head } = site.shadow.repository;
  if (head.kind !== "branch" || head.ref !== target) return [];
  return listOutdatedFolders(site, index.plan.prepare, { from, to: to.commit });
}

const MOST_NAMED = 3;

/** Commits that came to the target since the run started, and not from it. */
async function listOtherCommits(
  { shadow: { repository }, masker }: RunContext,
  { targetAtStart, landings, target }: RunState,
  to: Oid,
): Promise<string[]> {
  if (target === null || targetAtStart === null || targetAtStart === to || landings.length > 0) return [];
  const total = await countCommits(repository, { from: targetAtStart, to });
  if (total === 0) return [];
  const named = await listCommits(repository, { from: targetAtStart, to }, MOST_NAMED);
  const rest = total > named.length ? [`${total - named.length} more`] : [];
  const list = [...named.map((one) => `"${one}"`), ...rest].join(", ");
  return [
    masker.text(
      `${shortName(target)} also has ${count(total, "commit")} that the run did not make: ${list}.`,
    ),
  ];
}

/** What is not simply the tip is built on where the target is now, and wanted again when it is known and green. */
export async function isBuiltFirst(
  site: RunContext,
  { tip, onto }: ToLand,
  hands: EffectContext,
): Promise<boolean> {
  const { target, policy } = hands.state();
  const { repository } = site.shadow;
  const isOwn = policy.publish === "pull-request-per-task" || hasOwnCommits(repository, policy.landStyle);
  if (onto !== null || target === null || !isOwn) return false;
  const now = await readRef(repository, target);
  if (now === null) return false; // the landing says what that means
  await build(site, hands, { tip, onto: now });
  return true;
}

async function build(
  site: RunContext,
  hands: EffectContext,
  { tip, onto }: { tip: ToLand["tip"]; onto: ToLand["tip"] },
): Promise<void> {
  const { shadow } = site;
  const { target, clock, index, policy } = hands.state();
  if (target === null) throw new Error("a landing without a target is built");
  const isReverted = hands.state().reverted.includes(tip);
  const base = builtFrom(hands.state());
  const work = { target, onto, tip, base, isReverted, plan: index.plan.name, at: clock };
  const isStack = policy.publish === "pull-request-per-task";
  const style = isStack ? { ...policy.landStyle, as: "rebase" as const } : policy.landStyle;
  const input = { ...buildLandingInput(site), ...work, style };
  const built = await buildLanding(shadow, input);
  if (built.kind === "built") {
    const { result, commits } = built;
    const line = isStack ? (built.steps ?? []) : undefined;
    const stacks = line && (await buildStacks(shadow, input, { line, plan: index.plan }));
    const parts = { ...(commits && { commits }), ...(line && { line }), ...(stacks && { stacks }) };
    await hands.record({ type: "landing.built", tip, onto, result, ...parts });
    return;
  }
  if (built.kind === "refused") {
    await hands.record({ type: "landing.refused", tip, why: built.why, detail: built.detail });
    return;
  }
  const { paths, types } = built;
  const isSince = await isAncestor(shadow.repository, base, onto);
  const branch = shortName(target);
  const detail = isSince
    ? `New commits on ${branch} conflict with the run`
    : `The run started from commits that ${branch} does not have, and conflicts with it`;
  const join = await joinForAgent(site, { tip, onto, at: clock });
  const files = paths.length > 0 ? paths : types;
  const refused = { why: "conflict", detail, files, paths, ...(join && { join }) } as const;
  await hands.record({ type: "landing.refused", tip, ...refused });
}

type ToJoin = Pick<TargetJoin, "onto" | "at"> & { readonly tip: ToLand["tip"] };

async function joinForAgent({ shadow, run, folder }: RunContext, input: ToJoin): Promise<TargetJoin | null> {
  const joined = await joinTarget(shadow, { ...input, run, runDir: folder.path });
  if (joined === null) return null;
  const { result, tasks } = joined;
  return { onto: input.onto, result, at: input.at, tasks };
}

/** Where the work begins that has not landed yet. */
const builtFrom = ({ landedTip, base }: RunState) => landedTip ?? base.commit;

export function buildLandingInput({ run, folder, fingerprint }: RunContext) {
  return { run, runDir: folder.path, fingerprint, keptIn: folder.start };
}

export function undoEffect(site: RunContext): Effects["undo"] {
  return async ({ tip, target, from, to }, hands) => {
    const { run, folder, shadow } = site;
    const { clock: at, policy, published } = hands.state();
    // A branch that was pushed keeps its history: a commit reverts the landing. A pull request is on a branch of its own.
    const revert = published.kind === "published" && published.url === null && published.commit === to.commit;
    const what = { run, runDir: folder.path, target, from, to, tip, at, revert };
    const undone = await undoLanding(shadow, { ...what, style: policy.landStyle });
    switch (undone.kind) {
      case "undone": {
        const { how, notes } = undone;
        const moved = { from: undone.from, to: undone.to };
        site.targetWatch.expect(undone.to.commit);
        await hands.record({ type: "landing.undone", tip, target, how, ...moved, notes });
        return;
      }
      case "not-landed":
        await hands.record({ type: "undo.refused", tip, detail: undone.detail });
        return;
      case "refused": {
        const { kind: _, why: __, ...refused } = undone;
        await hands.record({ type: "undo.refused", tip, ...refused });
      }
    }
  };
}

/**
 * The line of all tasks as independent stacks; null where it has to stay one line: because all tasks are connected, or because the
 * change of one does not apply without that of another.
 */
async function buildStacks(
  shadow: Shadow,
  input: BuildInput,
  { line, plan }: { readonly line: readonly StackStep[]; readonly plan: Plan },
): Promise<StackStep[] | null> {
  const groupOf = groupByNeeds(plan);
  const groups = new Map<TaskId, Set<TaskId>>();
  for (const { task } of line) {
    const group = groupOf(task);
    groups.set(group, (groups.get(group) ?? new Set()).add(task));
  }
  if (groups.size < 2) return null;
  const stacks: StackStep[] = [];
  for (const only of groups.values()) {
    const built = await buildLanding(shadow, { ...input, only });
    if (built.kind !== "built" || built.steps?.length !== only.size) return null;
    stacks.push(...built.steps);
  }
  return stacks;
}
