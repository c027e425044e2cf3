import { useEffect, useRef } from "preact/hooks";
import { formatActorCount } from "../../core/select/actor-text.ts";
import type { RunSummary } from "../../core/select/overview.ts";
import { findRunSign, formatRunStatus, formatRunWord } from "../../core/select/run-status-text.ts";
import type { NextActor } from "../../core/select/task-status.ts";
import { dollars, elapsed, shortRef } from "../../core/text/figures.ts";
import { dayAndTime, fullTime } from "../../report/local-times.ts";
import type { DamagedSummary } from "../../report/page/wire.ts";
import { navigate } from "../context.ts";
import { Icon, StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { formatRoute, type Route } from "../route.ts";

const COLUMNS = 10;

type RunRowProps = {
  readonly run: RunSummary;
  readonly mark: "A" | "B" | null;
  readonly isAt: boolean;
  readonly onMark: () => void;
};

export function RunRow({ run, mark, isAt, onMark }: RunRowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isAt) row.current?.scrollIntoView({ block: "nearest" });
  }, [isAt]);
  const route: Route = { view: "graph", run: run.run, selected: null };
  const now = Date.now();
  const shown = findRunSign(run.status);
  return (
    // The link in it does the same for keys and screen readers.
    <tr
      ref={row}
      class={`runs-row ${isAt ? "at" : ""} ${mark === null ? "" : "marked"}`}
      aria-current={isAt}
      onClick={(event) => {
        if (!(event.target as Element).closest("a, button")) navigate(route);
      }}
    >
      <td class="runs-sign">
        <StateIcon shown={shown} />
        <span class="unseen">{formatRunWord(run.status)}</span>
      </td>
      <td class="runs-name mono">
        <a class="link" href={formatRoute(route)}>
          {run.run}
        </a>
        <MarkButton {...{ run, mark, onMark }} />
      </td>
      <td class="runs-plan quiet mono wide">{run.plan.path}</td>
      <td class="runs-started quiet" title={fullTime(run.startedAt)}>
        {dayAndTime(run.startedAt, now)}
      </td>
      <td class="runs-time number mono">{elapsed(run.wallMs)}</td>
      <td class="runs-bar-cell">
        <RunActorBar run={run} />
      </td>
      <td class="runs-merged number mono">
        {run.done} of {run.total}
      </td>
      <td class="runs-cost number mono">{run.usd === null ? "–" : dollars(run.usd)}</td>
      <td class="number mono wide">{run.speedUp === null ? "–" : `${run.speedUp.toFixed(1)}×`}</td>
      <td class="runs-result">
        <Result run={run} />
      </td>
    </tr>
  );
}

function MarkButton({ run, mark, onMark }: Omit<RunRowProps, "isAt">) {
  return (
    <button
      type="button"
      class="runs-mark quiet"
      aria-pressed={mark !== null}
      aria-label={`Mark ${run.run} for comparison`}
      title="Mark for comparison (x)"
      onClick={onMark}
    >
      <i class={mark === "A" ? "runs-dot-a" : mark === "B" ? "runs-dot-b" : "runs-dot-none"} />
      {mark ?? ""}
    </button>
  );
}

function Result({ run: { status } }: { readonly run: RunSummary }) {
  const text = <SentenceText text={formatRunStatus(status, { isBranchShown: true })} isStatic={true} />;
  if (!("commit" in status)) return text;
  return (
    <>
      <span class="runs-landed">
        <Icon sign="landed" size={14} />
      </span>
      {text} <span class="quiet">on {shortRef(status.target)}</span>
    </>
  );
}

export function DamagedRow({ run: { run, problem, hint } }: { readonly run: DamagedSummary }) {
  return (
    <tr class="runs-row runs-damaged">
      <td class="runs-sign actor-you">
        <Icon sign="warning" size={14} />
        <span class="unseen">damaged</span>
      </td>
      <td class="runs-name mono">{run}</td>
      <td class="runs-why" colSpan={COLUMNS - 2}>
        <span class="bad">{problem}.</span> {hint}
      </td>
    </tr>
  );
}

/** From done to not started. */
const ORDER: readonly NextActor[] = ["done", "plait", "agents", "clock", "you", "later"];

/** The tasks of a run as one bar, by who moves them next. */
function RunActorBar({ run: { actors, isRunning, endedAt } }: { readonly run: RunSummary }) {
  const isUnfinished = isRunning && endedAt === null;
  const there = ORDER.filter((actor) => actors[actor] > 0);
  return (
    <span
      class="runs-actors"
      role="img"
      aria-label={there
        .map(
          (actor) =>
            `${actors[actor]} ${formatActorCount(actor, actors[actor], { isRunning: isUnfinished })}`,
        )
        .join(", ")}
    >
      {there.map((actor) => (
        <i key={actor} class={`runs-actors-${actor} actor-${actor}`} style={{ flexGrow: actors[actor] }} />
      ))}
    </span>
  );
}
