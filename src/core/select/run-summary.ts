import type { EpochMs, RunOutcome } from "../facts.ts";
import type { RunId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { needsYou } from "./needs-you.ts";
import { overview } from "./overview.ts";
import { type RunResult, runResult } from "./run-result.ts";
import type { Ball } from "./task-rows.ts";
import { timeShown } from "./time-shown.ts";

/** A run on one line, for lists of runs. Plain JSON. */
export type RunSummary = {
  readonly run: RunId;
  readonly plan: { readonly name: string; readonly path: string; readonly hash: string };
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
  readonly isDriven: boolean;
  readonly outcome: RunOutcome | null;
  readonly landing: RunState["landing"];
  readonly result: RunResult;
  /** Something of it does not go on without a person. */
  readonly needsYou: boolean;
  readonly total: number;
  readonly done: number;
  /** Of its tasks, by who moves them on. */
  readonly balls: { readonly [B in Ball]: number };
  readonly wallMs: number;
  /** Against one task after another; null before anything happened. */
  readonly speedUp: number | null;
  /** Null where no agent has told a cost. */
  readonly usd: number | null;
  /** When it will be ready; null where nobody knows. */
  readonly readyAt: EpochMs | null;
};

export function runSummary(state: RunState, now: EpochMs, isDriven: boolean): RunSummary {
  const at = timeShown(state, now, isDriven);
  const { balls, times, spending, forecast, progress } = overview(state, at, { isDriven });
  const { name, source } = state.index.plan;
  const result = runResult(state, at, isDriven);
  return {
    run: state.run,
    plan: { name, path: source.path, hash: source.hash },
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    isDriven,
    outcome: state.ended?.outcome ?? null,
    landing: state.landing,
    result,
    needsYou: result.kind === "cut-off" || balls.you > 0 || needsYou(state).length > 0,
    total: progress.total,
    done: progress.done,
    balls,
    wallMs: times.wallMs,
    speedUp: times.speedUp,
    usd: spending.usd,
    readyAt: forecast?.readyAt ?? null,
  };
}
