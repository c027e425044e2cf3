// The last steps: whether the parts fit, and what the tech spec is then.

import { findRepository } from "../../../../app/host.ts";
import type { KnownRun } from "../../../../app/index.ts";
import { isCommitted, isInHead, listPlanChanges } from "../../../../app/spec/go/plan-changes.ts";
import { canConfirm } from "../../../confirm.ts";
import { type ExitCode, exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import { integratePlan } from "../../integrate-plan.ts";
import { commitPlan } from "./commit.ts";
import { formatGo, type Going, type GoodSpec, type GoStop, isStop } from "./going.ts";
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
  const next = [formatGo(going, known)];
  if (exit === exitCodes.incomplete) {
    const where = isLanded ? "is landed" : "is not landed";
    const message = `${known.spec.id} ${where}, and its parts do not fit yet`;
    const hint = `fix it yourself and commit, or send it back: plait spec integrate --parallel-dir ${plan.shownFolder} --fix`;
    return { integrated, stop: { exit, problem: { message, hint }, next } };
  }
  if (exit !== exitCodes.ok) return { integrated, stop: { exit, problem: null, next } };
  if (!isLanded) {
    const message = `${run?.run} is not landed`;
    const problem = { message, hint: `land it, then continue: plait land ${run?.run}` };
    return { integrated, stop: { exit: exitCodes.incomplete, problem, next } };
  }
  const moved = await setStatus(going, known, "reference");
  if (isStop(moved)) return { integrated, stop: moved };
  const { repository } = granted(await findRepository(going.host));
  const changes = await listPlanChanges(repository, { folder: plan.folder, known: moved });
  const stop = await commitPlan(going, moved, { changes, title: "integrated" });
  return { integrated: { ...integrated, known: moved }, stop };
}

/** Nobody reviews it unless `plait spec integrate` is asked for that: an agent here is who builds. */
async function integrate({ host, request }: Going, { folder, shownFolder }: GoPlan, run: KnownRun | null) {
  let report: unknown = null;
  const part = inner(request, [], ["tech", "budgetUsd"]);
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
  const fix = (yes || (!json && canConfirm())) && (await isCommitted(repository, folder));
  const options = {
    ...rest,
    ...(run !== null && { run: run.run }),
    ...(json && { json }),
    ...(fix && { fix, yes, ...(yes && { rounds: 1 }) }),
  };
  const command = "plait spec integrate";
  const about = { host: { ...host, command }, named: shownFolder, isFolder: true, tellsNext: false };
  const exit: ExitCode = await integratePlan({ ...part, options, output }, about);
  return { exit, report };
}
