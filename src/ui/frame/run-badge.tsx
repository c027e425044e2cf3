import { findRunSign, formatRunWord } from "../../core/select/run-status-text.ts";
import { nextActorByKind } from "../../core/select/task-status.ts";
import { capital } from "../../core/text/figures.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

/** The status of the run, or that a past moment is shown. */
export function RunBadge() {
  const { status, replay } = useMoment();
  if (replay !== null) return <span class="badge badge-ink">Replay</span>;
  const shown = findRunSign(status);
  return (
    <span class={`badge actor-${nextActorByKind[shown]}`}>
      <StateIcon shown={shown} />
      {capital(formatRunWord(status))}
    </span>
  );
}
