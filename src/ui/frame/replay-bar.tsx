import { times } from "../../core/select/totals.ts";
import { elapsed } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { type Speed, speeds } from "../run/replayer.ts";
import { Scrubber } from "./scrubber.tsx";

/** Which moment is shown, and controls to go to any other. */
export function ReplayBar() {
  const store = useRunStore();
  const { replay, now, speed } = useMoment();
  const isPlaying = replay?.isPlaying ?? false;
  return (
    <section class="replay row" aria-label="Replay">
      <button
        type="button"
        class="bar-icon lights quiet"
        aria-label={isPlaying ? "Pause the replay" : "Replay"}
        title={`${isPlaying ? "Pause the replay" : "Replay"} (space)`}
        onClick={() => store.play(isPlaying ? null : speed)}
      >
        <Icon sign={isPlaying ? "pause" : "play"} size={14} />
      </button>
      <button
        type="button"
        class="replay-speed lights small quiet mono"
        aria-label={`Speed ${speed}×`}
        title="Replay speed"
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
      <span class="replay-until quiet mono">
        {elapsed(shown.wallMs)} of {elapsed(whole)}
      </span>
    );
  }
  return forecast === null || latest.ended !== null ? null : (
    <span class="replay-until quiet mono">about {hourAndMinute(forecast.readyAt)}</span>
  );
}

/** Back to now; or, where now is shown, whether the run is live. */
function Now() {
  const store = useRunStore();
  const { replay, latest, connection, isRunning } = useMoment();
  const isLive = latest.ended === null && connection.kind !== "file";
  if (replay !== null)
    return (
      <button type="button" class="button replay-live" title="End" onClick={() => store.seek(null)}>
        {isLive ? "Go live" : "Go to end"}
      </button>
    );
  if (connection.kind === "lost" || connection.kind === "refused")
    return <span class="badge actor-clock">Offline</span>;
  if (latest.ended !== null) return <span class="badge actor-later">Ended</span>;
  if (connection.kind === "file") return <span class="badge actor-later">Report</span>;
  if (!isRunning) return <span class="badge actor-later">Interrupted</span>;
  return (
    <span class="badge actor-agents replay-live">
      <i class="replay-dot" /> Live
    </span>
  );
}
