// A gate judges a tree, not a task: in a scratch worktree with exactly its files, prepared like a task's. What it does there
// is thrown away.

import { join } from "node:path";
import type { EpochMs, FactBody, GateAsker, MissingFiles, Revision } from "../../../core/facts.ts";
import type { Oid } from "../../../core/ids.ts";
import { landingRevision, missingLandingChecks } from "../../../core/landing.ts";
import { matcher } from "../../../core/ownership/match.ts";
import { type Preparation, preparationKey } from "../../../core/plan.ts";
import { type Check, checkKey } from "../../../core/run-index.ts";
import type { RunState } from "../../../core/run-state.ts";
import { greenKey } from "../../../core/run-tasks.ts";
import { has, values } from "../../../core/sorted-map.ts";
import { mayNeedTree } from "../../../core/tree-demand.ts";
import type { GateWant } from "../../../core/want.ts";
import { runGate, type Verdict } from "../../../gates/run-gate.ts";
import { changedPath, diffTrees, type Lease } from "../../../git/index.ts";
import { uniqueMarker } from "../../../process/markers.ts";
import type { EffectContext, Effects } from "../driver.ts";
import { type RememberedCheck, recallGreen, rememberGreen } from "../green-memory.ts";
import { asKnown, putFailures } from "../known-red.ts";
import { formatUnprepared, type Unprepared } from "../make-ready.ts";
import { gateTrees, releaseWorktree, type ToOpen } from "../prepare.ts";
import { findChangedLocks } from "../prepared/lock-files.ts";
import { envIn, liveAttempt, type RunContext } from "../run-context.ts";
import { callInside } from "../sandbox/call-inside.ts";
import { keepOfRed } from "./keeping.ts";

type JudgedBody = Extract<FactBody, { type: "gate.judged" }>;

export function gateEffect(site: RunContext): Effects["gate"] {
  const trees = gateTrees(site);
  return async (want, hands) => {
    const state = hands.state();
    const reference = isAboutBase(want) ? null : await unaffectedSince(site, state, want);
    if (reference !== null) {
      const summary = "no file that it checks was changed";
      await hands.record({ ...notRun(want, summary), how: "unaffected", reference });
      return;
    }
    const before =
      isAboutBase(want) && state.policy.recheck !== true ? await recall(site, state, want) : null;
    if (before !== null) {
      await hands.record(before);
      return;
    }
    const asked = treeFor(site, { want, state, signal: hands.signal });
    const { lease, prepared } = await trees.open(asked);
    const perform = () => judge(site, want, { asked, lease });
    const run = () =>
      isAboutBase(want) ? perform() : site.targetWatch.during(hands, site.sandbox.keepsRefs, perform);
    const verdict = prepared.ok ? await run() : red(prepared);
    // Known before the verdict is: the next gate may begin as soon as that is folded.
    const isLeft = verdict?.verdict === "green" && trees.leave(asked, lease);
    try {
      if (verdict !== null && !hands.signal.aborted) await tell(site, hands, { want, verdict, lease });
    } finally {
      if (!mayNeedTree(hands.state())) await site.prepared.stopAhead();
      if (!isLeft) await releaseWorktree(site, lease, null);
      else if (!isAskedAgain(hands.state(), want)) await trees.clear(asked, lease);
    }
  };
}

const notRun = (want: GateWant, summary: string) =>
  ({
    ...judged(want),
    verdict: "green",
    tries: 0,
    durationMs: 0,
    summary,
    output: null,
    failures: null,
  }) as const;

const isAboutBase = ({ asked }: GateWant): boolean => asked.some(({ kind }) => kind === "base");

type Judged = { readonly want: GateWant; readonly verdict: Verdict; readonly lease: Lease };

async function tell(site: RunContext, hands: EffectContext, { want, verdict, lease }: Judged) {
  const { output, failed, isWhole: _, ...rest } = verdict;
  const text = output === "" ? null : await site.folder.putText(output);
  const failures = await putFailures(site, failed);
  const known = await asKnown(site, hands.state(), { want, verdict });
  const ran = { ...rest, how: "ran", reference: null } as const;
  if ((known ?? ran).verdict === "red")
    await keepOfRed(site, hands.state(), { asked: want.asked, tree: lease.slot.path });
  const missing =
    isAboutBase(want) && known === null ? await missingFor(site, hands.state(), { want, verdict }) : null;
  const more = missing === null ? {} : { missing };
  await hands.record({ ...judged(want), ...(known ?? ran), output: text, failures, ...more });
  if (known === null && verdict.verdict === "green" && verdict.tries === 1)
    await remember(site, hands.state(), { want, lease });
}

/** A gate that ran and is red; a setup that failed says itself what it misses. */
async function missingFor(
  { findMissing }: RunContext,
  state: RunState,
  { want, verdict }: Pick<Judged, "want" | "verdict">,
): Promise<MissingFiles | null> {
  if (verdict.verdict === "green" || verdict.isUnprepared) return null;
  return findMissing({ plan: state.index.plan, prepare: preparationFor(state, want), tree: want.tree });
}

/** The verdict of an earlier run on the same base. */
async function recall(site: RunContext, state: RunState, want: GateWant): Promise<JudgedBody | null> {
  const at = await recallGreen(site, checkFor(state, want));
  if (at === null) return null;
  const summary = `remembered from ${formatMinute(at)}`;
  return { ...notRun(want, summary), how: "remembered", reference: null };
}

