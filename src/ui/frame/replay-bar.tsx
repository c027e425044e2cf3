import { elapsed } from "../../core/select/run-words.ts";
import { times } from "../../core/select/totals.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { type Speed, speeds } from "../run/replayer.ts";
import { Scrubber } from "./scrubber.tsx";

/** Which moment is shown, and the way to any other. */
export function ReplayBar() {
  const store = useRunStore();
  const { replay, now, speed } = useMoment();
  const isPlaying = replay?.isPlaying ?? false;
  return (
    <section class="replay" aria-label="Replay">
      <button
        type="button"
        class="bar-icon"
        aria-label={isPlaying ? "Pause the replay" : "Replay"}
        title={`${isPlaying ? "Pause the replay" : "Replay"} (space)`}
        onClick={() => store.play(isPlaying ? null : speed)}
      >
        <Icon sign={isPlaying ? "pause" : "play"} size={14} />
      </button>
      <button
        type="button"
        class="replay-speed mono"
        aria-label={`Speed ${speed}×`}
        title="How fast it is replayed"
        onClick={() => store.pace(faster(speed))}
      >
        {speed}×
      </button>
      <time class="replay-time mono" title={fullTime(now)}>
        {timeOfDay(now)}
      </time>
      <Scrubber />
      <Until />
      <Now />
    </section>
  );
}

const faster = (speed: Speed): Speed => speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1;

function Until() {
  const { replay, forecast, latest, latestAt, times: shown } = useMoment();
  if (replay !== null) {
    const whole = times(latest, latestAt).wallMs;
    return (
      <span class="replay-until mono">
        {elapsed(shown.wallMs)} of {elapsed(whole)}
      </span>
    );
  }
  if (latest.ended !== null)
    return <span class="replay-until mono">ended {hourAndMinute(latest.ended.at)}</span>;
  return forecast === null ? null : (
    <span class="replay-until mono">about {hourAndMinute(forecast.readyAt)}</span>
  );
}

/** Back to now; or, where now is shown, what now is. */
function Now() {
  const store = useRunStore();
  const { replay, latest, connection, isDriven } = useMoment();
  const isLive = latest.ended === null && connection.kind !== "file";
  if (replay !== null)
    return (
      <button type="button" class="button replay-live" title="End" onClick={() => store.seek(null)}>
        {isLive ? "Go live" : "Go to end"}
      </button>
    );
  if (connection.kind === "lost" || connection.kind === "refused")
    return <span class="badge ball-clock">Not heard</span>;
  if (latest.ended !== null) return <span class="badge ball-later">End</span>;
  if (connection.kind === "file") return <span class="badge ball-later">Report</span>;
  if (!isDriven) return <span class="badge ball-later">Cut off</span>;
  return (
    <span class="badge ball-agents replay-live">
      <i class="replay-dot" /> Live
    </span>
  );
}
