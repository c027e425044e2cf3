import { useEffect, useState } from "preact/hooks";
import type { RunsDocument } from "../../report/page/wire.ts";
import { usePage } from "../context.ts";

/** What is known of all runs: null until it is told; a problem stands beside what was known before it. */
export type KnownRuns = { readonly runs: RunsDocument | null; readonly problem: Error | null };

const DRIVEN_MS = 3_000;
/** Another terminal may start one at any time. */
const QUIET_MS = 15_000;

/** All runs of the repository, asked for again and again: often while one is driven, and not at all in a page that nobody sees. */
export function useRuns(): KnownRuns {
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
