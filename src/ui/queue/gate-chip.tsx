import type { ShownCheck } from "../../core/select/queue-checks.ts";
import { elapsed } from "../../core/select/run-words.ts";
import type { ShownState } from "../../core/select/task-rows.ts";
import { StateIcon } from "../parts/icon.tsx";

const SIGNS: { readonly [S in ShownCheck["state"]]: ShownState } = {
  waiting: "waiting",
  running: "running",
  green: "merged",
  red: "failed",
};

/** One gate of a tree: its sign, its name, how long it took. */
export function GateChip({ check }: { readonly check: ShownCheck }) {
  const { name, state, isFlaky } = check;
  const look = isFlaky ? "flaky ball-clock" : state;
  return (
    <li class={`queue-gate mono ${look}`}>
      <StateIcon shown={isFlaky ? "backoff" : SIGNS[state]} size={11} />
      {name}
      <span class="unseen"> {state} </span>
      {timeText(check)}
    </li>
  );
}

function timeText({ state, ms, isCached, isFlaky }: ShownCheck): string {
  if (isFlaky) return "flaky";
  if (isCached) return "cached";
  if (ms === null) return "";
  // What is over is measured in seconds; what goes on is a clock.
  return state === "running" || ms >= 60_000 ? elapsed(ms) : seconds(ms);
}

const seconds = (ms: number): string =>
  ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
