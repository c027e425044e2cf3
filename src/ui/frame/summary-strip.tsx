import type { ComponentChildren } from "preact";
import { findEndStatus } from "../../core/select/run-status.ts";
import { formatRunWord } from "../../core/select/run-status-text.ts";
import { count, dollars, duration, elapsed, tokenCount } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { useMoment } from "../context.ts";
import { ActorBar } from "./actor-bar.tsx";
import { CostMeter } from "./meter.tsx";

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
  const { speedUp, serialMs } = useMoment().times;
  return (
    <Cell name="Speedup" look="cell-late" note={`${elapsed(serialMs)} serially`}>
      {speedUp === null ? (
        <b>–</b>
      ) : (
        <>
          <b>{(Math.round(speedUp * 10) / 10).toFixed(1)}×</b> {speedUp >= 1 ? "faster" : "as fast"}
        </>
      )}
    </Cell>
  );
}
