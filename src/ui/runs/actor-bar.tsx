import { formatActorCount } from "../../core/select/actor-text.ts";
import type { RunSummary } from "../../core/select/overview.ts";
import type { NextActor } from "../../core/select/task-status.ts";

/** From done to not started. */
const ORDER: readonly NextActor[] = ["done", "plait", "agents", "clock", "you", "later"];

/** The tasks of a run as one bar, by who moves them next. */
export function RunActorBar({ run: { actors, isRunning, endedAt } }: { readonly run: RunSummary }) {
  const isUnfinished = isRunning && endedAt === null;
  const there = ORDER.filter((actor) => actors[actor] > 0);
  return (
    <span
      class="runs-actors"
      role="img"
      aria-label={there
        .map(
          (actor) =>
            `${actors[actor]} ${formatActorCount(actor, actors[actor], { isRunning: isUnfinished })}`,
        )
        .join(", ")}
    >
      {there.map((actor) => (
        <i key={actor} class={`runs-actors-${actor} actor-${actor}`} style={{ flexGrow: actors[actor] }} />
      ))}
    </span>
  );
}
