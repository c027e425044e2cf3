import type { JSX } from "preact";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { NodeText } from "../../core/select/task-status-text.ts";
import type { Box } from "../../report/graph-layout.ts";
import { stripAnsi } from "../parts/ansi.ts";
import { StateIcon } from "../parts/icon.tsx";
import { fitted, type Measure } from "./picture/measure.ts";
import { PADDING, TEXT_AT } from "./picture/plan-picture.ts";
import type { Level } from "./picture/view.ts";

export type NodeLook = {
  readonly row: TaskRow;
  readonly text: NodeText;
  readonly box: Box;
  readonly level: Level;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
  readonly isCritical: boolean;
};

/** Everything that a node is rendered from, as one string: while it stays the same, so does the node. */
export const nodeKey = ({ row, text, box, level, ...flags }: NodeLook): string =>
  [
    row.status.kind,
    text.line,
    text.mark,
    text.share?.toFixed(3),
    box.x,
    box.y,
    level,
    ...Object.values(flags),
  ].join("|");

/** A task as a box: its sign, its name, and a line below it. */
export function graphNode(look: NodeLook, measure: Measure): JSX.Element {
  const { row, text, box, level } = look;
  const { width, height } = box;
  const isSmall = level !== "full";
  return (
    <g key={row.task} class={className(look)} transform={`translate(${box.x} ${box.y})`}>
      {look.isSelected && <rect {...placeRing(box)} class="graph-ring" />}
      {look.isFocused && <rect {...placeRing(box)} class="graph-focus" />}
      <rect class="graph-box" width={width} height={height} rx="6" />
      {text.share !== null && !isSmall && (
        <rect class="graph-share" x={PADDING} y={height - 3} height="2" width={share(text.share, width)} />
      )}
      {level === "signs" ? (
        <g transform={`translate(${width / 2 - 11} ${height / 2 - 11})`}>
          <StateIcon shown={row.status.kind} size={22} />
        </g>
      ) : (
        <g transform={`translate(${PADDING} ${isSmall ? 15 : 8})`}>
          <StateIcon shown={row.status.kind} />
        </g>
      )}
      {level !== "signs" && nodeName(look, measure)}
      {!isSmall && (
        <text class="graph-line" x={TEXT_AT} y="35">
          {fitted(stripAnsi(text.line), width - TEXT_AT - 4, (one) => measure(one, "line"))}
        </text>
      )}
    </g>
  );
}

function nodeName({ row, text, box, level }: NodeLook, measure: Measure): JSX.Element[] {
  const y = level === "full" ? 19 : 26;
  const mark = text.mark === null ? 0 : measure(text.mark, "mark") + 6;
  const room = box.width - TEXT_AT - PADDING - mark + 1;
  return [
    <text key="id" class="graph-id" x={TEXT_AT} y={y}>
      {fitted(row.task, room, (one) => measure(one, "id"))}
    </text>,
    <text key="mark" class="graph-mark" x={box.width - PADDING} y={y}>
      {text.mark ?? ""}
    </text>,
  ];
}

const share = (part: number, width: number): number => Math.max(2, part * (width - 2 * PADDING));

const placeRing = ({ width, height }: Box) => ({
  ...{ x: -4, y: -4, width: width + 8, height: height + 8, rx: 9 },
});

const className = ({ row, isSelected, isDimmed, isCritical }: NodeLook): string =>
  [
    `graph-node actor-${row.actor} is-${row.status.kind}`,
    isSelected && "is-selected",
    isDimmed && "is-dimmed",
    isCritical && "is-critical",
  ]
    .filter(Boolean)
    .join(" ");
