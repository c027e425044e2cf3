import { randomBytes } from "node:crypto";
import type { Env } from "../core/plan.ts";

/** In the environment of every process of an attempt or a gate: which one it belongs to. */
export const ATTEMPT_VARIABLE = "PLAIT_ATTEMPT";
/** In the environment of every process of a run: what the reaper looks for. */
export const RUN_VARIABLE = "PLAIT_RUN";

export type Markers = {
  /** Of an attempt, a gate or a command: unique for ever. Finds all of its processes, whatever became of their parents. */
  readonly marker: string;
  readonly runMarker: string;
};

/** Two that are under way at once must not share one: what is left of the one that ends first is ended by its marker. */
export function uniqueMarker(run: string, what: string): string {
  return `${run}.${what}.${randomBytes(8).toString("hex")}`;
}

export function markedEnv(env: Env, { marker, runMarker }: Markers): Env {
  return { ...env, [ATTEMPT_VARIABLE]: checkedMarker(marker), [RUN_VARIABLE]: checkedMarker(runMarker) };
}

/** As it stands in an environment. */
export function variableOf(name: typeof ATTEMPT_VARIABLE | typeof RUN_VARIABLE, marker: string): string {
  return `${name}=${checkedMarker(marker)}`;
}

/** Blanks would end a marker early where ps shows it; an empty one would be everybody's. */
export function checkedMarker(marker: string): string {
  if (!/^[\w.:/@+-]+$/.test(marker)) throw new Error(`invalid process marker: ${JSON.stringify(marker)}`);
  return marker;
}
