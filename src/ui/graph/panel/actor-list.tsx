import {
  type ActorGroups,
  formatActorHeading,
  formatRowReason,
  formatRowTime,
  groupByActor,
} from "../../../core/select/actor-text.ts";
import { formatDone } from "../../../core/select/run-status-text.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { isEmpty } from "../../../core/text/sentence.ts";
import { hourAndMinute } from "../../../report/local-times.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { formatRoute } from "../../route.ts";
import type { GraphModel } from "../use-graph.ts";
import { NeedList, useRunNeeds } from "./need-list.tsx";
import { TaskActions } from "./task-actions.tsx";

const TITLES: readonly (readonly [keyof ActorGroups, string])[] = [
  ["you", "You"],
  ["agents", "Agents"],
  ["plait", "plait"],
  ["clock", "Timer"],
];

/** Tasks by who moves them next: those that need a person first. */
export function ActorList({ model }: { readonly model: GraphModel }) {
  const groups = groupByActor(model.moment.rows);
  const needs = useRunNeeds();
  const stopped = groups.later.filter(({ status: { kind } }) => kind === "stopped" || kind === "interrupted");
  const sections = [
    ...TITLES.map(([actor, title]) => ({ actor, title, rows: groups[actor] })),
    { actor: "later" as const, title: "Resume", rows: stopped },
  ].filter(({ actor, rows }) => rows.length > 0 || (actor === "you" && needs.length > 0));
  if (sections.length === 0) return <NothingRunning model={model} />;
  return (
    <div class="graph-actors">
      {sections.map(({ actor, title, rows }) => (
        <section key={actor} class={`actor-${actor}`}>
          <h2>
            <b>{title}</b> {formatActorHeading(rows)}
          </h2>
          {actor === "you" && <NeedList needs={needs} />}
          <ul>
            {rows.map((row) => (
              <ActorRow key={row.task} model={model} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function NothingRunning({ model }: { readonly model: GraphModel }) {
  const { progress } = model.moment;
  return (
    <div class="graph-actors">
      <section>
        <h2>
          <b>Nothing is running</b>
        </h2>
        <p class="graph-note">{formatDone(progress)}. Select a task for details.</p>
      </section>
    </div>
  );
}

export function ActorRow({ model, row }: { readonly model: GraphModel; readonly row: TaskRow }) {
  const { moment } = model;
  const reason = formatRowReason(row, moment.activity);
  const select = (event: MouseEvent) => {
    event.preventDefault();
    model.select(model.picture.indexOf.get(row.task) ?? null);
  };
  return (
    <li class={`graph-row actor-${row.actor}`}>
      <a href={formatRoute({ view: "graph", run: moment.state.run, selected: row.task })} onClick={select}>
        <StateIcon shown={row.status.kind} />
        <b class="mono">{row.task}</b>
        <span class="unseen">, {row.status.kind},</span>
        {row.actor === "agents" && model.isCritical(row.task) && <span class="graph-chip">critical</span>}
        <span class="graph-row-time mono">
          {formatRowTime(row, { now: moment.now, timeOfDay: hourAndMinute })}
        </span>
        <span class="graph-row-why">
          {isEmpty(reason) ? describeTask(row) : <SentenceText text={reason} isStatic={true} />}
        </span>
      </a>
      {row.actor === "you" && <TaskActions model={model} task={row.task} isCompact={true} />}
    </li>
  );
}

/** For a task whose agent has reported nothing yet. */
const describeTask = ({ task, title, agent }: TaskRow): string =>
  title === task ? [agent?.use, agent?.model].filter(Boolean).join(", ") : title;
