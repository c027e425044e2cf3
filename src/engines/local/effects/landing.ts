// The landing: the target takes what the run made, in the style that is asked for. That is the integration tip itself, or commits
// that are built for it (and gated, where their tree is another): because they shall look otherwise, or because the target has
// moved meanwhile. And the undoing of it.

import type { RunState } from "../../../core/run-state.ts";
import type { Want } from "../../../core/want.ts";
import { buildLanding, hasOwnCommits, land, readRef, shortName, undoLanding } from "../../../git/index.ts";
import type { Effects, Hands } from "../driver.ts";
import type { Site } from "../site.ts";

type ToLand = Pick<Extract<Want, { kind: "land" }>, "tip" | "result" | "onto">;

export function landEffect(site: Site): Effects["land"] {
  const { shadow } = site;
  return async (want, hands) => {
    if (await isBuiltFirst(site, want, hands)) return;
    const { tip, result } = want;
    const { target } = hands.state();
    const landing = await land(shadow, { ...placeOf(site), target, to: result });
    if (landing.kind === "landed" && target !== null) {
      const { from, to, notes } = landing;
      await hands.record({ type: "run.landed", tip, target, from, to, notes });
      return;
    }
    if (landing.kind === "moved") return build(site, hands, { tip, onto: landing.onto });
    if (landing.kind === "landed") throw new Error("a landing without a target landed");
    const { why, detail, files, command } = landing;
    const named = files.length === 0 ? "" : ` Files: ${files.join(", ")}.`;
    const told = `${detail}${named} When that is put right: ${command}`;
    await hands.record({ type: "landing.refused", tip, why, detail: told });
  };
}

/** What is not simply the tip is built on where the target is now, and wanted again when it is known and green. */
export async function isBuiltFirst(site: Site, { tip, onto }: ToLand, hands: Hands): Promise<boolean> {
  const { target, policy } = hands.state();
  const { repository } = site.shadow;
  if (onto !== null || target === null || !hasOwnCommits(repository, policy.landStyle)) return false;
  const now = await readRef(repository, target);
  if (now === null) return false; // the landing says what that means
  await build(site, hands, { tip, onto: now });
  return true;
}

async function build(
  site: Site,
  hands: Hands,
  { tip, onto }: { tip: ToLand["tip"]; onto: ToLand["tip"] },
): Promise<void> {
  const { shadow, run } = site;
  const { target, clock, index, policy } = hands.state();
  if (target === null) throw new Error("a landing without a target is built");
  const isReverted = hands.state().reverted.includes(tip);
  const base = builtFrom(hands.state());
  const work = { target, onto, tip, base, isReverted, plan: index.plan.name, at: clock };
  const built = await buildLanding(shadow, { ...placeOf(site), ...work, style: policy.landStyle });
  if (built.kind === "built") {
    await hands.record({ type: "landing.built", tip, onto, result: built.result });
    return;
  }
  if (built.kind === "refused") {
    await hands.record({ type: "landing.refused", tip, why: built.why, detail: built.detail });
    return;
  }
  const what = built.paths.join(", ") || built.types.join(", ");
  const detail = `${shortName(target)} moved, and does not merge with the run: ${what}. Merge it yourself (git merge plait/${run}/integration), commit, and then: plait land ${run}`;
  const { paths } = built;
  await hands.record({ type: "landing.refused", tip, why: "conflict", detail, paths });
}

/** Where the work begins that has not landed yet. */
const builtFrom = ({ landedTip, base }: RunState) => landedTip ?? base.commit;

export function placeOf({ run, folder, fingerprint }: Site) {
  return { run, runDir: folder.path, fingerprint, keptIn: folder.start };
}

export function undoEffect(site: Site): Effects["undo"] {
  return async ({ tip, target, from, to }, hands) => {
    const { run, folder, shadow } = site;
    const { clock: at, policy, published } = hands.state();
    // What others may have is not taken out of the history, but taken back by a commit.
    const revert = published.kind === "published" && published.commit === to.commit;
    const what = { run, runDir: folder.path, target, from, to, tip, at, revert };
    const undone = await undoLanding(shadow, { ...what, style: policy.landStyle });
    switch (undone.kind) {
      case "undone": {
        const { how, notes } = undone;
        const moved = { from: undone.from, to: undone.to };
        await hands.record({ type: "landing.undone", tip, target, how, ...moved, notes });
        return;
      }
      case "not-landed":
        await hands.record({ type: "undo.refused", tip, detail: undone.detail });
        return;
      case "refused": {
        const named = undone.files.length === 0 ? "" : ` Files: ${undone.files.join(", ")}.`;
        const lead = undone.why === "conflict" ? "By hand:" : "When that is put right:";
        const detail = `${undone.detail}${named} ${lead} ${undone.command}`;
        await hands.record({ type: "undo.refused", tip, detail });
      }
    }
  };
}
