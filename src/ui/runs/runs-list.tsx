import { useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import type { RunSummary } from "../../core/select/overview.ts";
import { plait } from "../../core/text/command.ts";
import { command } from "../../core/text/sentence.ts";
import type { RunsDocument } from "../../report/page/wire.ts";
import { navigate } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank } from "../parts/blank.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { SourceError } from "../source/source.ts";
import { stepKeys } from "../task-keys.ts";
import { FILTER_NAMES, filterCounts, filterRuns, type RunFilter, runFilters } from "./filters.ts";
import { DamagedRow, RunRow } from "./run-row.tsx";

/** One row per run, latest first; two can be marked and compared. */
export function RunsList({ all, problem }: { readonly all: RunsDocument; readonly problem: Error | null }) {
  const [filter, setFilter] = useState<RunFilter>("all");
  const [query, setQuery] = useState("");
  const [marks, setMarks] = useState<readonly RunId[]>([]);
  const [at, setAt] = useState<RunId | null>(null);
  const { runs, damaged } = filterRuns(all, filter, query);
  const pair = findPair(marks, all.runs);
  // A third replaces the one that was marked first.
  const mark = (run: RunId) =>
    setMarks((now) => (now.includes(run) ? now.filter((one) => one !== run) : [...now, run].slice(-2)));
  const compare = () => pair !== null && navigate({ view: "runs", compare: pair });
  useListKeys({ runs, at, setAt, mark, compare });
  if (all.runs.length + all.damaged.length === 0) return <NoRuns />;
  return (
    <section class="runs-list" aria-labelledby="runs-title">
      <div class="runs-head row">
        <h1 id="runs-title">
          Runs <span>of this repository</span>
        </h1>
        <input
          class="runs-search field"
          type="search"
          aria-label="Run or plan"
          placeholder="Run or plan"
          spellcheck={false}
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <Filters counts={filterCounts(all)} filter={filter} onFilter={setFilter} />
        <button
          type="button"
          class={`button ${pair && "primary"}`}
          disabled={pair === null}
          onClick={compare}
        >
          {pair === null ? "Compare" : "Compare 2"}
        </button>
      </div>
      {problem !== null && (
        <p class="runs-problem warn" role="status">
          {problem.message} {problem instanceof SourceError ? problem.hint : ""} Showing the last known state.
        </p>
      )}
      <Table {...{ runs, damaged, at, mark }} markOf={(run) => markOf(run, pair, marks)} />
      {runs.length + damaged.length === 0 && <p class="runs-none quiet">No matching runs.</p>}
    </section>
  );
}

/** Names of the columns, and their classes. */
const HEADS = [
  ["Status", "unseen-head"],
  ["Run", ""],
  ["Plan", "wide"],
  ["Started", ""],
  ["Time", "number"],
  ["Tasks", ""],
  ["Done", "number"],
  ["Cost", "number"],
  ["Speedup", "number wide"],
  ["Result", ""],
] as const;

type TableProps = RunsDocument & {
  readonly at: RunId | null;
  readonly mark: (run: RunId) => void;
  readonly markOf: (run: RunId) => "A" | "B" | null;
};

function Table({ runs, damaged, at, mark, markOf }: TableProps) {
  return (
    <table class="runs-table">
      <thead>
        <tr>
          {HEADS.map(([name, look]) => (
            <th key={name} scope="col" class={look}>
              {look === "unseen-head" ? <span class="unseen">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow
            key={run.run}
            run={run}
            mark={markOf(run.run)}
            isAt={run.run === at}
            onMark={() => mark(run.run)}
          />
        ))}
        {damaged.map((run) => (
          <DamagedRow key={run.run} run={run} />
        ))}
      </tbody>
    </table>
  );
}

/** The older is A: changes are from it to the newer. */
function findPair(marks: readonly RunId[], runs: readonly RunSummary[]): readonly [RunId, RunId] | null {
  const marked = runs.filter(({ run }) => marks.includes(run));
  const [newer, older] = [...marked].sort((a, b) => b.startedAt - a.startedAt);
  return newer === undefined || older === undefined ? null : [older.run, newer.run];
}

function markOf(run: RunId, pair: readonly RunId[] | null, marks: readonly RunId[]): "A" | "B" | null {
  if (!marks.includes(run)) return null;
  return pair === null || pair[1] === run ? "B" : "A";
}

type FiltersProps = {
  readonly counts: { readonly [F in RunFilter]: number };
  readonly filter: RunFilter;
  readonly onFilter: (filter: RunFilter) => void;
};

function Filters({ counts, filter, onFilter }: FiltersProps) {
  return (
    <fieldset class="runs-filters choices">
      <legend class="unseen">Show</legend>
      {runFilters.map((one) => (
        <button key={one} type="button" aria-pressed={one === filter} onClick={() => onFilter(one)}>
          {FILTER_NAMES[one]} <span>{counts[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}

type ListKeys = {
  readonly runs: readonly RunSummary[];
  readonly at: RunId | null;
  readonly setAt: (run: RunId | null) => void;
  readonly mark: (run: RunId) => void;
  readonly compare: () => unknown;
};

function useListKeys({ runs, at, setAt, mark, compare }: ListKeys): void {
  const names = runs.map(({ run }) => run);
  useKeys({
    ...stepKeys(names, at, setAt),
    x: () => at !== null && mark(at),
    c: compare,
    Enter: () => (at === null ? false : navigate({ view: "graph", run: at, selected: null })),
    Escape: () => {
      if (at === null) return false;
      setAt(null);
      return true;
    },
  });
}

function NoRuns() {
  return (
    <Blank title="No runs yet">
      <p>Start one:</p>
      <p class="runs-command">
        <SentenceText text={[command(plait("run", "plan.yaml"))]} />
      </p>
    </Blank>
  );
}
