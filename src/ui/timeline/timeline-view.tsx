import { useMemo, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { type Timeline, timelineFrom } from "../../core/select/timeline.ts";
import { dollars, elapsed } from "../../core/text/figures.ts";
import { hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { rowText, timelineTitle } from "../../report/timeline-text.ts";
import { useMoment } from "../context.ts";
import { useKeys } from "../keys.ts";
import { HeadRow } from "../parts/blank.tsx";
import { useWidth } from "../parts/measured.ts";
import { useRowKeys } from "../task-keys.ts";
import { buildGeometry, type TimeWindow } from "./axis.tsx";
import { Chart } from "./chart.tsx";
import { createRecorder } from "./recorder.ts";
import { Legend } from "./rows.tsx";
import "./timeline.css";

/** What happened when and what is expected, one row per task. */
export function TimelineView({ selected }: { readonly selected: TaskId | null }) {
  const moment = useMoment();
  const record = useMemo(createRecorder, [moment.facts]);
  const timeline = useMemo(() => timelineFrom(record(moment.facts, moment.upTo), moment), [moment, record]);
  const [ref, width] = useWidth<HTMLElement>();
  const [zoom, setZoom] = useState<TimeWindow | null>(null);
  const { run } = moment.state;
  useRowKeys({ view: "timeline", run, tasks: timeline.rows.map(({ row }) => row.task), selected });
  useZoomKeys(timeline, { zoom, setZoom });
  // Figures must not change while a screen reader reads them: updated when something happens, and every minute.
  const table = useMemo(
    () => <TimelineTable timeline={timeline} />,
    [moment.state, hourAndMinute(moment.now)],
  );
  const geometry = width === 0 ? null : buildGeometry(timeline, width, zoom);
  return (
    <section class="timeline" ref={ref} aria-labelledby="timeline-title">
      <h2 class="unseen" id="timeline-title">
        Timeline: {timelineTitle(timeline)}
      </h2>
      {geometry !== null && (
        <Chart
          timeline={timeline}
          geometry={geometry}
          selected={selected}
          isZoomed={zoom !== null}
          onZoom={setZoom}
        />
      )}
      <Legend />
      {table}
    </section>
  );
}

type Zoom = { readonly zoom: TimeWindow | null; readonly setZoom: (zoom: TimeWindow | null) => void };

/** Escape leaves the zoom first, then what is selected. */
function useZoomKeys(timeline: Timeline, { zoom, setZoom }: Zoom): void {
  const scale = (by: number): void => {
    const { from, to } = zoom ?? timeline;
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * by];
    const wider = { from: Math.max(timeline.from, middle - half), to: Math.min(timeline.to, middle + half) };
    setZoom(wider.from <= timeline.from && wider.to >= timeline.to ? null : wider);
  };
  useKeys({
    Escape: () => (zoom === null ? false : setZoom(null)),
    "0": () => setZoom(null),
    "+": () => scale(0.5),
    "=": () => scale(0.5),
    "-": () => scale(2),
  });
}

/** The timeline for screen readers. */
function TimelineTable({ timeline }: { readonly timeline: Timeline }) {
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
          <HeadRow names={["Task", "Status", "Events", "Expected end", "Time", "Cost"]} />
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
