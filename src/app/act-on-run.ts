// What a person asks of a run from a page or a tool: its driver does it; where nobody drives the run, a driver of its own is
// started for it in the background, as the same request typed in a terminal would start one.

import { decide } from "../core/decide.ts";
import type { RunAction } from "../core/run-action.ts";
import type { RunState } from "../core/run-state.ts";
import { entries } from "../core/sorted-map.ts";
import { systemClock } from "../util/clock.ts";
import { askQuietly } from "./ask-quietly.ts";
import { driveDetached } from "./detach-run.ts";
import { askDriver, staysDriven } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { completeRefusal } from "./resume-run.ts";
import type { FoundRun } from "./runs.ts";
import { undoTold } from "./undo-told.ts";

/** The program that drives a run with these words, `["resume", "checkout-k7f2"]`. */
export type DriverProgram = (words: readonly string[]) => readonly string[];

export type Acted =
  /** The driver of the run does it. */
  | { readonly how: "asked" }
  /** A driver was started for it. */
  | { readonly how: "started"; readonly pid: number; readonly log: string }
  /** It is done already. */
  | { readonly how: "done" };

export async function actOnRun(
  host: Host,
  found: FoundRun,
  action: RunAction,
  program: DriverProgram,
): Promise<OrRefusal<{ acted: Acted }>> {
  const { known } = found;
  const { run, driver } = known;
  const look = `look at it: plait status ${run}`;
  const goOn = `go on with it: plait resume ${run}`;
  if (action.kind === "resume") {
    const complete = completeRefusal(known);
    if (complete !== null) return complete;
    if (await staysDriven(known))
      return refuse("request", `${run} is driven already`, `see it: plait watch ${run}`);
    return start(host, found, program(["resume", run, "--quiet"]));
  }
  if (driver !== null) {
    const answer = await askDriver(known, action);
    if (!answer.ok) return answer;
    const { asked } = answer;
    if (asked.kind === "decided")
      return asked.decision.ok
        ? { ok: true, acted: { how: "asked" } }
        : refuse("request", asked.decision.refusal, look);
  }
  const words = wordsOf(action, run);
  if (words === null) return refuse("request", `nobody drives ${run}`, goOn);
  // Refused here where it can be, so that no driver is started only to say no.
  const decision = decide(known.state, action, (host.clock ?? systemClock).now());
  if (!decision.ok) return refuse("request", decision.refusal, isCutOff(known.state) ? goOn : look);
  if (action.kind === "undo") return undo(host, found);
  return start(host, found, program(words));
}

/** Its driver is gone, and what it had under way is not known to have ended: only another driver finds out. */
const isCutOff = ({ ended, tasks }: RunState): boolean =>
  ended === null && [...entries(tasks)].some(([, { live }]) => live.length > 0);

/** Nobody would see the driver's refusal: it ends with it. */
async function undo(host: Host, found: FoundRun): Promise<OrRefusal<{ acted: Acted }>> {
  const told = undoTold();
  const undone = await askQuietly(host, found, {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: told.hear,
  });
  if (!undone.ok) return undone;
  const outcome = told.outcome();
  if (outcome.kind === "undone") return { ok: true, acted: { how: "done" } };
  return refuse(
    "environment",
    `not taken back: ${outcome.why}`,
    `look at it: plait status ${found.known.run}`,
  );
}

/** As it would be typed; null for what only a driver can do, because it is about what is under way. */
function wordsOf(action: Exclude<RunAction, { kind: "resume" }>, run: string): readonly string[] | null {
  switch (action.kind) {
    case "retry":
    case "approve":
    case "accept":
      return [action.kind, action.task, "--run", run, "--quiet"];
    case "land":
      return ["land", run, "--quiet"];
    case "undo":
      return ["undo", run];
    default:
      return null;
  }
}

async function start(
  host: Host,
  { known }: FoundRun,
  argv: readonly string[],
): Promise<OrRefusal<{ acted: Acted }>> {
  const { run, folder, facts } = known;
  const started = await driveDetached(host, { run, folder: folder.path, argv, since: facts.length });
  if (!started.ok) return started;
  return { ok: true, acted: { how: "started", pid: started.pid, log: started.log } };
}
