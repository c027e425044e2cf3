import { ballWord } from "../../core/select/ball-words.ts";
import type { RunSummary } from "../../core/select/run-summary.ts";
import type { Ball } from "../../core/select/task-rows.ts";

/** From what is done to what is not begun. */
const ORDER: readonly Ball[] = ["done", "plait", "agents", "clock", "you", "later"];

/** The tasks of a run as one bar, by who moves them on. */
export function BallBar({ run: { balls, isDriven, outcome } }: { readonly run: RunSummary }) {
  const how = { isUnderWay: isDriven && outcome === null, hasPassed: false };
  const there = ORDER.filter((ball) => balls[ball] > 0);
  return (
    <span
      class="runs-balls"
      role="img"
      aria-label={there.map((ball) => `${balls[ball]} ${ballWord(ball, balls[ball], how)}`).join(", ")}
    >
      {there.map((ball) => (
        <i key={ball} class={`runs-balls-${ball} ball-${ball}`} style={{ flexGrow: balls[ball] }} />
      ))}
    </span>
  );
}
