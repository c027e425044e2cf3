// A request from the web UI or a tool: the run's process does it; where there is none, one is started in the background, as the
// same command typed in a terminal would start one.

import { decide, type RunAction } from "../core/decide.ts";
import { formatLandFlags } from "../core/select/landing-text.ts";
import { forRun, plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { isPlainObject, ownField, parseCommand } from "../engines/local/protocol-command.ts";
import { systemClock } from "../util/clock.ts";
import { checkLanding, type LandAction } from "./check-landing.ts";
import { driveDetached } from "./detach-run.ts";
import { askDriver, staysDriven } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse, refuseByRun } from "./host.ts";
import { completeRefusal } from "./resume-run.ts";
import type { FoundRun } from "./runs.ts";
import { undoRun } from "./undo-run.ts";

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
  const resume = fix("resume it", forRun(known.state, plait("resume", run)));
  if (words === null) return refuse("request", `${run} is not running`, resume);
  // Refused here where possible, so that no process is started only to refuse.
  const decision = decide(known.state, action, (host.clock ?? systemClock).now(), {
    ...{ state: known.state, isRunning: false },
  });
  if (!decision.ok) return refuseByRun(run, decision.refusal);
  if (action.kind === "undo") return undo(host, found);
  return start(host, found, program(words));
}

/** In this process, because the refusal of a detached one would not be seen. */
async function undo(host: Host, found: FoundRun): Promise<OrRefusal<{ acted: Acted }>> {
  const undone = await undoRun(host, found);
  if (!undone.ok) return undone;
  const { outcome } = undone;
  if (outcome.kind === "undone") return { ok: true, acted: { how: "done" } };
  const { why, next } = outcome;
  return refuse("environment", `not undone: ${why}`, fix(next.purpose, next.command));
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
