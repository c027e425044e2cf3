import type { Ball } from "../../core/select/task-rows.ts";

/** From what is done to what is not begun. */
const ORDER: readonly Ball[] = ["done", "plait", "agents", "clock", "you", "later"];

const WORDS: { readonly [B in Ball]: string } = {
  done: "merged",
  plait: "with plait",
  agents: "with agents",
  clock: "on a timer",
  you: "need you",
  later: "not started",
};

/** The tasks of a run as one bar, by who moves them on. */
export function BallBar({ balls }: { readonly balls: { readonly [B in Ball]: number } }) {
  const there = ORDER.filter((ball) => balls[ball] > 0);
  return (
    <span
      class="runs-balls"
      role="img"
      aria-label={there.map((ball) => `${balls[ball]} ${WORDS[ball]}`).join(", ")}
    >
      {there.map((ball) => (
        <i key={ball} class={`runs-balls-${ball} ball-${ball}`} style={{ flexGrow: balls[ball] }} />
      ))}
    </span>
  );
}
