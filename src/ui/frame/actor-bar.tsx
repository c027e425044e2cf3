import { formatActorCount } from "../../core/select/actor-text.ts";
import { formatDone } from "../../core/select/run-status-text.ts";
import type { NextActor, StatusKind } from "../../core/select/task-status.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

/** Done first, then in progress, and not started last. */
const ORDER: readonly NextActor[] = ["done", "plait", "agents", "clock", "you", "later"];

const SIGNS: { readonly [B in NextActor]: StatusKind } = {
  done: "merged",
  agents: "running",
  plait: "merging",
  clock: "paused",
  you: "failed",
  later: "waiting",
};

const LEGEND: readonly NextActor[] = ["done", "agents", "plait", "clock", "you", "later"];

/** More are too thin to tell apart. */
const MOST_PIECES = 24;

/** The progress of the run by who moves its tasks next: in figures, as a bar, and in words. */
export function ActorBar() {
  const { actors, progress, isRunning } = useMoment();
  const isUnfinished = isRunning && !progress.hasEnded;
  return (
    <div class="actors">
      <h2 class="actors-title">{formatDone(progress)}</h2>
      <div class="actors-bar" aria-hidden="true">
        {ORDER.filter((actor) => actors[actor] > 0).map((actor) => (
          <Part key={actor} actor={actor} n={actors[actor]} />
        ))}
      </div>
      <ul class="actors-legend small quiet">
        {LEGEND.filter((actor) => actors[actor] > 0).map((actor) => (
          <li key={actor} class={`actors-entry row actor-${actor}`}>
            <StateIcon shown={SIGNS[actor]} size={11} />
            <b>{actors[actor]}</b>{" "}
            <span class={actor === "you" ? "actors-you" : undefined}>
              {formatActorCount(actor, actors[actor], { isRunning: isUnfinished })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tasks that plait or a timer moves are pieces, one each, to tell them apart without color. Skipped tasks are hatched. */
function Part({ actor, n }: { readonly actor: NextActor; readonly n: number }) {
  const { phases } = useMoment().progress;
  const hatched = actor === "later" ? Math.min(n, phases.skipped + phases.cancelled) : 0;
  const isPieces = (actor === "plait" || actor === "clock") && n <= MOST_PIECES;
  if (isPieces)
    return (
      <>
        {Array.from({ length: n }, (_, i) => (
          <i key={i} class={`actors-part actor-${actor}`} style={{ flexGrow: 1 }} />
        ))}
      </>
    );
  return (
    <>
      {hatched > 0 && <i class={`actors-part actors-hatched actor-${actor}`} style={{ flexGrow: hatched }} />}
      {n > hatched && <i class={`actors-part actor-${actor}`} style={{ flexGrow: n - hatched }} />}
    </>
  );
}
