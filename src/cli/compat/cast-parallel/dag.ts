import { resolve } from "node:path";
import type { Plan } from "../../../app/index.ts";
import { otherCommand } from "../../../core/text/command.ts";
import { begin } from "../../begin.ts";
import { driveHere } from "../../drive.ts";
import { printFindings, type ReadPlan, readPlan } from "../../plan-file.ts";
import type { Request } from "../../request.ts";
import { recordRun } from "./events.ts";
import { hasRepository } from "./run.ts";
import { castCodes, NOT_STARTED, type Talk } from "./talk.ts";
import type { Asked } from "./words.ts";

/** Every agent of the plan as a task of its own, in the order that the plan asks for: `plait run`, with the exit codes of here. */
export async function runDag(
  request: Request,
  asked: Extract<Asked, { kind: "run" }>,
  talk: Talk,
): Promise<number> {
  const { allowRoot, allowNested, withoutSubAgents } = asked;
  const own = { ...request, options: { format: "adm", allowRoot, allowNested, withoutSubAgents } };
  if (asked.dryRun) {
    const { plan } = await import("../../commands/plan.ts");
    return (await plan(own)) === 0 ? castCodes.ok : notStarted(talk);
  }
  const loaded = await readPlan(own, { runCommands: true });
  printFindings(loaded, own);
  if (loaded.plan === null) return notStarted(talk);
  return driveDag(own, loaded, loaded.plan, talk);
}

function notStarted(talk: Talk): number {
  talk.error(NOT_STARTED);
  return castCodes.failed;
}

async function driveDag(request: Request, loaded: ReadPlan, plan: Plan, talk: Talk): Promise<number> {
  const command = otherCommand("plait", "cast-parallel", ["--dag", request.args[0] ?? ""]);
  if (!(await hasRepository(request, command, talk))) return castCodes.noRepository;
  const interrupted = { code: castCodes.failed, settled: talk.settled };
  const run = await begin(request, loaded, { plan, command, interrupted, takesPlanFlags: false });
  const batches = new Map(plan.tasks.map(({ id }) => [id as string, batchOf(id)]));
  const path = resolve(request.startedIn ?? "/", plan.source.path);
  const recorded = { planId: plan.name, path, split: null, batches };
  const recorder = await recordRun(run, recorded, request.env);
  const code = await driveHere(run, request);
  const leftOut = await recorder.end(run.view.state());
  if (leftOut !== null) talk.warn(leftOut);
  return code === 0 ? castCodes.ok : castCodes.failed;
}

/** Tasks of such a plan are named b<batch>-<n>-<agent>. */
function batchOf(id: string): string {
  return /^b([^-]+)-/.exec(id)?.[1] ?? "";
}
