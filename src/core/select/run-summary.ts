import type { EpochMs } from "../facts.ts";
import type { RunState } from "../run-state.ts";
import { overview } from "./overview.ts";

/** A run on one line, for lists of runs. */
export function runSummary(state: RunState, now: EpochMs, isDriven: boolean) {
  const { balls, progress, forecast, times, spending } = overview(state, now, { isDriven });
  const { name, source } = state.index.plan;
  return {
    run: state.run,
    plan: { name, path: source.path, hash: source.hash },
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    isDriven,
    outcome: state.ended?.outcome ?? null,
    landing: state.landing,
    total: progress.total,
    done: progress.done,
    balls,
    wallMs: times.wallMs,
    speedUp: times.speedUp,
    usd: spending.usd,
    readyAt: forecast?.readyAt ?? null,
  };
}
