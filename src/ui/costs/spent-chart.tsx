import type { EpochMs } from "../../core/facts.ts";
import type { CostFigures } from "../../core/select/cost-figures.ts";
import type { Gap } from "../../core/select/timeline/segment.ts";
import { dollars } from "../../core/text/figures.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { px } from "../../report/svg-file.ts";
import { type TimeScale, timeScale } from "../../report/timeline-scale.ts";
import { useWidth } from "../parts/measured.ts";

const TOP = 28;
const HEIGHT = 158;
const LEFT = 44;
const RIGHT = 12;
/** Room for a sum, left of its dot. */
const FIGURE = 44;

type SpentChartProps = {
  readonly figures: CostFigures;
  readonly from: EpochMs;
  readonly now: EpochMs;
  readonly gaps: readonly Gap[];
};

export function SpentChart(props: SpentChartProps) {
  const [ref, width] = useWidth<HTMLElement>();
  return (
    <section class="costs-card card costs-spent" ref={ref} aria-labelledby="costs-spent">
      <header>
        <h2 id="costs-spent">Spent over time</h2>
        <span class="costs-key small quiet row">reported at the end of an attempt, spread over its time</span>
      </header>
      {isEmpty(props.figures) ? (
        <p>No agent has reported a cost yet.</p>
      ) : (
        width > 0 && <Chart {...props} width={width - 32} />
      )}
    </section>
  );
}

/** Axes without data would be made up. */
const isEmpty = ({ usd, expected }: CostFigures): boolean => usd === null && expected === null;

function Chart({ figures, from, now, gaps, width }: SpentChartProps & { readonly width: number }) {
  const { spent, usd, expected } = figures;
  const top = findTop(figures);
  const plotWidth = Math.max(40, width - LEFT - RIGHT);
  const zoneMs = -new Date(now).getTimezoneOffset() * 60_000;
  const end = Math.max(now, expected?.at ?? now);
  const scale = timeScale({ from, to: end, width: plotWidth, gaps, zoneMs });
  const y = (value: number): number => HEIGHT - (value / top.most) * HEIGHT;
  const place = (at: EpochMs, value: number) => `${px(scale.x(at))} ${px(y(value))}`;
  const line = `M${spent.map((point) => place(point.at, point.usd)).join("L")}`;
  const [x, h] = [scale.x(spent.at(-1)?.at ?? now), y(usd ?? 0)];
  return (
    <svg
      class="costs-chart"
      width={width}
      height={TOP + HEIGHT + 28}
      role="img"
      aria-label={describeChart(figures)}
    >
      <g transform={`translate(${LEFT} ${TOP})`}>
        <Axes scale={scale} ticks={top.ticks} y={y} />
        {scale.breaks.map(({ x: left, width: wide, gap }) => (
          <rect key={gap.from} class="costs-break" x={left} width={wide} height={HEIGHT} />
        ))}
        <path class="costs-area" d={`${line}V${HEIGHT}H${px(scale.x(from))}Z`} />
        <path class="costs-line" d={line} />
        {top.budget !== null && (
          <>
            <path class="costs-budget" d={`M0 ${y(top.budget)}H${plotWidth}`} />
            <text class="costs-label" x={plotWidth} y={y(top.budget) - 5} text-anchor="end">
              budget: no new attempts start
            </text>
          </>
        )}
        {expected !== null && (
          <>
            <path class="costs-coming" d={`M${x} ${h}L${place(expected.at, expected.usd)}`} />
            <text class="costs-label" x={scale.x(expected.at)} y={y(expected.usd) - 8} text-anchor="end">
              about {dollars(expected.usd)}
            </text>
          </>
        )}
        {usd !== null && (
          <>
            <circle class="costs-now" cx={x} cy={h} r={3} />
            <text class="costs-figure" x={Math.max(FIGURE, x - 6)} y={h - 8} text-anchor="end">
              {dollars(usd)}
            </text>
          </>
        )}
      </g>
    </svg>
  );
}

type AxesProps = {
  readonly scale: TimeScale;
  readonly ticks: readonly number[];
  readonly y: (usd: number) => number;
};

function Axes({ scale, ticks, y }: AxesProps) {
  const isFine = ticks.some((value) => value % 1 !== 0);
  return (
    <>
      {ticks.map((value) => (
        <g key={value} transform={`translate(0 ${y(value)})`}>
          <path class="costs-grid" d={`M0 0H${scale.width}`} />
          <text class="costs-tick" x={-8} y={4} text-anchor="end">
            {isFine ? dollars(value) : `$${value}`}
          </text>
        </g>
      ))}
      {scale.ticks.map((tick) => (
        <text
          key={tick.at}
          class="costs-tick"
          x={tick.x}
          y={HEIGHT + 20}
          text-anchor={tick.x > scale.width - tick.label.length * 3.5 ? "end" : "middle"}
        >
          {tick.label}
        </text>
      ))}
    </>
  );
}

/** A budget that is out of reach would make a flat line of everything else. */
const OUT_OF_REACH = 6;

function findTop({ usd, expected, budgetUsd }: CostFigures) {
  const spent = Math.max(usd ?? 0, expected?.usd ?? 0, 0.05);
  const budget = budgetUsd !== null && budgetUsd < spent * OUT_OF_REACH ? budgetUsd : null;
  const highest = Math.max(spent, budget ?? 0) * 1.08;
  return { most: highest, ticks: moneyTicks(highest), budget };
}

function describeChart({ usd, expected, budgetUsd }: CostFigures): string {
  const budget = budgetUsd === null ? "" : ` of ${dollars(budgetUsd)}`;
  const coming = expected === null ? "" : `; about ${dollars(expected.usd)} at ${hourAndMinute(expected.at)}`;
  return `${usd === null ? "No costs reported" : `Spent ${dollars(usd)}${budget}`}${coming}`;
}

const MOST_TICKS = 5;

/** Round amounts from 0 on, at most five. */
function moneyTicks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / MOST_TICKS));
  const step = [1, 2, 5, 10].map((by) => by * power).find((by) => most / by < MOST_TICKS) ?? power * 10;
  const count = Math.floor(most / step) + 1;
  return Array.from({ length: count }, (_, n) => Math.round(n * step * 100) / 100);
}
