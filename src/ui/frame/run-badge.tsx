import { runStatus } from "../../core/select/run-status.ts";
import { ballOf } from "../../core/select/state-words.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

/** How the run stands; at a moment of its past, that it is one. */
export function RunBadge() {
  const { state, rows, isDriven, replay } = useMoment();
  if (replay !== null) return <span class="badge badge-ink">Replay</span>;
  const { word, shown } = runStatus(state, rows, isDriven);
  return (
    <span class={`badge ball-${ballOf[shown]}`}>
      <StateIcon shown={shown} />
      {word}
    </span>
  );
}
