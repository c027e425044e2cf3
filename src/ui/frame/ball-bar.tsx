import { ballWord } from "../../core/select/ball-words.ts";
import { doneText } from "../../core/select/end-words.ts";
import type { Ball, ShownState } from "../../core/select/task-rows.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

/** What is done comes first, what is under way beside it, and what has not begun last. */
const ORDER: readonly Ball[] = ["done", "plait", "agents", "clock", "you", "later"];

const SIGNS: { readonly [B in Ball]: ShownState } = {
  done: "merged",
  agents: "running",
  plait: "merging",
  clock: "parked",
  you: "failed",
  later: "waiting",
};

/** The order of the legend: who moves next, with people before those that wait. */
const LEGEND: readonly Ball[] = ["done", "agents", "plait", "clock", "you", "later"];

/** More pieces than these are too thin to be told apart. */
const MOST_PIECES = 24;

/** How far the run is, and who has the ball: in figures, as a bar, and in words. */
export function BallBar() {
  const { balls, progress, isDriven } = useMoment();
  const how = { isUnderWay: isDriven && !progress.hasEnded, hasPassed: progress.phases.passed > 0 };
  return (
    <div class="balls">
      <h2 class="balls-title">{doneText(progress)}</h2>
      <div class="balls-bar" aria-hidden="true">
        {ORDER.filter((ball) => balls[ball] > 0).map((ball) => (
          <Part key={ball} ball={ball} n={balls[ball]} />
        ))}
      </div>
      <ul class="balls-legend">
        {LEGEND.filter((ball) => balls[ball] > 0).map((ball) => (
          <li key={ball} class={`balls-entry ball-${ball}`}>
            <StateIcon shown={SIGNS[ball]} size={11} />
            <b>{balls[ball]}</b>{" "}
            <span class={ball === "you" ? "balls-you" : undefined}>{ballWord(ball, balls[ball], how)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What plait and the clock have is in pieces, one a task: told apart without colour. Skipped tasks are hatched. */
function Part({ ball, n }: { readonly ball: Ball; readonly n: number }) {
  const { phases } = useMoment().progress;
  const hatched = ball === "later" ? Math.min(n, phases.skipped + phases.cancelled) : 0;
  const isPieces = (ball === "plait" || ball === "clock") && n <= MOST_PIECES;
  if (isPieces)
    return (
      <>
        {Array.from({ length: n }, (_, i) => (
          <i key={i} class={`balls-part ball-${ball}`} style={{ flexGrow: 1 }} />
        ))}
      </>
    );
  return (
    <>
      {hatched > 0 && <i class={`balls-part balls-hatched ball-${ball}`} style={{ flexGrow: hatched }} />}
      {n > hatched && <i class={`balls-part ball-${ball}`} style={{ flexGrow: n - hatched }} />}
    </>
  );
}
