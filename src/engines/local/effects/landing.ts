// The landing: the target takes the integration tip, or, where it has moved meanwhile, a commit that joins the two and is
// gated first.

import type { LandStyle } from "../../../core/plan.ts";
import { buildLanding, land, shortName } from "../../../git/index.ts";
import type { Effects } from "../driver.ts";
import type { Site } from "../site.ts";

export function landEffect({ shadow, run, folder, fingerprint }: Site): Effects["land"] {
  return async ({ tip, result }, hands) => {
    const { target, clock, index, base } = hands.state();
    const place = { run, runDir: folder.path, fingerprint, keptIn: folder.start };
    const landing = await land(shadow, { ...place, target, to: result });
    if (landing.kind === "landed" && target !== null) {
      const { from, to, notes } = landing;
      await hands.record({ type: "run.landed", tip, target, from, to, notes });
      return;
    }
    if (landing.kind === "refused") {
      const { why, detail, files, command } = landing;
      const named = files.length === 0 ? "" : ` Files: ${files.join(", ")}.`;
      await hands.record({
        type: "landing.refused",
        tip,
        why,
        detail: `${detail}${named} When that is put right: ${command}`,
      });
      return;
    }
    if (landing.kind !== "moved" || target === null) throw new Error("a landing without a target landed");
    const { onto } = landing;
    const work = { target, onto, tip, base: base.commit, plan: index.plan.name, style: STYLE, at: clock };
    const built = await buildLanding(shadow, { ...place, ...work });
    if (built.kind === "built") {
      await hands.record({ type: "landing.built", tip, onto, result: built.result });
      return;
    }
    const why = built.kind === "conflict" ? "conflict" : "hook";
    const detail =
      built.kind === "conflict"
        ? `${shortName(target)} moved, and does not merge with the run: ${built.paths.join(", ") || built.types.join(", ")}. Merge it yourself (git merge plait/${run}/integration), commit, and then: plait land ${run}`
        : built.detail;
    await hands.record({ type: "landing.refused", tip, why, detail });
  };
}

const STYLE: LandStyle = { as: "merge", sign: false, signoff: false, message: null, author: "kept" };
