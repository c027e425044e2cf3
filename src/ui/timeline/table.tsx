import type { Timeline } from "../../core/select/timeline.ts";
import { dollars, elapsed } from "../../core/text/figures.ts";
import { hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { rowText } from "../../report/timeline-text.ts";

/** The timeline for screen readers. */
export function TimelineTable({ timeline }: { readonly timeline: Timeline }) {
  const { forecast } = timeline.seen;
  // A table ignores a width, so that its wrapper hides it.
  return (
    <div class="unseen">
      <table>
        <caption>
          Timeline at {hourAndMinute(timeline.now)}
          {forecast !== null && `, ready about ${hourAndMinute(forecast.readyAt)}`}
          {timeline.path.length > 0 && `; critical path: ${timeline.path.map(({ task }) => task).join(", ")}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Status</th>
            <th scope="col">Events</th>
            <th scope="col">Expected end</th>
            <th scope="col">Time</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {timeline.rows.map((row) => (
            <tr key={row.row.task}>
              <th scope="row">{row.row.task}</th>
              <td>{row.row.status.kind}</td>
              <td>{rowText(row, timeOfDay)}</td>
              <td>{formatEnd(row.expected.at(-1)?.to)}</td>
              <td>{elapsed(row.row.workMs)}</td>
              <td>{row.row.usage.costUsd === null ? "" : dollars(row.row.usage.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const formatEnd = (at: number | undefined): string => (at === undefined ? "" : `about ${hourAndMinute(at)}`);
