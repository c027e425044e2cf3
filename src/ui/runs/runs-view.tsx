import type { RunId } from "../../core/ids.ts";
import type { DamagedSummary } from "../../report/page/wire.ts";
import { usePage } from "../context.ts";
import { Blank, Loading, Problem } from "../parts/blank.tsx";
import { formatRoute } from "../route.ts";
import { CompareView } from "./compare-view.tsx";
import { RunsList } from "./runs-list.tsx";
import { useRuns } from "./use-runs.ts";
import "./runs.css";

/** All runs of the repository, or two of them side by side. */
export function RunsView({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { session } = usePage();
  return <div class="runs">{session.canAct ? <Runs compare={compare} /> : <OneRun run={session.run} />}</div>;
}

function Runs({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { runs, problem } = useRuns();
  if (runs === null) return problem === null ? <Loading what="the runs" /> : <Problem error={problem} />;
  if (compare === null) return <RunsList all={runs} problem={problem} />;
  const damaged = runs.damaged.find((one) => compare.includes(one.run));
  if (damaged !== undefined) return <Unreadable run={damaged} />;
  const missing = compare.find((run) => !runs.runs.some((known) => known.run === run));
  if (missing === undefined) return <CompareView key={compare.join()} runs={compare} />;
  return (
    <Blank title={`There is no run ${missing}`}>
      <p>It was cleaned away, or its name is typed otherwise.</p>
      <a class="button" href={formatRoute({ view: "runs", compare: null })}>
        All runs
      </a>
    </Blank>
  );
}

/** It is there: who compares it must not believe that it was cleaned away. */
function Unreadable({ run: { run, problem, hint } }: { readonly run: DamagedSummary }) {
  return (
    <Blank title={`${run} cannot be read`}>
      <p>
        {problem}. {hint}
      </p>
      <a class="button" href={formatRoute({ view: "runs", compare: null })}>
        All runs
      </a>
    </Blank>
  );
}

/** A report is about one run: no other is in it. */
function OneRun({ run }: { readonly run: RunId | null }) {
  return (
    <Blank title="This file holds one run">
      <p>All runs of the repository are shown by the page that plait serves.</p>
      <code class="runs-command">plait ui</code>
      {run !== null && (
        <a class="button" href={formatRoute({ view: "graph", run, selected: null })}>
          Back to {run}
        </a>
      )}
    </Blank>
  );
}
