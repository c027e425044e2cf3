import { useMemo } from "preact/hooks";
import { taskState } from "../../../core/run-tasks.ts";
import { agentText, formatRowReason } from "../../../core/select/actor-text.ts";
import { formatAttemptNumber } from "../../../core/select/attempt-number.ts";
import { attemptLines, redGate } from "../../../core/select/task-attempts.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { dollars, elapsed } from "../../../core/text/figures.ts";
import { isEmpty } from "../../../core/text/sentence.ts";
import { StateBadge } from "../../parts/badge.tsx";
import { StateIcon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { formatRoute } from "../../route.ts";
import type { GraphModel } from "../use-graph.ts";
import { LastLines } from "./last-lines.tsx";
import { TaskActions } from "./task-actions.tsx";

type PanelProps = { readonly model: GraphModel; readonly row: TaskRow; readonly i: number };

/** One task: its status and why, its attempts, the effect on its dependents, and actions. */
export function NodePanel({ model, row, i }: PanelProps) {
  return (
    <section class="graph-node-panel" aria-label={row.task}>
      <header>
        <h2>
          <StateIcon shown={row.status.kind} />
          <b class="mono">{row.task}</b>
          <button type="button" class="graph-esc" onClick={() => model.select(null)}>
            Esc<span class="unseen">, close {row.task}</span>
          </button>
        </h2>
        {row.title !== row.task && <p>{row.title}</p>}
        <p class="graph-who">
          <StateBadge shown={row.status.kind} />
          {agentText(row.agent)}
        </p>
        <TaskActions model={model} task={row.task} isCompact={false} />
      </header>
      <Why model={model} row={row} i={i} />
      <Attempts model={model} row={row} i={i} />
      <Effect model={model} row={row} i={i} />
      <Relatives title="Needs" model={model} tasks={model.picture.needs[i] ?? []} />
      <Relatives title="Dependents" model={model} tasks={model.picture.dependents[i] ?? []} />
    </section>
  );
}

function Why({ model, row }: PanelProps) {
  const { state, facts, upTo, activity } = model.moment;
  const reason = formatRowReason(row, activity);
  const { phase } = taskState(state, state.index.indexOf.get(row.task) as number);
  const red = useMemo(
    () =>
      (phase.kind === "failed" || phase.kind === "backoff") && row.attempt !== null
        ? redGate(facts, upTo, { attempt: row.attempt, failure: phase.failure })
        : null,
    [phase, row.attempt],
  );
  if (isEmpty(reason)) return null;
  const hash = red?.failures ?? red?.output ?? null;
  return (
    <section>
      <h3>{row.actor === "agents" ? "Now" : "Why"}</h3>
      <p>
        <SentenceText text={reason} />
        {row.actor === "you" && row.number !== null && `, ${formatAttemptNumber(row.number)}`}
      </p>
      {hash !== null && <LastLines run={state.run} hash={hash} />}
    </section>
  );
}

function Attempts({ model, row }: PanelProps) {
  const { state, now, activity } = model.moment;
  const lines = attemptLines(state, row, { now, activity });
  if (lines.length === 0) return null;
  const href = (attempt: number) =>
    formatRoute({ view: "task", run: state.run, task: row.task, tab: "transcript", attempt });
  return (
    <section>
      <h3>Attempts</h3>
      <ul>
        {lines.map(({ id, n, shown, short, ms, costUsd }) => (
          <li key={id} class="graph-attempt">
            <a href={href(n)}>
              <StateIcon shown={shown} />
              <span class="mono">#{n}</span>
              <span class="graph-attempt-why">{short}</span>
              <span class="mono">{elapsed(ms)}</span>
              <span class="mono">{costUsd === null ? "" : dollars(costUsd)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a failure means for dependents, and that the work is saved. */
function Effect({ model, row, i }: PanelProps) {
  if (row.status.kind !== "failed" && row.status.kind !== "dropped") return null;
  const skipped = model.picture.ids.flatMap((_, other) => {
    const its = model.rowOf(other);
    return its?.status.kind === "skipped" && its.status.because?.task === row.task ? [its.task] : [];
  });
  const others = (model.picture.dependents[i] ?? []).length - skipped.length;
  return (
    <section>
      <h3>Effect</h3>
      {skipped.map((task) => (
        <p key={task} class="graph-effect">
          <StateIcon shown="skipped" />
          <b class="mono">{task}</b> skipped
        </p>
      ))}
      <p class="graph-note">
        {row.attempts > 0 && "The work of all attempts is saved. "}
        {others <= 0 && (skipped.length === 0 ? "No task needs this one." : "No other task needs this one.")}
      </p>
    </section>
  );
}

type RelativesProps = {
  readonly title: string;
  readonly model: GraphModel;
  readonly tasks: readonly number[];
};

function Relatives({ title, model, tasks }: RelativesProps) {
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="graph-relatives">
        {tasks.map((i) => {
          const row = model.rowOf(i);
          if (row === undefined) return null;
          return (
            <li key={i}>
              <button type="button" onClick={() => model.select(i)}>
                <StateIcon shown={row.status.kind} />
                <span class="mono">{row.task}</span>
                <span class="graph-relative-state">{row.status.kind}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
