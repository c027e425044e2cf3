import { useEffect, useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { command } from "../../core/text/sentence.ts";
import type { DamagedSummary, RunsDocument } from "../../report/page/wire.ts";
import { usePage } from "../context.ts";
import { Blank, Loading, Problem } from "../parts/blank.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { formatRoute, linkRun } from "../route.ts";
import { CompareView } from "./compare-view.tsx";
import { RunsList } from "./runs-list.tsx";
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
      <p>Check the name. The run may have been removed by {formatCommand(plait("clean"))}.</p>
      <AllRuns />
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
      <AllRuns />
    </Blank>
  );
}

const AllRuns = () => (
  <a class="button" href={formatRoute({ view: "runs", compare: null })}>
    All runs
  </a>
);

/** A report file has one run. */
function OneRun({ run }: { readonly run: RunId | null }) {
  return (
    <Blank title="This file has one run">
      <p>To see all runs of the repository:</p>
      <p class="runs-command">
        <SentenceText text={[command(plait("ui"))]} />
      </p>
      {run !== null && (
        <a class="button" href={linkRun(run)}>
          Back to {run}
        </a>
      )}
    </Blank>
  );
}

/** What is known of all runs: null until it is told; a problem stands beside what was known before it. */
type KnownRuns = { readonly runs: RunsDocument | null; readonly problem: Error | null };

const DRIVEN_MS = 3_000;
/** Another terminal may start one at any time. */
const QUIET_MS = 15_000;

/** All runs of the repository, asked for again and again: often while one is driven, and not at all in a page that nobody sees. */
function useRuns(): KnownRuns {
  const { source } = usePage();
  const [known, setKnown] = useState<KnownRuns>({ runs: null, problem: null });
  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const ask = async () => {
      clearTimeout(timer);
      const told = await source.runs().then(
        (runs) => ({ runs, problem: null }),
        (problem: Error) => ({ runs: null, problem }),
      );
      if (isOver) return;
      setKnown((before) => ({ ...told, runs: told.runs ?? before.runs }));
      const isRunning = told.runs?.runs.some((run) => run.isRunning) === true;
      if (!document.hidden) timer = window.setTimeout(ask, isRunning ? DRIVEN_MS : QUIET_MS);
    };
    const seen = () => {
      if (!document.hidden) void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", seen);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [source]);
  return known;
}
