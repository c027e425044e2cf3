// What CAST's database hears of a run, as it happens.

import { basename } from "node:path";
import { type CastDb, openCastDb } from "../../../app/cast/database.ts";
import { attemptRow, type CastEvent, type CastRow, eventRow } from "../../../app/cast/rows.ts";
import { type LocalRun, maskTexts, type RunState } from "../../../app/index.ts";
import { type EnvSettings, wholeEnvironment } from "../../../config/env.ts";
import { findEndStatus } from "../../../core/select/run-status.ts";
import { type EndKind, endKind } from "./end.ts";

export type RecordedPlan = {
  readonly planId: string;
  readonly path: string;
  /** After which batch it was split; null where it was not. */
  readonly split: number | null;
  /** By task: the batches that it is about. */
  readonly batches: ReadonlyMap<string, string>;
};

const ENDS: { readonly [Kind in EndKind]: (plan: string) => [CastEvent, string] } = {
  complete: (plan) => ["parallel_complete", `Plan ${plan} parallel execution complete`],
  conflict: () => ["parallel_merge_conflict", "Merge conflict during result merge"],
  failed: () => ["parallel_fail", "One or both sessions failed"],
};

export async function recordRun({ view, mask }: LocalRun, plan: RecordedPlan, env: EnvSettings) {
  const cwd = process.cwd();
  const db: CastDb = await openCastDb({ ...env.cast, home: env.home, cwd, env: wholeEnvironment() });
  const project = basename(cwd);
  const write = (row: CastRow): void => db.write(maskTexts(row, mask));
  const { planId, path, split, batches } = plan;
  const tell = (event: CastEvent, message: string, more = {}): void => {
    const data = { plan_id: planId, plan_file: path, split, ...more };
    write(eventRow({ event, message, at: view.now(), run: view.run, project, data }));
  };
  tell("parallel_start", `Plan: ${planId}${split === null ? "" : `, split at batch ${split}`}`);
  const done = new Set<string>();
  const unsubscribe = view.subscribe({
    fact: (fact, after) => {
      if (fact.type !== "attempt.ended") return;
      const row = attemptRow(fact, after, { project, batches });
      if (row !== null) write(row);
      const all = after.index.plan.tasks.length;
      if (fact.failure !== null || done.size === all) return;
      done.add(fact.attempt.replace(/\/\d+$/, ""));
      const who = split === null ? "All agents" : "Both streams";
      if (done.size === all) tell("parallel_streams_done", `${who} complete`);
    },
  });
  return {
    /** After the end of the run; gives why rows were left out. */
    end: async (state: RunState): Promise<string | null> => {
      unsubscribe();
      const { stopSignal } = state;
      const [event, message] = ENDS[endKind(state)](planId);
      const why = event === "parallel_fail" && stopSignal !== null ? `Interrupted by ${stopSignal}` : message;
      tell(event, why, { status: findEndStatus(state).kind });
      return db.settled();
    },
  };
}
