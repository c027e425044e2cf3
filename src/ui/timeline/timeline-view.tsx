import { useMemo, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { type Timeline, timelineFrom } from "../../core/select/timeline.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { timelineTitle } from "../../report/timeline-text.ts";
import { useMoment } from "../context.ts";
import { useKeys } from "../keys.ts";
import { useWidth } from "../parts/measured.ts";
import { useRowKeys } from "../use-row-keys.ts";
import { Chart } from "./chart.tsx";
import { buildGeometry, type TimeWindow } from "./geometry.ts";
import { Legend } from "./legend.tsx";
import { createRecorder } from "./recorder.ts";
import { TimelineTable } from "./table.tsx";
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

type Zoom = {
  readonly zoom: TimeWindow | null;
  readonly setZoom: (zoom: TimeWindow | null) => void;
};

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
