import { resolve } from "node:path";
import { type Plan, repositoryRefusal } from "../../../app/index.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { begin } from "../../begin.ts";
import { driveHere } from "../../drive.ts";
import { createHost } from "../../host.ts";
import type { ReadPlan } from "../../plan-file.ts";
import type { Request } from "../../request.ts";
import { castCodes } from "./codes.ts";
import { recordRun } from "./events.ts";
import type { Talk } from "./talk.ts";

type Loaded = { readonly loaded: ReadPlan; readonly plan: Plan; readonly talk: Talk };

export async function driveDag(request: Request, { loaded, plan, talk }: Loaded): Promise<number> {
  const command = `plait cast-parallel --dag ${request.args[0]}`;
  const nowhere = await repositoryRefusal(createHost(request, command));
  if (nowhere !== null) {
    talk.error(nowhere.message);
    talk.error(`  ${plainText(nowhere.hint)}`);
    return castCodes.noRepository;
  }
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
