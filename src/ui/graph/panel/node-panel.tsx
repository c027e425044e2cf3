import { useMemo } from "preact/hooks";
import { taskState } from "../../../core/run-tasks.ts";
import { agentText } from "../../../core/select/agent-text.ts";
import { ballReason } from "../../../core/select/ball-words.ts";
import { redGate } from "../../../core/select/red-gate.ts";
import { dollars, elapsed } from "../../../core/select/run-words.ts";
import { stateWord } from "../../../core/select/state-words.ts";
import { attemptLines } from "../../../core/select/task-attempts.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { turnText } from "../../../core/select/turns.ts";
import { StateBadge } from "../../parts/badge.tsx";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { Phrase } from "../phrase.tsx";
import type { GraphModel } from "../use-graph.ts";
import { LastLines } from "./last-lines.tsx";
import { TaskActions } from "./task-actions.tsx";

type PanelProps = { readonly model: GraphModel; readonly row: TaskRow; readonly i: number };

/** One task: why it is where it is, its attempts, what follows for others, and what can be done. */
export function NodePanel({ model, row, i }: PanelProps) {
  return (
    <section class="graph-node-panel" aria-label={row.task}>
      <header>
        <h2>
          <StateIcon shown={row.shown} />
          <b class="mono">{row.task}</b>
          <button type="button" class="graph-esc" onClick={() => model.select(null)}>
            Esc<span class="unseen">, close {row.task}</span>
          </button>
        </h2>
        {row.title !== row.task && <p>{row.title}</p>}
        <p class="graph-who">
          <StateBadge shown={row.shown} />
          {agentText(row.agent)}
        </p>
        <TaskActions model={model} task={row.task} isCompact={false} />
      </header>
      <Why model={model} row={row} i={i} />
      <Attempts model={model} row={row} i={i} />
      <Effect model={model} row={row} i={i} />
      <Relatives title="Needs" model={model} tasks={model.picture.needs[i] ?? []} />
      <Relatives title="Blocks" model={model} tasks={model.picture.dependents[i] ?? []} />
    </section>
  );
}

function Why({ model, row }: PanelProps) {
  const { state, facts, upTo, activity } = model.moment;
  const reason = ballReason(state, row, activity);
  const { phase } = taskState(state, state.index.indexOf.get(row.task) as number);
  const red = useMemo(
    () =>
      (phase.kind === "failed" || phase.kind === "backoff") && row.attempt !== null
        ? redGate(facts, upTo, { attempt: row.attempt, failure: phase.failure })
        : null,
    [phase, row.attempt],
  );
  if (reason.length === 0) return null;
  const hash = red?.failures ?? red?.output ?? null;
  return (
    <section>
      <h3>{row.ball === "agents" ? "Now" : "Why"}</h3>
      <p>
        <Phrase words={reason} />
        {row.ball === "you" && row.chance !== null && `, ${turnText(row.chance)}`}
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

/** What a failure means for others, and that nothing is lost. */
function Effect({ model, row, i }: PanelProps) {
  if (row.shown !== "failed" && row.shown !== "cancelled") return null;
  const skipped = model.picture.ids.flatMap((_, other) => {
    const its = model.rowOf(other);
    return its?.shown === "skipped" && its.note === `needs ${row.task}` ? [its.task] : [];
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
        {row.attempts > 0 && "The work of all attempts is kept. "}
        {others <= 0 && (skipped.length === 0 ? "Nothing depends on it." : "Nothing else depends on it.")}
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
                <StateIcon shown={row.shown} />
                <span class="mono">{row.task}</span>
                <span class="graph-relative-state">{stateWord(row.shown)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
