import type { NextActor } from "../../core/select/task-status.ts";

type BarProps = {
  readonly actors: { readonly [B in NextActor]: number };
  readonly width: number;
  readonly height: number;
};

const ORDER: readonly NextActor[] = ["done", "agents", "plait", "clock", "you", "later"];

/** Tasks by who moves them next, as parts of a bar inside of an SVG; its numbers are beside it. */
export function ActorBarSvg({ actors, width, height }: BarProps) {
  const total = ORDER.reduce((sum, actor) => sum + actors[actor], 0);
  const parts = ORDER.filter((actor) => actors[actor] > 0);
  const gap = 2;
  const room = Math.max(0, width - gap * (parts.length - 1));
  let x = 0;
  return (
    <>
      {parts.map((actor) => {
        const at = x;
        const part = (room * actors[actor]) / total;
        x += part + gap;
        return (
          <rect
            key={actor}
            class={`graph-bar actor-${actor}`}
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
