import type { ComponentChildren } from "preact";
import { formatActorCount } from "../../core/select/actor-text.ts";
import type { Spending } from "../../core/select/forecast.ts";
import { findEndStatus, isEnded } from "../../core/select/run-status.ts";
import { formatDone, formatRunWord } from "../../core/select/run-status-text.ts";
import type { NextActor, StatusKind } from "../../core/select/task-status.ts";
import { formatSpeedUp } from "../../core/select/totals.ts";
import { count, dollars, duration, elapsed, tokenCount } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { useMoment } from "../context.ts";
import { ACTORS, StateIcon } from "../parts/icon.tsx";

/** The figures of a run, the same as in the terminal. */
export function SummaryStrip() {
  return (
    <section class="strip ruled" aria-label="Summary">
      <ActorBar />
      <dl class="strip-cells">
        <Elapsed />
        <Ready />
        <Cost />
        <Agents />
        <Serial />
      </dl>
    </section>
  );
}

type CellProps = {
  readonly name: string;
  readonly look?: string;
  readonly note?: ComponentChildren;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
};

function Cell({ name, look = "", note, title, children }: CellProps) {
  return (
    <div class={`cell quiet ${look}`}>
      <dt class="cell-name faint">{name}</dt>
      <dd class="cell-value">{children}</dd>
      {note !== undefined && (
        <dd class="cell-note small" title={title}>
          {note}
        </dd>
      )}
    </div>
  );
}

function Elapsed() {
  const { times, state, replay, now } = useMoment();
  const note = replay === null ? `since ${hourAndMinute(state.startedAt)}` : `at ${timeOfDay(now)}`;
  return (
    <Cell name="Elapsed" note={note} title={fullTime(replay === null ? state.startedAt : now)}>
      <b>{elapsed(times.wallMs)}</b>
    </Cell>
  );
}

/** A forecast for tomorrow needs more than a time of day. */
const FAR_MS = 20 * 3_600_000;

function Ready() {
  const { forecast, latest, isRunning } = useMoment();
  if (latest.ended !== null) {
    const note = formatRunWord(findEndStatus(latest));
    return (
      <Cell name="Ended" look="cell-ready" note={note} title={fullTime(latest.ended.at)}>
        <b>{hourAndMinute(latest.ended.at)}</b>
      </Cell>
    );
  }
  if (forecast === null) {
    const note = isRunning ? "no estimate yet" : "not running";
    return (
      <Cell name="Ready about" look="cell-ready" note={note}>
        <b>–</b>
      </Cell>
    );
  }
  const { readyAt, leftMs, by } = forecast;
  const names = by.length === 0 ? "limited by slots" : by.join(", ");
  return (
    <Cell name="Ready about" look="cell-ready" note={names} title={`${fullTime(readyAt)}, ${names}`}>
      <b>{leftMs < FAR_MS ? hourAndMinute(readyAt) : fullTime(readyAt).slice(0, 10)}</b> in {duration(leftMs)}
    </Cell>
  );
}

function Cost() {
  const { spending, progress } = useMoment();
  const { budgetUsd } = progress;
  const { usd, expectedUsd } = spending;
  const expected = expectedUsd === null ? undefined : `about ${dollars(expectedUsd)} at the end`;
  const note =
    budgetUsd === null ? (expected ?? "no budget") : <CostMeter spending={spending} budgetUsd={budgetUsd} />;
  return (
    <Cell name="Cost" look="cell-cost" note={note} title={expected}>
      <b>{usd === null ? "–" : dollars(usd)}</b>
      {budgetUsd !== null && <span class="cell-budget"> of {dollars(budgetUsd)}</span>}
      {budgetUsd !== null && <span class="unseen">, {expected ?? "no forecast"}</span>}
    </Cell>
  );
}

function Agents() {
  const { progress, spending } = useMoment();
  const { used, of } = progress.slots;
  const note = spending.tokens === null ? "no tokens reported" : `${tokenCount(spending.tokens)} tokens`;
  return (
    <Cell name="Agents" look="cell-late" note={note}>
      <b>{used}</b> of {count(of, "slot")}
    </Cell>
  );
}

