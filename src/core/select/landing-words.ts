import type { LandRequest } from "../land-request.ts";
import { lastLanding, staysOnIntegration } from "../landing.ts";
import type { Landed } from "../landing-state.ts";
import type { RunState } from "../run-state.ts";
import { count, shortRef } from "../text/figures.ts";
import { progress } from "./progress.ts";

/** What a driver does that was asked to land: `Landing 2 merged tasks of shop-k7f2 on main. The run then ends with 1 task left.` */
export function describeLanding(
  state: RunState,
  { target = state.target ?? undefined }: LandRequest,
): string {
  const { done, total, phases } = progress(state);
  const where = target === undefined ? "" : ` on ${shortRef(target)}`;
  const left = total - done;
  const then = left === 0 ? "" : ` The run then ends with ${count(left, "task")} left.`;
  return `Landing ${count(phases.merged, "merged task")} of ${state.run}${where}.${then}`;
}

/** The branch that has the result, or will have it; null where there is none to land on. */
export function findLandingBranch(state: RunState): string | null {
  const landed = findLanded(state);
  if (landed === null && staysOnIntegration(state)) return `plait/${state.run}/integration`;
  const target = landed?.target ?? state.target;
  return target === null ? null : shortRef(target);
}

/** The last landing that is on the branch: of a run that landed twice the first, where the second was undone. */
export const findLanded = (state: RunState): Landed | null => lastLanding(state)?.landing ?? null;
