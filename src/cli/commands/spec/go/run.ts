import { type Command, plait, withFlags } from "../../../../core/text/command.ts";
import { fix } from "../../../../core/text/sentence.ts";
// The third and fourth step: the plan is committed, since worktrees start from what is committed, and run. How far a run has come is in
// its journal: one that was interrupted is resumed, one that ended is not started again.

import { findRepository } from "../../../../app/host.ts";
import type { KnownRun } from "../../../../app/index.ts";
import { findRunOfFolder } from "../../../../app/spec/go/find-folder.ts";
import { type FileChange, isLandedByCommits, listPlanChanges } from "../../../../app/spec/go/plan-changes.ts";
import { restorePrompts } from "../../../../app/spec/write-prompts.ts";
import { hasSucceeded, wasCutShort } from "../../../../core/select/run-status.ts";
import { count } from "../../../../core/text/figures.ts";
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
import { buildGo, commitPlan, type Going, type GoodSpec, type GoStop, stopGoing } from "./going.ts";
import type { GoPlan } from "./plan.ts";

/** A run with every task merged; null where only its commits are known, as in a clone. */
export type GoRun = { readonly known: KnownRun | null };

export async function settleRun(going: Going, known: GoodSpec, plan: GoPlan): Promise<GoRun | GoStop> {
  const before = await latestRun(going, plan);
  if (before === null && (await isLanded(going, plan))) return { known: null };
  const step = before === null ? "start" : nextStep(before);
  if (before !== null && step === "watch") {
    const message = `${before.run} is running in process ${before.driver?.pid}`;
    return stopGoing(exitCodes.badEnvironment, {
      message,
      hint: fix("follow it", plait("watch", before.run)),
    });
  }
  if (before !== null && step === "fix") return stopAtFailed(going, known, before);
  const exit =
    step === "start"
      ? await start(going, known, plan)
      : step === "resume"
        ? await resume(inner(going.request, [before?.run ?? ""], []))
        : exitCodes.ok;
  if (typeof exit === "object") return exit;
  const after = await latestRun(going, plan);
  if (exit === exitCodes.ok && after !== null) return { known: after };
  // What is wrong was told by the run itself.
  return { exit, problem: null, next: [buildGo(going, known)] };
}

async function latestRun({ host, question }: Going, { folder }: GoPlan): Promise<KnownRun | null> {
  return granted(await findRunOfFolder(host, folder, question.caps)).known;
}

async function isLanded({ host, request }: Going, { folder, shownFolder }: GoPlan): Promise<boolean> {
  const asPlan = inner(request, [shownFolder], []);
  const { plan } = await readPlan(asPlan, { runCommands: false, withoutPrompts: true });
  if (plan === null) return false;
  const { repository } = granted(await findRepository(host));
  return isLandedByCommits(repository, { plan, folder });
}

function nextStep({ state, driver }: KnownRun): "watch" | "resume" | "done" | "fix" {
  if (driver !== null) return "watch";
  if (state.landing.kind === "undone") return "fix";
  if (wasCutShort(state)) return "resume";
  return hasSucceeded(state) ? "done" : "fix";
}

/** It is not tried again by itself: what failed may have to be changed first. */
async function stopAtFailed(going: Going, known: GoodSpec, { run }: KnownRun): Promise<GoStop> {
  await status(inner(going.request, [run], []));
  const problem = {
    message: `${run} is not complete`,
    hint: "finish the run, then continue with the command below",
  };
  return stopGoing(exitCodes.incomplete, problem, buildGo(going, known));
}

async function start(going: Going, known: GoodSpec, plan: GoPlan): Promise<ExitCode | GoStop> {
  const { host, request } = going;
  const { repository } = granted(await findRepository(host));
  await restoreMissing(going, plan);
  const changes = await listPlanChanges(repository, { folder: plan.folder, known });
  if (!plan.isAgreed) {
    const answer = await agree(going, plan, changes);
    if (answer !== "yes") return stopUnstarted(answer, buildGo(going, known));
  }
  const refused = await commitPlan(going, known, { changes, title: "plan" });
  if (refused !== null) return refused;
  const asPlan = inner(request, [plan.shownFolder], await runFlags(request, plan));
  return runPlan(asPlan);
}

