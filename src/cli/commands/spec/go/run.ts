// The third and fourth step: the plan is committed, since worktrees start from what is committed, and run. How far a run has come is in
// its journal: one that was interrupted is resumed, one that ended is not started again.

import { findRepository } from "../../../../app/host.ts";
import type { KnownRun } from "../../../../app/index.ts";
import { findRunOfFolder } from "../../../../app/spec/go/find-folder.ts";
import { listPlanChanges } from "../../../../app/spec/go/plan-changes.ts";
import { count } from "../../../../core/select/preview/words.ts";
import { canConfirm, confirm } from "../../../confirm.ts";
import { type ExitCode, exitCodes } from "../../../exit-codes.ts";
import type { Options } from "../../../flags.ts";
import { granted } from "../../../host.ts";
import { readPlan } from "../../../plan-file.ts";
import { shown } from "../../../render/visible.ts";
import type { Request } from "../../../request.ts";
import { plan as showPlan } from "../../plan.ts";
import { resume } from "../../resume.ts";
import { run as runPlan } from "../../run.ts";
import { status } from "../../status.ts";
import { commitPlan } from "./commit.ts";
import { formatGo, type Going, type GoodSpec, type GoStop } from "./going.ts";
import type { GoPlan } from "./plan.ts";

/** A run that came to its end, with everything merged. */
export type GoRun = { readonly known: KnownRun };

export async function settleRun(going: Going, known: GoodSpec, plan: GoPlan): Promise<GoRun | GoStop> {
  const before = await latestRun(going, plan);
  const step = before === null ? "start" : nextStep(before);
  if (before !== null && step === "watch") {
    const message = `${before.run} is running in process ${before.driver?.pid}`;
    const problem = { message, hint: `watch it: plait watch ${before.run}` };
    return { exit: exitCodes.badEnvironment, problem, next: [] };
  }
  if (before !== null && step === "fix") return stopAtFailed(going, known, before);
  const exit =
    step === "start"
      ? await start(going, known, plan)
      : step === "resume"
        ? await resume(inner(going.request, [before?.run ?? ""], RESUME_FLAGS))
        : exitCodes.ok;
  if (typeof exit === "object") return exit;
  const after = await latestRun(going, plan);
  if (exit === exitCodes.ok && after !== null) return { known: after };
  // What is wrong was told by the run itself.
  return { exit, problem: null, next: [formatGo(going, known)] };
}

async function latestRun({ host, question }: Going, { folder }: GoPlan): Promise<KnownRun | null> {
  return granted(await findRunOfFolder(host, folder, question.caps)).known;
}

function nextStep({ state, driver }: KnownRun): "watch" | "resume" | "done" | "fix" {
  if (driver !== null) return "watch";
  if (state.landing.kind === "undone") return "fix";
  if (state.ended === null) return "resume";
  switch (state.ended.outcome) {
    case "complete":
      return "done";
    case "stopped":
    case "drained":
      return "resume";
    default:
      return "fix";
  }
}

/** It is not tried again by itself: what failed may have to be changed first. */
async function stopAtFailed(going: Going, known: GoodSpec, { run }: KnownRun): Promise<GoStop> {
  await status(inner(going.request, [run], []));
  const hint = "when it is complete, continue with the command below";
  return {
    exit: exitCodes.incomplete,
    problem: { message: `${run} is not complete`, hint },
    next: [formatGo(going, known)],
  };
}

async function start(going: Going, known: GoodSpec, plan: GoPlan): Promise<ExitCode | GoStop> {
  const { host, request } = going;
  const { repository } = granted(await findRepository(host));
  const changes = await listPlanChanges(repository, { folder: plan.folder, known });
  if (!plan.isAgreed) {
    const answer = await agree(
      going,
      plan,
      changes.map(({ path }) => path),
    );
    if (answer !== true) {
      const exit =
        answer === null
          ? exitCodes.interrupted
          : answer === false
            ? exitCodes.incomplete
            : exitCodes.badRequest;
      const message =
        answer === "unasked" ? "nothing was started: confirm with --yes" : "nothing was started";
      const next = answer === "unasked" ? [`${formatGo(going, known)} --yes`] : [formatGo(going, known)];
      return { exit, problem: { message, hint: null }, next };
    }
  }
  const refused = await commitPlan(going, known, { changes, title: "plan" });
  if (refused !== null) return refused;
  const asPlan = inner(request, [plan.shownFolder], await runFlags(request, plan));
  return runPlan(asPlan);
}

/** Somebody else may have made the folder: nothing is committed or run that was not asked about. */
async function agree({ request }: Going, { shownFolder }: GoPlan, changed: readonly string[]) {
  const { options, output } = request;
  if (options.yes === true) return true;
  await showPlan(inner(request, [shownFolder], []));
  if (options.json === true || !canConfirm()) return "unasked" as const;
  if (changed.length > 0) {
    const paths = changed.map((path) => [`  ${shown(path, output.glyphs)}`]);
    output.say([[`To be committed, and nothing else: ${count(changed.length, "file")}`], ...paths]);
  }
  const commit = changed.length === 0 ? "" : "Commit these, then r";
  return confirm(`${commit === "" ? "R" : commit}un ${shownFolder} and land it?`);
}

const RUN_FLAGS = ["agent", "model", "budgetUsd", "concurrency", "land", "allowRedBase"] as const;
const RESUME_FLAGS = [] as const;

/** An agent for everything replaces those of the plan; where they are of that program already, each keeps its speciality. */
async function runFlags(request: Request, { shownFolder }: GoPlan): Promise<readonly (keyof Options)[]> {
  const { agent } = request.options;
  if (agent === undefined) return RUN_FLAGS;
  const { plan } = await readPlan(inner(request, [shownFolder], []), { runCommands: false });
  const isOther = plan?.tasks.some(({ work }) => work.kind === "agent" && work.agent.use !== agent) ?? false;
  return isOther ? RUN_FLAGS : RUN_FLAGS.filter((flag) => flag !== "agent");
}

/** Taken by every command that works in a repository, or shows a run. */
const COMMON = [
  "color",
  "ascii",
  "cwd",
  "debug",
  "progress",
  "quiet",
  "ui",
  "allowRoot",
  "allowNested",
] as const;

/** The request for one part of it. A program that wants one document gets nothing but that. */
export function inner(request: Request, args: readonly string[], flags: readonly (keyof Options)[]): Request {
  const { options, output } = request;
  const isTaken = new Set<string>([...COMMON, ...flags]);
  const taken: Options = Object.fromEntries(Object.entries(options).filter(([name]) => isTaken.has(name)));
  if (options.json !== true) return { ...request, args, options: taken };
  const silent = { ...output, result: () => undefined, raw: () => undefined };
  return { ...request, args, options: { ...taken, quiet: true, progress: "quiet" }, output: silent };
}
