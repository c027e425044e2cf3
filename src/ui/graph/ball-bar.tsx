import type { Ball } from "../../core/select/task-rows.ts";

type BarProps = {
  readonly balls: { readonly [B in Ball]: number };
  readonly width: number;
  readonly height: number;
};

const ORDER: readonly Ball[] = ["done", "agents", "plait", "clock", "you", "later"];

/** How many have whom to wait for, as parts of a bar; for inside of an SVG. The words stand beside it. */
export function BallBar({ balls, width, height }: BarProps) {
  const total = ORDER.reduce((sum, ball) => sum + balls[ball], 0);
  const parts = ORDER.filter((ball) => balls[ball] > 0);
  const gap = 2;
  const room = Math.max(0, width - gap * (parts.length - 1));
  let x = 0;
  return (
    <>
      {parts.map((ball) => {
        const at = x;
        const part = (room * balls[ball]) / total;
        x += part + gap;
        return (
          <rect
            key={ball}
            class={`graph-bar ball-${ball}`}
            x={at}
            width={part}
            height={height}
            rx={Math.min(part, height) / 2}
          />
        );
      })}
    </>
  );
}
