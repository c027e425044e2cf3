import type { RunSummary } from "../../core/select/overview.ts";
import type { RunsDocument } from "../../report/page/wire.ts";

export const runFilters = ["all", "running", "you", "landed"] as const;
export type RunFilter = (typeof runFilters)[number];

export const FILTER_NAMES: { readonly [F in RunFilter]: string } = {
  all: "All",
  running: "Running",
  you: "Needs you",
  landed: "Landed",
};

const FITS: { readonly [F in RunFilter]: (run: RunSummary) => boolean } = {
  all: () => true,
  running: ({ isRunning, endedAt }) => isRunning && endedAt === null,
  you: ({ needsYou }) => needsYou,
  landed: ({ status: { kind } }) => kind === "landed" || kind === "partly-landed",
};

/** How many each shows. A damaged run needs a person. */
export function filterCounts({ runs, damaged }: RunsDocument): { readonly [F in RunFilter]: number } {
  const of = (filter: RunFilter) => runs.filter(FITS[filter]).length;
  return {
    all: runs.length + damaged.length,
    running: of("running"),
    you: of("you") + damaged.length,
    landed: of("landed"),
  };
}

/** Runs that match, and whose name or plan contains every word of the query. */
export function filterRuns(all: RunsDocument, filter: RunFilter, query: string): RunsDocument {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (...texts: readonly string[]) =>
    words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  return {
    runs: all.runs.filter((run) => FITS[filter](run) && has(run.run, run.plan.name, run.plan.path)),
    damaged: filter === "all" || filter === "you" ? all.damaged.filter(({ run }) => has(run)) : [],
  };
}
