import { replay } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import { type Overview, overview } from "../core/select/overview.ts";
import { formatCounts } from "../core/select/run-status-text.ts";
import { timeShown } from "../core/select/time-shown.ts";
import { type Timeline, timelineOf } from "../core/select/timeline.ts";
import { type RunGraph, runGraph } from "../report/graph-text.ts";
import { clockOf, type Host } from "./host.ts";
import { maskTexts } from "./mask-texts.ts";
import { runMask } from "./run-mask.ts";
import type { FoundRun } from "./runs.ts";

/** The graph of a run as it is now, ready to be drawn. */
export async function graphOfRun(host: Host, found: FoundRun): Promise<RunGraph> {
  const { seen } = await maskedRun(host, found);
  const { state, rows, progress } = seen;
  return runGraph({ plan: state.index.plan, rows, run: state.run, summary: formatCounts(rows, progress) });
}

/** What happened when, ready to be drawn. */
export async function timelineOfRun(host: Host, found: FoundRun): Promise<Timeline> {
  const { facts, seen } = await maskedRun(host, found);
  return timelineOf(facts, seen);
}

type MaskedRun = { readonly facts: readonly Fact[]; readonly seen: Overview };

/** What a picture is made of is no plain data, so the facts are masked and folded again (I13). */
async function maskedRun(host: Host, found: FoundRun): Promise<MaskedRun> {
  const { known } = found;
  const facts = maskTexts(
    known.facts,
    await runMask(host, { repository: found.repository, folder: known.folder }),
  );
  const state = replay(facts) ?? known.state;
  const isRunning = known.driver !== null;
  const now = timeShown(state, clockOf(host).now(), isRunning);
  return { facts, seen: overview(state, now, { isRunning }) };
}