/** Prompts are not tracked as a rule: a clone has none. */
async function restoreMissing({ host, request, question }: Going, { shownFolder }: GoPlan): Promise<void> {
  const { made } = granted(await restorePrompts(shownFolder, { cwd: host.cwd, caps: question.caps }));
  const { options, output } = request;
  if (made === 0 || options.json === true) return;
  output.say([[shown(`${shownFolder}/prompts: ${count(made, "prompt")}, generated`, output.glyphs)]]);
}

type Agreement = "yes" | "no" | "interrupted" | "unasked" | "invalid";

function stopUnstarted(answer: Exclude<Agreement, "yes">, go: Command): GoStop {
  const message = "the plan was not started";
  switch (answer) {
    case "interrupted":
      return stopGoing(exitCodes.interrupted, { message }, go);
    case "no":
      return stopGoing(exitCodes.incomplete, { message }, go);
    case "unasked": {
      const problem = { message: `${message}: no terminal to ask`, hint: "approve the plan: --yes" };
      return stopGoing(exitCodes.badRequest, problem, withFlags(go, { yes: true }));
    }
    case "invalid":
      return { exit: exitCodes.badRequest, problem: null, next: [go] };
  }
}

/** Somebody else may have made the folder: nothing is committed or run that was not asked about. */
async function agree({ request }: Going, plan: GoPlan, changed: readonly FileChange[]): Promise<Agreement> {
  const { options, output } = request;
  const { shownFolder } = plan;
  if (options.yes === true) return "yes";
  const flags = await runFlags(request, plan);
  const isShown = await showPlan(inner(request, [shownFolder], flags.filter(isOfPreview)));
  if (isShown !== exitCodes.ok) return "invalid";
  if (options.json === true || !canConfirm()) return "unasked";
  if (changed.length > 0) {
    const paths = changed.map(({ path }) => [`  ${shown(path, output.glyphs)}`]);
    output.say([[`Files to commit: ${changed.length}`], ...paths]);
  }
  const commit = changed.length === 0 ? "" : "Commit these, then r";
  const answer = await confirm(`${commit === "" ? "R" : commit}un ${shownFolder} and land it?`);
  return answer === null ? "interrupted" : answer ? "yes" : "no";
}

const RUN_FLAGS = ["agent", "model", "budgetUsd", "concurrency", "land", "allowRedBase"] as const;

/** Those that `plait plan` takes too. */
const isOfPreview = (flag: keyof Options): boolean => flag === "agent" || flag === "model";

/** An agent for everything replaces those of the plan; where they are of that program already, each keeps its speciality. */
async function runFlags(request: Request, { shownFolder }: GoPlan): Promise<readonly (keyof Options)[]> {
  const { agent } = request.options;
  if (agent === undefined) return RUN_FLAGS;
  const { plan } = await readPlan(inner(request, [shownFolder], []), { runCommands: false });
  const isOther = plan?.tasks.some(({ work }) => work.kind === "agent" && work.agent.use !== agent) ?? false;
  return isOther ? RUN_FLAGS : RUN_FLAGS.filter((flag) => flag !== "agent");
}

/** Taken by every command that works in a repository, or shows a run. */
const COMMON = [...["color", "ascii", "cwd", "debug", "progress", "quiet", "ui", "allowRoot", "allowNested"]];

/** The request for one part of it. A program that wants one document gets nothing but that. */
export function inner(request: Request, args: readonly string[], flags: readonly (keyof Options)[]): Request {
  const { options, output } = request;
  const isTaken = new Set<string>([...COMMON, ...flags]);
  const taken: Options = Object.fromEntries(Object.entries(options).filter(([name]) => isTaken.has(name)));
  if (options.json !== true) return { ...request, args, options: taken };
  const silent = { ...output, result: () => undefined, raw: () => undefined };
  return { ...request, args, options: { ...taken, quiet: true, progress: "quiet" }, output: silent };
}
