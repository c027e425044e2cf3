import type { EpochMs, RunOutcome, StopMode } from "../facts.ts";
import type { Oid, RefName } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { nextWake, wants } from "../wants.ts";
import { forecast } from "./forecast.ts";
import { shortOid, shortRef } from "./run-words.ts";
import type { ShownState } from "./task-rows.ts";

/** What came of a run, or is coming: the last word about it in a list of runs. */
export type RunResult =
  | { readonly kind: "running"; readonly readyAt: EpochMs | null }
  /** All that is left waits for the clock: a limit of an account, mostly. */
  | { readonly kind: "resumes"; readonly at: EpochMs }
  | { readonly kind: "paused" }
  | { readonly kind: "stopping"; readonly mode: StopMode }
  | {
      readonly kind: "landed";
      readonly commit: Oid;
      readonly target: RefName;
      readonly isWhole: boolean;
      readonly isPushed: boolean;
    }
  /** Complete, and asked not to land: on its integration branch, or proposed on the server. */
  | { readonly kind: "done" }
  | { readonly kind: "taken-back" }
  /** Not ended, and nobody drives it. */
  | { readonly kind: "cut-off" }
  | {
      readonly kind: "over";
      readonly outcome: Exclude<RunOutcome, "complete">;
      /** Where it was stopped: by a person, else by what. */
      readonly by: string | null;
    };

export function runResult(state: RunState, now: EpochMs, isDriven: boolean): RunResult {
  const { ended, landing, published } = state;
  if (isDriven && ended === null) return underWay(state, now);
  if (ended === null) return { kind: "cut-off" };
  if (landing.kind === "undone") return { kind: "taken-back" };
  const { outcome } = ended;
  if (landing.kind === "landed") {
    const isPushed = published.kind !== "refused";
    const isWhole = outcome === "complete" || !isPushed;
    return { kind: "landed", commit: landing.to.commit, target: landing.target, isWhole, isPushed };
  }
  return outcome === "complete" ? { kind: "done" } : { kind: "over", outcome, by: stoppedBy(state) };
}

function underWay(state: RunState, now: EpochMs): RunResult {
  if (state.stopping !== null) return { kind: "stopping", mode: state.stopping };
  if (state.paused) return { kind: "paused" };
  // Where nothing is wanted, only time or a person moves it on.
  const wake = wants(state, now).length === 0 ? nextWake(state, now) : null;
  if (wake !== null) return { kind: "resumes", at: wake };
  return { kind: "running", readyAt: forecast(state, now)?.readyAt ?? null };
}

/** ^C is a person's; a hang-up or a machine that shuts down is not. */
function stoppedBy({ stopSignal, failedFast }: RunState): string | null {
  if (failedFast) return null;
  return stopSignal === null || stopSignal === "SIGINT" ? "you" : stopSignal;
}

/** `landed 8d1c3f0`, `not landed`, `stopped by you`; `when` tells a time as people do where it is read. */
export function resultText(result: RunResult, when: (at: EpochMs) => string): string {
  switch (result.kind) {
    case "running":
      return result.readyAt === null ? "running" : `running, ready about ${when(result.readyAt)}`;
    case "resumes":
      return `resumes ${when(result.at)}`;
    case "landed": {
      const { commit, isWhole, isPushed } = result;
      return `landed ${isWhole ? "" : "in part "}${shortOid(commit)}${isPushed ? "" : ", not pushed"}`;
    }
    case "stopping":
      return result.mode === "drain" ? "draining" : "stopping";
    case "taken-back":
      return "taken back";
    case "cut-off":
      return "cut off";
    case "over":
      return overText(result);
    default:
      return result.kind;
  }
}

/** The branch that it landed on; null where it did not. */
export const landedOn = (result: RunResult): string | null =>
  result.kind === "landed" ? shortRef(result.target) : null;

function overText({ outcome, by }: Extract<RunResult, { kind: "over" }>): string {
  const isStopped = outcome === "stopped" || outcome === "drained";
  return isStopped && by !== null ? `${outcome} by ${by}` : OUTCOMES[outcome];
}

const OUTCOMES: { readonly [O in Exclude<RunOutcome, "complete">]: string } = {
  incomplete: "not landed",
  "not-landed": "not landed",
  drained: "drained",
  stopped: "stopped",
  "over-budget": "over budget",
  held: "held",
  "red-base": "not started",
};

/** The sign that a run has in a list: that of a task in the same case. */
export function resultSign(result: RunResult): ShownState {
  switch (result.kind) {
    case "running":
      return "running";
    case "resumes":
      return "parked";
    case "paused":
      return "parked";
    case "cut-off":
      return "held"; // a person has to go on with it
    case "stopping":
      return "backoff";
    case "landed":
      return result.isWhole && result.isPushed ? "merged" : "failed";
    case "done":
      return "merged";
    case "taken-back":
      return "cancelled";
    case "over":
      return SIGNS[result.outcome] ?? "failed";
  }
}

const SIGNS: { readonly [O in RunOutcome]?: ShownState } = {
  stopped: "stopped",
  drained: "stopped",
  held: "held",
};
