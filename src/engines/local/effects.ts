import type { Effects } from "./driver.ts";
import { attemptEffects } from "./effects/attempts.ts";
import { finishEffect } from "./effects/finishing.ts";
import { gateEffect } from "./effects/judging.ts";
import { landEffect, undoEffect } from "./effects/landing.ts";
import { mergeEffects } from "./effects/merging.ts";
import { openEffect } from "./effects/opening.ts";
import { probeEffect } from "./effects/probing.ts";
import { publishEffect } from "./effects/publishing.ts";
import { saveEffect } from "./effects/saving.ts";
import type { RunContext } from "./run-context.ts";

/** How each want is performed on this machine: with git, processes and files. */
export function localEffects(site: RunContext): Effects {
  return {
    ...attemptEffects(site),
    save: saveEffect(site),
    gate: gateEffect(site),
    ...mergeEffects(site),
    probe: probeEffect(site),
    land: landEffect(site),
    open: openEffect(site),
    publish: publishEffect(site),
    undo: undoEffect(site),
    finish: finishEffect(site),
  };
}
