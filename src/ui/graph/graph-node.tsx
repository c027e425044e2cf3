import type { JSX } from "preact";
import type { NodeWords } from "../../core/select/node-words.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { Box } from "../../report/graph-layout.ts";
import { plainText } from "../parts/ansi.ts";
import { StateIcon } from "../parts/icon.tsx";
import { fitted, type Measure } from "./picture/measure.ts";
import { PADDING, WORDS_AT } from "./picture/plan-picture.ts";
import type { Level } from "./picture/view.ts";

export type NodeLook = {
  readonly row: TaskRow;
  readonly words: NodeWords;
  readonly box: Box;
  readonly level: Level;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
  readonly isCritical: boolean;
};

/** Everything that a node is drawn from, as one text: while it stays the same, so does the node. */
export const nodeKey = ({ row, words, box, level, ...flags }: NodeLook): string =>
  [
    row.shown,
    words.line,
    words.mark,
    words.share?.toFixed(3),
    box.x,
    box.y,
    level,
    ...Object.values(flags),
  ].join("|");

/** A task as a box: its sign, its name, and below it what there is to say. */
export function graphNode(look: NodeLook, measure: Measure): JSX.Element {
  const { row, words, box, level } = look;
  const { width, height } = box;
  const isSmall = level !== "full";
  return (
    <g key={row.task} class={className(look)} transform={`translate(${box.x} ${box.y})`}>
      {look.isSelected && <rect {...ringOf(box)} class="graph-ring" />}
      {look.isFocused && <rect {...ringOf(box)} class="graph-focus" />}
      <rect class="graph-box" width={width} height={height} rx="6" />
      {words.share !== null && !isSmall && (
        <rect class="graph-share" x={PADDING} y={height - 3} height="2" width={share(words.share, width)} />
      )}
      {level === "signs" ? (
        <g transform={`translate(${width / 2 - 11} ${height / 2 - 11})`}>
          <StateIcon shown={row.shown} size={22} />
        </g>
      ) : (
        <g transform={`translate(${PADDING} ${isSmall ? 15 : 8})`}>
          <StateIcon shown={row.shown} />
        </g>
      )}
      {level !== "signs" && nodeName(look, measure)}
      {!isSmall && (
        <text class="graph-line" x={WORDS_AT} y="35">
          {fitted(plainText(words.line), width - WORDS_AT - 4, (text) => measure(text, "line"))}
        </text>
      )}
    </g>
  );
}

function nodeName({ row, words, box, level }: NodeLook, measure: Measure): JSX.Element[] {
  const y = level === "full" ? 19 : 26;
  const mark = words.mark === null ? 0 : measure(words.mark, "mark") + 6;
  const room = box.width - WORDS_AT - PADDING - mark + 1;
  return [
    <text key="id" class="graph-id" x={WORDS_AT} y={y}>
      {fitted(row.task, room, (text) => measure(text, "id"))}
    </text>,
    <text key="mark" class="graph-mark" x={box.width - PADDING} y={y}>
      {words.mark ?? ""}
    </text>,
  ];
}

const share = (part: number, width: number): number => Math.max(2, part * (width - 2 * PADDING));

const ringOf = ({ width, height }: Box) => ({
  ...{ x: -4, y: -4, width: width + 8, height: height + 8, rx: 9 },
});

const className = ({ row, isSelected, isDimmed, isCritical }: NodeLook): string =>
  [
    `graph-node ball-${row.ball} is-${row.shown}`,
    isSelected && "is-selected",
    isDimmed && "is-dimmed",
    isCritical && "is-critical",
  ]
    .filter(Boolean)
    .join(" ");
