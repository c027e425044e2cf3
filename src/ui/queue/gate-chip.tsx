import type { ShownCheck } from "../../core/select/queue-checks.ts";
import type { StatusKind } from "../../core/select/task-status.ts";
import { elapsed } from "../../core/text/figures.ts";
import { StateIcon } from "../parts/icon.tsx";

const SIGNS: { readonly [S in ShownCheck["state"]]: StatusKind } = {
  waiting: "waiting",
  running: "running",
  green: "merged",
  red: "failed",
};

/** One gate of a tree: its sign, its name, how long it took. */
export function GateChip({ check }: { readonly check: ShownCheck }) {
  const { name, state, isFlaky } = check;
  const look = isFlaky ? "flaky actor-clock" : state;
  return (
    <li class={`queue-gate framed quiet mono ${look}`}>
      <StateIcon shown={isFlaky ? "retrying" : SIGNS[state]} size={11} />
      {name}
      <span class="unseen"> {state} </span>
      {formatTime(check)}
    </li>
  );
}

function formatTime({ state, ms, isCached, isFlaky }: ShownCheck): string {
  if (isFlaky) return "flaky";
  if (isCached) return "cached";
  if (ms === null) return "";
  // In seconds when it has ended; as a clock while it runs.
  return state === "running" || ms >= 60_000 ? elapsed(ms) : formatSeconds(ms);
}

const formatSeconds = (ms: number): string =>
  ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
