import { ballGroups } from "../../../core/select/ball-groups.ts";
import { doneWord } from "../../../core/select/end-words.ts";
import type { TaskGroup } from "../../../core/select/task-groups.ts";
import type { Ball, TaskRow } from "../../../core/select/task-rows.ts";
import { Icon } from "../../parts/icon.tsx";
import type { GraphModel } from "../use-graph.ts";
import { BallRow } from "./ball-list.tsx";

type GroupListProps = { readonly model: GraphModel; readonly groups: readonly TaskGroup[] };

/** Too many tasks for a list: groups of them, each with how far it is. What needs a person is in sight all the same. */
export function GroupList({ model, groups }: GroupListProps) {
  const { progress } = model.moment;
  return (
    <div class="graph-groups">
      <h2>
        <b>{progress.total} tasks</b>
        <span class="mono">
          {progress.done} {doneWord(progress.phases.passed > 0)}
        </span>
      </h2>
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
        <span class="unseen">{ballCounts(group)}</span>
        <GroupMeter group={group} />
      </button>
      {!isFolded && <GroupRows model={model} group={group} />}
    </li>
  );
}

/** What somebody has to move on; those that wait or are merged are figures enough. */
function GroupRows({ model, group }: { readonly model: GraphModel; readonly group: TaskGroup }) {
  const { you, agents, plait, clock } = ballGroups(group.rows);
  const rows: readonly TaskRow[] = [...you, ...agents, ...plait, ...clock];
  if (rows.length === 0) return <p class="graph-note">Nothing of it is under way.</p>;
  return (
    <ul>
      {rows.map((row) => (
        <BallRow key={row.task} model={model} row={row} />
      ))}
    </ul>
  );
}

const PARTS: readonly (readonly [Ball, string])[] = [
  ["done", "merged"],
  ["agents", "with agents"],
  ["plait", "with plait"],
  ["clock", "on a timer"],
  ["you", "need you"],
  ["later", "not started"],
];

const ballCounts = ({ balls }: TaskGroup): string =>
  PARTS.filter(([ball]) => ball !== "done" && balls[ball] > 0)
    .map(([ball, words]) => `, ${balls[ball]} ${words}`)
    .join("");

function GroupMeter({ group: { balls } }: { readonly group: TaskGroup }) {
  return (
    <span class="graph-meter" aria-hidden="true">
      {PARTS.filter(([ball]) => balls[ball] > 0).map(([ball]) => (
        <i key={ball} class={`ball-${ball}`} style={{ flexGrow: balls[ball] }} />
      ))}
    </span>
  );
}
