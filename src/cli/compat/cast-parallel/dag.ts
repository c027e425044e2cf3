import { printFindings, readPlan } from "../../plan-file.ts";
import type { Request } from "../../request.ts";
import { castCodes } from "./codes.ts";
import { NOT_STARTED, type Talk } from "./talk.ts";
import type { Asked } from "./words.ts";

type DagInput = { readonly asked: Extract<Asked, { kind: "run" }>; readonly talk: Talk };

/** Every agent of the plan as a task of its own, in the order that the plan asks for: `plait run`, with the exit codes of here. */
export async function runDag(request: Request, { asked, talk }: DagInput): Promise<number> {
  const { allowRoot, allowNested, withoutSubAgents } = asked;
  const own = { ...request, options: { format: "adm", allowRoot, allowNested, withoutSubAgents } };
  if (asked.dryRun) {
    const { plan } = await import("../../commands/plan.ts");
    return (await plan(own)) === 0 ? castCodes.ok : notStarted(talk);
  }
  const loaded = await readPlan(own, { runCommands: true });
  printFindings(loaded, own);
  if (loaded.plan === null) return notStarted(talk);
  const { driveDag } = await import("./drive-dag.ts");
  return driveDag(own, { loaded, plan: loaded.plan, talk });
}

function notStarted(talk: Talk): number {
  talk.error(NOT_STARTED);
  return castCodes.failed;
}
