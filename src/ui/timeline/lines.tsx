import type { Timeline } from "../../core/select/timeline.ts";
import { timeOfDay } from "../../report/local-times.ts";
import { gapText } from "../../report/timeline-text.ts";
import type { Geometry } from "./geometry.ts";

type LinesProps = {
  readonly timeline: Timeline;
  readonly geometry: Geometry;
  readonly height: number;
  readonly path: { readonly done: string; readonly coming: string };
};

/** Lines across all rows: round times, breaks, now, the expected end, and the critical path. */
export function ChartLines({ timeline, geometry: { scale }, height, path }: LinesProps) {
  const { forecast } = timeline.seen;
  return (
    <>
      <path class="timeline-grid" d={scale.ticks.map(({ x }) => `M${x} 0V${height}`).join("")} />
      {scale.breaks.map(({ x, width, gap }) => (
        <rect key={gap.from} class="timeline-break" x={x} width={width} height={height}>
          <title>{gapText(gap, timeOfDay)}</title>
        </rect>
      ))}
      {forecast !== null && <path class="timeline-end" d={`M${scale.x(forecast.readyAt)} 0V${height}`} />}
      <path class="timeline-now" d={`M${scale.x(timeline.now)} 0V${height}`} />
      <path class="timeline-path" d={path.done} />
      <path class="timeline-path timeline-path-coming" d={path.coming} />
    </>
  );
}