/**
 * Of every tree: work that is merged alone and lands has the tree that it was judged with, and is the base of the next run. Not where
 * its dependencies were installed: the next run copies those of the checkout.
 */
async function remember(
  site: RunContext,
  state: RunState,
  { want, lease }: Pick<Judged, "want" | "lease">,
): Promise<void> {
  const isOfPlan = state.index.baseChecks.some((check) => checkKey(check) === checkKey(want.check));
  if (!isOfPlan) return;
  const check = checkFor(state, want);
  if ((await findChangedLocks(site, lease, check.prepare)) === null) await rememberGreen(site, check);
}

function checkFor(state: RunState, want: GateWant): RememberedCheck {
  return { tree: want.tree, gate: want.check.gate, prepare: preparationFor(state, want) };
}

/** `2026-11-17 14:05`, where plait runs. */
function formatMinute(at: EpochMs): string {
  const time = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Whether another gate of the same tree and preparation is still to come. */
function isAskedAgain(state: RunState, { tree, check: { preparation } }: GateWant): boolean {
  const isSame = (check: Check) => check.preparation === preparation;
  const landing = landingRevision(state);
  if (landing?.tree === tree && missingLandingChecks(state, landing).some(isSame)) return true;
  if (state.candidates.some(({ result, missing }) => result.tree === tree && missing.some(isSame)))
    return true;
  for (const { live } of values(state.tasks)) {
    for (const { stage } of live) {
      if (stage.kind === "gate" && stage.saved.result.tree === tree && stage.missing.some(isSame))
        return true;
    }
  }
  return false;
}

function judged({ tree, check, asked }: GateWant) {
  const { key: gate, preparation } = check;
  return {
    type: "gate.judged",
    tree,
    gate,
    preparation,
    asked,
    name: check.gate.name,
  } as const satisfies Partial<JudgedBody>;
}

type ToJudge = { readonly want: GateWant; readonly state: RunState; readonly signal: AbortSignal };

function treeFor(site: RunContext, { want, state, signal }: ToJudge): ToOpen {
  const at: Revision = { commit: commitFor(state, want.asked), tree: want.tree };
  const marker = uniqueMarker(site.run, "gate");
  const env = { own: want.check.gate.env, added: {} };
  return { at, prepare: preparationFor(state, want), env, marker, signal };
}

async function judge(
  site: RunContext,
  { check: { gate } }: GateWant,
  { asked: { marker, signal }, lease }: { asked: ToOpen; lease: Lease },
): Promise<Verdict | null> {
  const { masker, lifeline, clock, run } = site;
  const { slot } = lease;
  const whole = await envIn(site, lease, gate.env);
  return callInside(site, { lease, command: gate.run, env: whole }, ({ env, enclose }) =>
    runGate(
      { gate, cwd: join(slot.path, gate.dir ?? ""), env, root: slot.path },
      { masker, lifeline, clock, marker, runMarker: run, worktree: slot.path, signal, ...enclose },
    ),
  );
}

const red = (unprepared: Unprepared): Verdict => ({
  verdict: "red",
  tries: 1,
  durationMs: 0,
  summary: formatUnprepared(unprepared),
  output: unprepared.output ?? unprepared.detail,
  failed: null,
  isWhole: false,
  isUnprepared: true,
});

/** The same preparation as the key says; a verdict holds for the two together. */
function preparationFor(state: RunState, { check }: GateWant): Preparation {
  const { plan } = state.index;
  const all = [plan.prepare, ...plan.tasks.map(({ prepare }) => prepare)];
  const found = all.find((prepare) => preparationKey(prepare) === check.preparation);
  if (found === undefined) throw new Error(`the plan has no preparation for gate ${check.gate.name}`);
  return found;
}

/** A commit that has the tree, so that the gate sees a history. */
function commitFor(state: RunState, [asker]: readonly GateAsker[]): Oid {
  if (asker === undefined) throw new Error("this gate was not requested");
  if (asker.kind !== "attempt") return asker.commit;
  const { stage } = liveAttempt(state, asker.attempt);
  if (stage.kind !== "gate") throw new Error(`${asker.attempt} is not waiting for a gate`);
  return stage.saved.result.commit;
}

/** A tree where the gate holds, since which nothing was changed that it looks at; null when it must run. */
async function unaffectedSince(
  { shadow }: RunContext,
  state: RunState,
  { tree, check }: GateWant,
): Promise<Oid | null> {
  const { when } = check.gate;
  if (when.length === 0) return null;
  const looksAt = when.map((pattern) => matcher(pattern));
  for (const reference of references(state, tree)) {
    if (!has(state.greens, greenKey(reference, check))) continue;
    const changes = await diffTrees(shadow, reference, tree);
    const paths = changes.map((change) => changedPath(change).path);
    if (!paths.some((path) => looksAt.some((matches) => matches(path) !== false))) return reference;
  }
  return null;
}

/** The trees that this one was made from, and the one that the run began with. */
function references(state: RunState, tree: Oid): Set<Oid> {
  const below = state.candidates.flatMap(({ from, result }) => {
    if (result.tree !== tree) return [];
    if (from === state.tip.commit) return [state.tip.tree];
    return state.candidates.filter((other) => other.result.commit === from).map((other) => other.result.tree);
  });
  const bases: Oid[] = [];
  for (const { live } of values(state.tasks)) {
    for (const { base, stage } of live) {
      if (stage.kind === "gate" && stage.saved.result.tree === tree) bases.push(base.tree);
    }
  }
  return new Set([...below, ...bases, state.tip.tree, state.base.tree]);
}
