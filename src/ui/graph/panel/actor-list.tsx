import type { RunAction } from "../../../core/decide.ts";
import type { TaskId } from "../../../core/ids.ts";
import { formatAction } from "../../../core/select/action-text.ts";
import {
  type ActorGroups,
  formatActorCount,
  formatActorHeading,
  formatRowReason,
  formatRowTime,
  groupByActor,
} from "../../../core/select/actor-text.ts";
import type { Need } from "../../../core/select/needs.ts";
import { formatDone } from "../../../core/select/run-status-text.ts";
import type { TaskGroup } from "../../../core/select/task-groups.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { isToContinue } from "../../../core/select/task-status.ts";
import { capitalize, fix, isEmpty } from "../../../core/text/sentence.ts";
import { hourAndMinute } from "../../../report/local-times.ts";
import { useAsk, useMoment, useOffers } from "../../context.ts";
import { ACTORS, Icon, StateIcon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { formatRoute, linkTask } from "../../route.ts";
import type { GraphModel } from "../use-graph.ts";

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
  const stopped = groups.later.filter(({ status }) => isToContinue(status));
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
        <p class="quiet">{formatDone(progress)}. Select a task for details.</p>
      </section>
    </div>
  );
}

function ActorRow({ model, row }: { readonly model: GraphModel; readonly row: TaskRow }) {
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
        {row.actor === "agents" && model.isCritical(row.task) && (
          <span class="graph-chip framed quiet">critical</span>
        )}
        <span class="graph-row-time quiet mono">
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

/** Needs that no row of the list shows. A banner offers to resume. */
function useRunNeeds(): readonly Need[] {
  return useMoment().needs.filter(({ kind }) => !SHOWN.has(kind));
}

const SHOWN: ReadonlySet<Need["kind"]> = new Set<Need["kind"]>([
  "approve",
  "submit",
  "conflict",
  "failed",
  "resume",
]);

/** Each with the first thing to do about it. */
function NeedList({ needs }: { readonly needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  return (
    <ul class="graph-needs">
      {needs.map(({ key, text, details, steps: [first] }) => (
        <li key={key}>
          <Icon sign="warning" size={14} />
          <p>
            <SentenceText text={capitalize(text)} />
          </p>
          {details.slice(0, MOST_DETAILS).map((detail, n) => (
            <p key={n} class="quiet">
              <SentenceText text={capitalize(detail)} />
            </p>
          ))}
          <p class="quiet">
            <SentenceText text={capitalize(fix(first.purpose, first.command))} />
          </p>
        </li>
      ))}
    </ul>
  );
}

const MOST_DETAILS = 3;

type ActionsProps = {
  readonly model: GraphModel;
  readonly task: TaskId;
  /** In a row only the main actions; the panel has all. */
  readonly isCompact: boolean;
};

const COMPACT: ReadonlySet<RunAction["kind"]> = new Set(["retry", "approve", "accept"]);

/** Open a task, or do something about it. In a replay or a file there are no actions. */
export function TaskActions({ model, task, isCompact }: ActionsProps) {
  const ask = useAsk();
  const asked = useOffers(task);
  const { moment } = model;
  const { run } = moment.state;
  const hasWork = (model.rowOf(model.picture.indexOf.get(task) ?? -1)?.attempts ?? 0) > 0;
  return (
    <div class="graph-actions">
      <a class={isCompact ? "button" : "button primary"} href={linkTask(run, task)}>
        {isCompact ? "Open" : "Open task"}
        <span class="unseen"> {task}</span>
      </a>
      {asked
        .filter(({ kind }) => !isCompact || COMPACT.has(kind))
        .map((action) => (
          <button key={action.kind} type="button" class="button" onClick={() => ask(action)}>
            {formatAction(moment.state, action, moment).verb}…<span class="unseen"> {task}</span>
          </button>
        ))}
      {!isCompact && hasWork && (
        <a class="button" href={linkTask(run, task, { tab: "diff" })}>
          Diff<span class="unseen"> of {task}</span>
        </a>
      )}
    </div>
  );
}

type GroupListProps = { readonly model: GraphModel; readonly groups: readonly TaskGroup[] };

/** Too many tasks for a list: groups, each with its progress. Those with tasks that need a person are open. */
export function GroupList({ model, groups }: GroupListProps) {
  const { progress } = model.moment;
  return (
    <div class="graph-groups">
      <h2>
        <b>{progress.total} tasks</b>
        <span class="mono">{progress.done} done</span>
      </h2>
      <NeedList needs={useRunNeeds()} />
      <ul>
        {groups.map((group) => (
          <GroupItem key={group.name} model={model} group={group} />
        ))}
      </ul>
    </div>
  );
}

function GroupItem({ model, group }: { readonly model: GraphModel; readonly group: TaskGroup }) {
  const isFolded = model.isFolded(group.name);
  return (
    <li class="graph-group-item">
      <button type="button" aria-expanded={!isFolded} onClick={() => model.fold(group.name, !isFolded)}>
        <Icon sign="next" size={11} />
        <b class="mono">{group.name}</b>
        <span class="mono">
          {group.done} of {group.rows.length}
        </span>
        <span class="unseen">{formatActors(group, model.moment.isRunning)}</span>
        <GroupMeter group={group} />
      </button>
      {!isFolded && <GroupRows model={model} group={group} />}
    </li>
  );
}

/** Tasks in progress; for waiting and done ones the counts are enough. */
function GroupRows({ model, group }: { readonly model: GraphModel; readonly group: TaskGroup }) {
  const { you, agents, plait, clock } = groupByActor(group.rows);
  const rows: readonly TaskRow[] = [...you, ...agents, ...plait, ...clock];
  if (rows.length === 0) return <p class="quiet">No task of this group is running.</p>;
  return (
    <ul>
      {rows.map((row) => (
        <ActorRow key={row.task} model={model} row={row} />
      ))}
    </ul>
  );
}

const formatActors = ({ actors }: TaskGroup, isRunning: boolean): string =>
  ACTORS.filter((actor) => actor !== "done" && actors[actor] > 0)
    .map((actor) => `, ${actors[actor]} ${formatActorCount(actor, actors[actor], { isRunning })}`)
    .join("");

function GroupMeter({ group: { actors } }: { readonly group: TaskGroup }) {
  return (
    <span class="graph-meter" aria-hidden="true">
      {ACTORS.filter((actor) => actors[actor] > 0).map((actor) => (
        <i key={actor} class={`actor-${actor}`} style={{ flexGrow: actors[actor] }} />
      ))}
    </span>
  );
}