function Serial() {
  const { times } = useMoment();
  const { speedUp, serialMs } = times;
  return (
    <Cell name="Speedup" look="cell-late" note={`${elapsed(serialMs)} serially`}>
      {speedUp === null || formatSpeedUp(times) === null ? (
        <b>–</b>
      ) : (
        <>
          <b>{(Math.round(speedUp * 10) / 10).toFixed(1)}×</b> faster
        </>
      )}
    </Cell>
  );
}

type MeterProps = { readonly spending: Spending; readonly budgetUsd: number };

/** Spent and expected costs against the budget; its color shows whether that is likely to be enough. */
function CostMeter({ spending: { usd, expectedUsd }, budgetUsd }: MeterProps) {
  const spent = usd ?? 0;
  const share = (value: number): string => `${Math.min(100, (100 * value) / Math.max(budgetUsd, 0.01))}%`;
  const look = spent >= budgetUsd ? "you" : (expectedUsd ?? 0) > budgetUsd ? "clock" : "fine";
  return (
    <div class={`meter ${look === "fine" ? "" : `actor-${look}`}`} title={TITLES[look]} aria-hidden="true">
      <i class="meter-expected" style={{ width: share(Math.max(spent, expectedUsd ?? 0)) }} />
      <i class="meter-spent" style={{ width: share(spent) }} />
    </div>
  );
}

const TITLES = {
  fine: "within the budget",
  clock: "likely to exceed the budget",
  you: "over budget: no new attempts start",
} as const;

/** Done first, then in progress, and not started last. */
const ORDER: readonly NextActor[] = ["done", "plait", "agents", "clock", "you", "later"];

const SIGNS: { readonly [B in NextActor]: StatusKind } = {
  done: "merged",
  agents: "running",
  plait: "merging",
  clock: "paused",
  you: "failed",
  later: "waiting",
};

/** More are too thin to tell apart. */
const MOST_PIECES = 24;

/** The progress of the run by who moves its tasks next: in figures, as a bar, and in words. */
function ActorBar() {
  const { actors, progress, status, isRunning } = useMoment();
  const isUnfinished = isRunning && !isEnded(status);
  return (
    <div class="actors">
      <h2 class="actors-title">{formatDone(progress)}</h2>
      <div class="actors-bar" aria-hidden="true">
        {ORDER.filter((actor) => actors[actor] > 0).map((actor) => (
          <Part key={actor} actor={actor} n={actors[actor]} />
        ))}
      </div>
      <ul class="actors-legend small quiet">
        {ACTORS.filter((actor) => actors[actor] > 0).map((actor) => (
          <li key={actor} class={`actors-entry row actor-${actor}`}>
            <StateIcon shown={SIGNS[actor]} size={11} />
            <b>{actors[actor]}</b>{" "}
            <span class={actor === "you" ? "bad" : undefined}>
              {formatActorCount(actor, actors[actor], { isRunning: isUnfinished })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tasks that plait or a timer moves are pieces, one each, to tell them apart without color. Skipped tasks are hatched. */
function Part({ actor, n }: { readonly actor: NextActor; readonly n: number }) {
  const { counts } = useMoment();
  const hatched = actor === "later" ? counts.skipped + counts.dropped : 0;
  const isPieces = (actor === "plait" || actor === "clock") && n <= MOST_PIECES;
  if (isPieces)
    return (
      <>
        {Array.from({ length: n }, (_, i) => (
          <i key={i} class={`actors-part actor-${actor}`} style={{ flexGrow: 1 }} />
        ))}
      </>
    );
  return (
    <>
      {hatched > 0 && <i class={`actors-part actors-hatched actor-${actor}`} style={{ flexGrow: hatched }} />}
      {n > hatched && <i class={`actors-part actor-${actor}`} style={{ flexGrow: n - hatched }} />}
    </>
  );
}
