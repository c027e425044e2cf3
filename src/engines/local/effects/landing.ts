// The landing: the target takes the integration tip, or, where it has moved meanwhile, a commit that joins the two and is
// gated first.

import { joinTarget, land, shortName } from "../../../git/index.ts";
import type { Effects } from "../driver.ts";
import type { Site } from "../site.ts";

export function landEffect({ shadow, run, folder, fingerprint }: Site): Effects["land"] {
  return async ({ tip, result }, hands) => {
    const { target, clock } = hands.state();
    const place = { run, runDir: folder.path, target };
    const landing = await land(shadow, { ...place, to: result, fingerprint, keptIn: folder.start });
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
    const joined = await joinTarget(shadow, { ...place, target, onto: landing.onto, tip, at: clock });
    if (joined.kind === "joined") {
      await hands.record({ type: "landing.built", tip, onto: landing.onto, result: joined.result });
      return;
    }
    const why = joined.kind === "conflict" ? "conflict" : "hook";
    const detail =
      joined.kind === "conflict"
        ? `${shortName(target)} moved, and does not merge with the run: ${joined.paths.join(", ") || joined.types.join(", ")}. Merge it yourself (git merge plait/${run}/integration), commit, and then: plait land ${run}`
        : joined.detail;
    await hands.record({ type: "landing.refused", tip, why, detail });
  };
}
