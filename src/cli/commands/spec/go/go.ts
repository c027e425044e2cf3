import { readSource } from "../../../../app/spec/go/read-source.ts";
import { specRoot } from "../../../../app/spec/place.ts";
import { granted, hostOf, neededConfig } from "../../../host.ts";
import { capsFor } from "../../../plan-file.ts";
import type { Request, RunCommand } from "../../../request.ts";
import { RequestError, UsageError } from "../../../request-error.ts";
import { refusedEnd } from "../decompose-end.ts";
import { type GoEnd, NOTHING_DONE, tellGoEnd } from "./end.ts";
import { formatFlags, type Going, isStop } from "./going.ts";
import { settleIntegration } from "./integrate.ts";
import { settlePlan } from "./plan.ts";
import { settleRun } from "./run.ts";
import { settleTechSpec } from "./tech-spec.ts";

/**
 * `plait spec go <source>`: from requirements or a sentence to landed, integrated code. Nothing is remembered beside: each step looks how
 * far it has come, so the same command continues wherever it stopped.
 */
export const go: RunCommand = async (request) => {
  try {
    return tellGoEnd(await goThrough(request), request);
  } catch (error) {
    const end = request.options.json === true ? refusedEnd(error) : null;
    if (end === null) throw error;
    const { exit, problem } = end;
    return tellGoEnd({ ...NOTHING_DONE, stop: { exit, problem, next: [] } }, request);
  }
};

async function goThrough(request: Request): Promise<GoEnd> {
  const [problem] = request.env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  if (request.args.join("").trim() === "")
    throw new UsageError(
      "nothing is named to build",
      'name a file, an id, or describe it: plait spec go "…"',
    );
  const going = await beginGoing(request);
  const found = granted(await readSource(request.args, going.question));
  const known = await settleTechSpec(going, found);
  if (isStop(known)) return { ...NOTHING_DONE, known: found.known, stop: known };
  const plan = await settlePlan(going, known);
  if (isStop(plan)) return { ...NOTHING_DONE, known, stop: plan };
  const far = { ...NOTHING_DONE, known, folder: plan.shownFolder };
  // A reference is built: whether it still is can be looked at.
  const run = known.spec.status === "reference" ? null : await settleRun(going, known, plan);
  if (run !== null && isStop(run)) return { ...far, stop: run };
  const { integrated, stop } = await settleIntegration(going, known, { plan, run: run?.known ?? null });
  return { ...far, ...integrated, run: run?.known ?? null, stop };
}

async function beginGoing(request: Request): Promise<Going> {
  const command = "plait spec go";
  const config = await neededConfig(request, command);
  const host = { ...hostOf(request, command), agents: config.agents };
  const { root } = granted(await specRoot(host));
  const question = { root, cwd: host.cwd, caps: capsFor(request) };
  return { host, request, config, question, flags: formatFlags(request) };
}
