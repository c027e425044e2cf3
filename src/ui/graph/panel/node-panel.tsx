import { useMemo } from "preact/hooks";
import type { RunId, TextHash } from "../../../core/ids.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { agentText, formatRowReason } from "../../../core/select/actor-text.ts";
import { formatAttemptNumber } from "../../../core/select/attempt-number.ts";
import { attemptLines, redGate } from "../../../core/select/task-attempts.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { dollars, elapsed } from "../../../core/text/figures.ts";
import { isEmpty } from "../../../core/text/sentence.ts";
import { usePage } from "../../context.ts";
import { ansiLines, plainLine } from "../../parts/ansi.ts";
import { StateBadge, StateIcon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { linkTask } from "../../route.ts";
import type { GraphModel } from "../use-graph.ts";
import { TaskActions } from "./actor-list.tsx";

type PanelProps = { readonly model: GraphModel; readonly row: TaskRow; readonly i: number };

/** One task: its status and why, its attempts, the effect on its dependents, and actions. */
export function NodePanel({ model, row, i }: PanelProps) {
  return (
    <section class="graph-node-panel" aria-label={row.task}>
      <header>
        <h2>
          <StateIcon shown={row.status.kind} />
          <b class="mono">{row.task}</b>
          <button type="button" class="graph-esc lights push quiet" onClick={() => model.select(null)}>
            Esc<span class="unseen">, close {row.task}</span>
          </button>
        </h2>
        {row.title !== row.task && <p>{row.title}</p>}
        <p class="graph-who quiet row">
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
  return (
    <section>
      <h3>Attempts</h3>
      <ul>
        {lines.map(({ id, n, shown, short, ms, costUsd }) => (
          <li key={id} class="graph-attempt">
            <a href={linkTask(state.run, row.task, { attempt: n })}>
              <StateIcon shown={shown} />
              <span class="mono">#{n}</span>
              <span class="graph-attempt-why quiet cut">{short}</span>
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
      <p class="quiet">
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
                <span class="graph-relative-state quiet cut">{row.status.kind}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const MOST_LINES = 8;
const MOST_CHARACTERS = 400;

/** The end of a gate's output. Nothing while it loads or where it was not saved: the line above has the summary. */
function LastLines({ run, hash }: { readonly run: RunId; readonly hash: TextHash }) {
  const { source } = usePage();
  const loaded = useLoaded(hash, () => source.text(run, hash));
  const lines = loaded.kind === "loaded" ? lastLines(loaded.value.text) : [];
  return lines.length === 0 ? null : <pre class="graph-tail wrap small quiet">{lines.join("\n")}</pre>;
}

/** As plain text: a program may print anything, and a lot of it. */
function lastLines(text: string): string[] {
  return ansiLines(text.slice(-MOST_LINES * MOST_CHARACTERS * 4))
    .map((line) => plainLine(line).trimEnd().slice(0, MOST_CHARACTERS))
    .filter((line) => line !== "")
    .slice(-MOST_LINES);
}
