import { type BallGroups, ballGroups } from "../../../core/select/ball-groups.ts";
import { ballHead, ballReason, ballTime } from "../../../core/select/ball-words.ts";
import { doneText } from "../../../core/select/end-words.ts";
import { stateWord } from "../../../core/select/state-words.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { hourAndMinute } from "../../../report/local-times.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { Phrase } from "../phrase.tsx";
import type { GraphModel } from "../use-graph.ts";
import { TaskActions } from "./task-actions.tsx";

const BALLS: readonly (readonly [keyof BallGroups, string])[] = [
  ["you", "You"],
  ["agents", "Agents"],
  ["plait", "plait"],
  ["clock", "Clock"],
];

/** Who has the ball: what needs a person first. */
export function BallList({ model }: { readonly model: GraphModel }) {
  const groups = ballGroups(model.moment.rows);
  const stopped = groups.later.filter(({ shown }) => shown === "stopped" || shown === "cut-off");
  const shown = [
    ...BALLS.map(([ball, title]) => ({ ball, title, rows: groups[ball] })),
    { ball: "later" as const, title: "Resume", rows: stopped },
  ].filter(({ rows }) => rows.length > 0);
  if (shown.length === 0) return <Nobody model={model} />;
  return (
    <div class="graph-balls">
      {shown.map(({ ball, title, rows }) => (
        <section key={ball} class={`ball-${ball}`}>
          <h2>
            <b>{title}</b> {ballHead(ball, rows)}
          </h2>
          <ul>
            {rows.map((row) => (
              <BallRow key={row.task} model={model} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Nothing is under way: how far it came. */
function Nobody({ model }: { readonly model: GraphModel }) {
  const { progress } = model.moment;
  return (
    <div class="graph-balls">
      <section>
        <h2>
          <b>Nobody</b> has the ball
        </h2>
        <p class="graph-note">{doneText(progress)}. Select a task to see how it went.</p>
      </section>
    </div>
  );
}

export function BallRow({ model, row }: { readonly model: GraphModel; readonly row: TaskRow }) {
  const { moment } = model;
  const reason = ballReason(moment.state, row, moment.activity);
  const select = (event: MouseEvent) => {
    event.preventDefault();
    model.select(model.picture.indexOf.get(row.task) ?? null);
  };
  return (
    <li class={`graph-row ball-${row.ball}`}>
      <a href={formatRoute({ view: "graph", run: moment.state.run, selected: row.task })} onClick={select}>
        <StateIcon shown={row.shown} />
        <b class="mono">{row.task}</b>
        <span class="unseen">, {stateWord(row.shown)},</span>
        {row.ball === "agents" && model.isCritical(row.task) && <span class="graph-chip">critical</span>}
        <span class="graph-row-time mono">
          {ballTime(row, { now: moment.now, timeOfDay: hourAndMinute })}
        </span>
        <span class="graph-row-why">{reason.length === 0 ? about(row) : <Phrase words={reason} />}</span>
      </a>
      {row.ball === "you" && <TaskActions model={model} task={row.task} isCompact={true} />}
    </li>
  );
}

/** For whoever has said nothing yet. */
const about = ({ task, title, agent }: TaskRow): string =>
  title === task ? [agent?.use, agent?.model].filter(Boolean).join(", ") : title;
