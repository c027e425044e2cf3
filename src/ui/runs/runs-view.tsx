import type { RunId } from "../../core/ids.ts";
import { plait } from "../../core/text/command.ts";
import { command } from "../../core/text/sentence.ts";
import type { DamagedSummary } from "../../report/page/wire.ts";
import { usePage } from "../context.ts";
import { Blank, Loading, Problem } from "../parts/blank.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { formatRoute } from "../route.ts";
import { CompareView } from "./compare-view.tsx";
import { RunsList } from "./runs-list.tsx";
import { useRuns } from "./use-runs.ts";
import "./runs.css";

/** All runs of the repository, or a comparison of two. */
export function RunsView({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { session } = usePage();
  return <div class="runs">{session.canAct ? <Runs compare={compare} /> : <OneRun run={session.run} />}</div>;
}

function Runs({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { runs, problem } = useRuns();
  if (runs === null) return problem === null ? <Loading what="runs" /> : <Problem error={problem} />;
  if (compare === null) return <RunsList all={runs} problem={problem} />;
  const damaged = runs.damaged.find((one) => compare.includes(one.run));
  if (damaged !== undefined) return <Unreadable run={damaged} />;
  const missing = compare.find((run) => !runs.runs.some((known) => known.run === run));
  if (missing === undefined) return <CompareView key={compare.join()} runs={compare} />;
  return (
    <Blank title={`No run ${missing}`}>
      <p>Check the name. The run may have been removed by plait clean.</p>
      <a class="button" href={formatRoute({ view: "runs", compare: null })}>
        All runs
      </a>
    </Blank>
  );
}

/** The run exists: it must not look removed. */
function Unreadable({ run: { run, problem, hint } }: { readonly run: DamagedSummary }) {
  return (
    <Blank title={`${run} is unreadable`}>
      <p>
        {problem}. {hint}
      </p>
      <a class="button" href={formatRoute({ view: "runs", compare: null })}>
        All runs
      </a>
    </Blank>
  );
}

/** A report file has one run. */
function OneRun({ run }: { readonly run: RunId | null }) {
  return (
    <Blank title="This file has one run">
      <p>To see all runs of the repository:</p>
      <p class="runs-command">
        <SentenceText text={[command(plait("ui"))]} />
      </p>
      {run !== null && (
        <a class="button" href={formatRoute({ view: "graph", run, selected: null })}>
          Back to {run}
        </a>
      )}
    </Blank>
  );
}
