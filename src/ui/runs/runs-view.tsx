import { useEffect, useRef, useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import { usePage } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank, Loading, Problem } from "../parts/blank.tsx";
import { CompareView } from "./compare-view.tsx";
import { RunsBar } from "./runs-bar.tsx";
import { RunsList } from "./runs-list.tsx";
import { useRuns } from "./use-runs.ts";
import "./runs.css";

/** All runs of the repository, or two of them side by side. */
export function RunsView({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { session } = usePage();
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = compare === null ? `Runs of ${session.repository.name}` : `${compare.join(" with ")}`;
  }, [compare, session]);
  useKeys({
    "/": () => input.current?.focus(),
    // Everywhere else the key belongs to whoever asks next.
    Escape: () => {
      if (document.activeElement !== input.current) return false;
      setQuery("");
      input.current?.blur();
      return true;
    },
  });
  return (
    <div class="runs">
      <RunsBar query={query} onQuery={setQuery} input={input} hasFind={session.canAct && compare === null} />
      <main class="runs-main">
        {session.canAct ? <Runs compare={compare} query={query} /> : <OneRun run={session.run} />}
      </main>
    </div>
  );
}

function Runs({
  compare,
  query,
}: {
  readonly compare: readonly [RunId, RunId] | null;
  readonly query: string;
}) {
  const { runs, problem } = useRuns();
  if (runs === null) return problem === null ? <Loading what="the runs" /> : <Problem error={problem} />;
  if (compare === null) return <RunsList all={runs} query={query} problem={problem} />;
  const missing = compare.find((run) => !runs.runs.some((known) => known.run === run));
  if (missing === undefined) return <CompareView key={compare.join()} runs={compare} />;
  return (
    <Blank title={`There is no run ${missing}`}>
      <p>It was cleaned away, or its name is typed otherwise.</p>
      <a class="button" href="#/runs">
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
        <a class="button" href={`#/run/${run}`}>
          Back to {run}
        </a>
      )}
    </Blank>
  );
}
