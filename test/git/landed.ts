// Runs that have landed and are over, in tests, and what came of taking them back.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Revision } from "../../src/core/facts.ts";
import { refName } from "../../src/core/ids.ts";
import type { LandStyle } from "../../src/core/plan.ts";
import { cleanRefs } from "../../src/git/clean.ts";
import { recordFingerprint } from "../../src/git/fingerprint.ts";
import { type UndoInput, type Undoing, undoLanding } from "../../src/git/index.ts";
import { buildIt, type LandRig, landIt, landRig, MERGE, TASKS } from "./landing.ts";
import { AT } from "./saving.ts";
import { copyOf, rig, sh } from "./support.ts";

/** `landed`: what it moved the target from and to. */
export type LandedRig = LandRig & {
  readonly landed: { readonly from: LandRig["base"]["commit"]; readonly to: Revision };
};

/** What a landing came to, by style: each is done once, and copied. */
const landings = new Map<string, Promise<LandedRig>>();

export async function landedRig(style: LandStyle = MERGE): Promise<LandedRig> {
  const name = `landed ${style.as}`;
  let first = landings.get(name);
  if (first === undefined) {
    first = landOnce(style);
    landings.set(name, first);
  }
  const { base, to, landed, place: origin } = await first;
  const place = copyOf(name, (root) => cpSync(origin.root, root, { recursive: true }));
  const it = await rig(place);
  const keptIn = join(it.runDir, "start");
  const fingerprint = await recordFingerprint(it.repository, keptIn);
  return { ...it, base, to, landed, fingerprint, keptIn, target: refName("refs/heads/main") };
}

async function landOnce(style: LandStyle): Promise<LandedRig> {
  const it = await landRig(undefined, TASKS);
  const built = await buildIt(it, { style });
  const landing = built.kind === "built" ? await landIt(it, { to: built.result }) : built;
  if (landing.kind !== "landed") throw new Error(JSON.stringify(landing));
  await cleanRefs(it.repository, { run: it.run, landed: true, merged: [] });
  await it.pool.close();
  rmSync(it.runDir, { recursive: true }); // it has paths in it: each copy makes its own
  return { ...it, landed: landing };
}

export function inputOf(it: LandedRig, more: Partial<UndoInput> = {}): UndoInput {
  const { run, runDir, target, landed, to } = it;
  return {
    run,
    runDir,
    target,
    from: landed.from,
    to: landed.to,
    tip: to.commit,
    at: AT,
    waitMs: 200,
    ...more,
  };
}

export function undo(it: LandedRig, more: Partial<UndoInput> = {}): Promise<Undoing> {
  return undoLanding(it.shadow, inputOf(it, more));
}

export function integration({ place }: LandRig): string {
  return sh(place, "git rev-parse -q --verify plait/r1/integration || echo none");
}

export function main({ place }: LandRig): string {
  return sh(place, "git rev-parse main");
}
