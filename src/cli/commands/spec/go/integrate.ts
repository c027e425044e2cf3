import { fix } from "../../../../core/text/sentence.ts";
// The last steps: whether the parts fit, and what the tech spec is then.

import { findRepository } from "../../../../app/host.ts";
import type { KnownRun } from "../../../../app/index.ts";
import { listUnseen } from "../../../../app/integrate/subject.ts";
import { countBlocking, isInHead, listPlanChanges } from "../../../../app/spec/go/plan-changes.ts";
import { formatCommand, plait, withFlags } from "../../../../core/text/command.ts";
import { count } from "../../../../core/text/figures.ts";
import { canConfirm } from "../../../confirm.ts";
import { type ExitCode, exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import { integratePlan } from "../../integrate-plan.ts";
import { buildGo, commitPlan, type Going, type GoodSpec, type GoStop, isStop, stopGoing } from "./going.ts";
import type { GoPlan } from "./plan.ts";
import { inner } from "./run.ts";
import { setStatus } from "./tech-spec.ts";

export type Integrated = {
  readonly known: GoodSpec;
  /** The document of `plait integrate --json`; null where nobody asked for it. */
  readonly report: unknown;
  readonly isLanded: boolean;
};

/** Done: landed, and nothing has to be fixed. */
export async function settleIntegration(
  going: Going,
  known: GoodSpec,
  { plan, run }: { readonly plan: GoPlan; readonly run: KnownRun | null },
): Promise<{ readonly integrated: Integrated; readonly stop: GoStop | null }> {
  const { exit, report } = await integrate(going, plan, run);
  const isLanded =
    run === null || (await isInHead(granted(await findRepository(going.host)).repository, run));
  const integrated = { known, report, isLanded };
  const next = [buildGo(going, known)];
  if (exit === exitCodes.incomplete) return { integrated, stop: await stopAtRed(going, integrated, plan) };
  if (exit !== exitCodes.ok) return { integrated, stop: { exit, problem: null, next } };
  if (!isLanded) {
    const hint = fix("land the run, then continue", plait("land", run?.run ?? []));
    const problem = { message: `${run?.run} has not landed`, hint };
    return { integrated, stop: stopGoing(exitCodes.incomplete, problem, ...next) };
  }
  const moved = await setStatus(going, known, "reference");
  if (isStop(moved)) return { integrated, stop: moved };
  const { repository } = granted(await findRepository(going.host));
  const changes = await listPlanChanges(repository, { folder: plan.folder, known: moved });
  const stop = await commitPlan(going, moved, { changes, title: "integrated" });
  return { integrated: { ...integrated, known: moved }, stop };
}

/** By the report that was written a moment ago: what has to be fixed, or what nobody knows. */
async function stopAtRed(going: Going, { known, isLanded }: Integrated, plan: GoPlan): Promise<GoStop> {
  const { id } = known.spec;
  const where = isLanded ? "has landed" : "has not landed";
  const [must, next] = [await countBlocking(plan.folder), buildGo(going, known)];
  const exit = exitCodes.incomplete;
  if (must === 0) {
    const problem = {
      message: `${id} ${where}, but it is unclear whether its parts fit`,
      hint: "add checks or contracts, or accept the result with the command below",
    };
    return stopGoing(exit, problem, withFlags(next, { "allow-unknown": true }));
  }
  const message = `${id} ${where}, but ${count(must, "finding")} must be fixed`;
  const again = plait("spec integrate", [], { "parallel-dir": plan.shownFolder, fix: true });
  return stopGoing(exit, { message, hint: fix("fix and commit, or send the findings back", again) }, next);
}

/** Nobody reviews it unless `plait spec integrate` is asked for that: an agent here is who builds. */
async function integrate({ host, request }: Going, { folder, shownFolder }: GoPlan, run: KnownRun | null) {
  let report: unknown = null;
  const part = inner(request, [], ["tech", "budgetUsd", "allowUnknown"]);
  const output = {
    ...part.output,
    json: (document: unknown) => {
      report = document;
    },
  };
  const { quiet: _, progress: __, ...rest } = part.options;
  const { yes = false, json = false } = request.options;
  const { repository } = granted(await findRepository(host));
  // Agents are sent their findings only by who can be asked, or has said yes to everything: once.
  const fix = (yes || (!json && canConfirm())) && (await listUnseen(repository, folder)).length === 0;
  const options = {
    ...rest,
    ...(run !== null && { run: run.run }),
    ...(json && { json }),
    ...(fix && { fix, yes, ...(yes && { rounds: 1 }) }),
  };
  const command = plait("spec integrate");
  const about = {
    host: { ...host, command: formatCommand(command) },
    named: shownFolder,
    isFolder: true,
    showsNext: false,
  };
  const exit: ExitCode = await integratePlan({ ...part, options, output }, about);
  return { exit, report };
}
