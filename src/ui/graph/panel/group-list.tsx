import { formatActorCount, groupByActor } from "../../../core/select/actor-text.ts";
import type { TaskGroup } from "../../../core/select/task-groups.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import type { NextActor } from "../../../core/select/task-status.ts";
import { Icon } from "../../parts/icon.tsx";
import type { GraphModel } from "../use-graph.ts";
import { ActorRow } from "./actor-list.tsx";
import { NeedList, useRunNeeds } from "./need-list.tsx";

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
  if (rows.length === 0) return <p class="graph-note">No task of this group is running.</p>;
  return (
    <ul>
      {rows.map((row) => (
        <ActorRow key={row.task} model={model} row={row} />
      ))}
    </ul>
  );
}

const PARTS: readonly NextActor[] = ["done", "agents", "plait", "clock", "you", "later"];

const formatActors = ({ actors }: TaskGroup, isRunning: boolean): string =>
  PARTS.filter((actor) => actor !== "done" && actors[actor] > 0)
    .map((actor) => `, ${actors[actor]} ${formatActorCount(actor, actors[actor], { isRunning })}`)
    .join("");

function GroupMeter({ group: { actors } }: { readonly group: TaskGroup }) {
  return (
    <span class="graph-meter" aria-hidden="true">
      {PARTS.filter((actor) => actors[actor] > 0).map((actor) => (
        <i key={actor} class={`actor-${actor}`} style={{ flexGrow: actors[actor] }} />
      ))}
    </span>
  );
}
