// A request from the web UI or a tool: the run's process does it; where there is none, one is started in the background, as the
// same command typed in a terminal would start one.

import { decide, type RunAction } from "../core/decide.ts";
import type { Fact } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { formatLandFlags } from "../core/select/landing-words.ts";
import { entries } from "../core/sorted-map.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { isPlainObject, ownField, parseCommand } from "../engines/local/protocol-command.ts";
import { systemClock } from "../util/clock.ts";
import { askQuietly } from "./ask-quietly.ts";
import { checkLanding, type LandAction } from "./check-landing.ts";
import { driveDetached } from "./detach-run.ts";
import { askDriver, staysDriven } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse, refuseByRun } from "./host.ts";
import { completeRefusal } from "./resume-run.ts";
import type { FoundRun } from "./runs.ts";

/** The program that runs plait with these arguments, `["resume", "checkout-k7f2"]`. */
export type DriverProgram = (args: readonly string[]) => readonly string[];

export type Acted =
  | { readonly how: "asked" }
  | { readonly how: "started"; readonly pid: number; readonly log: string }
  | { readonly how: "done" };

export type AskedAction = Exclude<RunAction, { kind: "land" }> | LandAction;

export async function actOnRun(
  host: Host,
  found: FoundRun,
  action: AskedAction,
  program: DriverProgram,
): Promise<OrRefusal<{ acted: Acted }>> {
  const { known } = found;
  const { run } = known;
  if (action.kind === "resume") {
    const complete = completeRefusal(known);
    if (complete !== null) return complete;
    if (await staysDriven(known))
      return refuse("request", `${run} is already running`, fix("watch it", plait("watch", run)));
    return start(host, found, program(["resume", run, "--quiet"]));
  }
  if (action.kind === "land") {
    const checked = await checkLanding(host, found, action);
    if (!checked.ok) return checked;
    return actOnChecked(host, found, checked.request, program);
  }
  return actOnChecked(host, found, action, program);
}

async function actOnChecked(
  host: Host,
  found: FoundRun,
  action: Exclude<RunAction, { kind: "resume" }>,
  program: DriverProgram,
): Promise<OrRefusal<{ acted: Acted }>> {
  const { known } = found;
  const { run, driver } = known;
  if (driver !== null) {
    const answer = await askDriver(known, action);
    if (!answer.ok) return answer;
    const { asked } = answer;
    if (asked.kind === "decided")
      return asked.decision.ok
        ? { ok: true, acted: { how: "asked" } }
        : refuseByRun(run, asked.decision.refusal);
  }
  const words = buildArguments(action, run);
  const resume = fix("resume it", plait("resume", run));
  if (words === null) return refuse("request", `${run} is not running`, resume);
  // Refused here where possible, so that no process is started only to refuse.
  const decision = decide(known.state, action, (host.clock ?? systemClock).now());
  if (!decision.ok) {
    const { message, hint } = decision.refusal;
    return refuseByRun(run, { message, hint: isInterrupted(known.state) ? resume : hint });
  }
  if (action.kind === "undo") return undo(host, found);
  return start(host, found, program(words));
}

/** Attempts were running when the process died; only another process finds out how they ended. */
const isInterrupted = ({ ended, tasks }: RunState): boolean =>
  ended === null && [...entries(tasks)].some(([, { live }]) => live.length > 0);

/** In this process, because the refusal of a detached one would not be seen. */
async function undo(host: Host, found: FoundRun): Promise<OrRefusal<{ acted: Acted }>> {
  const tracked = trackUndoOutcome();
  const undone = await askQuietly(host, found, {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: tracked.onFact,
  });
  if (!undone.ok) return undone;
  const outcome = tracked.outcome();
  if (outcome.kind === "undone") return { ok: true, acted: { how: "done" } };
  const { run } = found.known;
  return refuse("environment", `not undone: ${outcome.why}`, fix("see the run", plait("status", run)));
}

/** As it would be typed; null for actions on running attempts, which only a running run can do. */
function buildArguments(
  action: Exclude<RunAction, { kind: "resume" }>,
  run: string,
): readonly string[] | null {
  switch (action.kind) {
    case "retry":
      return ["retry", action.task, ...(action.now ? ["--now"] : []), "--run", run, "--quiet"];
    case "retry-now":
      return ["retry", "--now", "--run", run, "--quiet"];
    case "approve":
    case "accept":
      return [action.kind, action.task, "--run", run, "--quiet"];
    case "land":
      return ["land", run, ...formatLandFlags(action), "--quiet"];
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

export type UndoOutcome =
  | { readonly kind: "undone"; readonly fact: Extract<Fact, { type: "landing.undone" }> }
  | { readonly kind: "refused"; readonly why: string };

export function trackUndoOutcome(): {
  readonly onFact: (fact: Fact) => void;
  readonly outcome: () => UndoOutcome;
} {
  const facts: Fact[] = [];
  return { onFact: (fact) => facts.push(fact), outcome: () => findOutcome(facts) };
}

/** The last fact counts: failures before it were retried. */
function findOutcome(facts: readonly Fact[]): UndoOutcome {
  const fact =
    facts.findLast(({ type }) => type === "landing.undone" || type === "undo.refused") ??
    facts.findLast((one) => one.type === "effect.failed" && one.key.startsWith("undo "));
  if (fact?.type === "landing.undone") return { kind: "undone", fact };
  const why = fact !== undefined && "detail" in fact ? fact.detail : "the run ended before the undo was done";
  return { kind: "refused", why };
}

type ParsedAction =
  | { readonly ok: true; readonly action: RunAction }
  | { readonly ok: false; readonly problem: string };

/** What a page or a tool asks of a run. Every field is looked at, and the action is made anew: the text comes from elsewhere. */
export function parseAction(value: unknown): ParsedAction {
  if (isPlainObject(value) && ownField(value, "kind") === "resume") {
    if (Object.keys(value).length === 1) return { ok: true, action: { kind: "resume" } };
    return { ok: false, problem: "resume takes no other field" };
  }
  const parsed = parseCommand(value);
  return parsed.ok ? { ok: true, action: parsed.command } : parsed;
}
