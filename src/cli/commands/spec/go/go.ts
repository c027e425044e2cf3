import { readSource } from "../../../../app/spec/go/read-source.ts";
import { specRoot } from "../../../../app/spec/place.ts";
import { createHost, granted, requireConfig } from "../../../host.ts";
import { resolveCaps } from "../../../plan-file.ts";
import type { Request, RunCommand } from "../../../request.ts";
import { RequestError, UsageError } from "../../../request-error.ts";
import { refusedEnd } from "../decompose-end.ts";
import { type GoEnd, NOTHING_DONE, printGoEnd } from "./end.ts";
import { formatFlags, type Going, isStop } from "./going.ts";
import { settleIntegration } from "./integrate.ts";
import { settlePlan } from "./plan.ts";
import { settleRun } from "./run.ts";
import { settleTechSpec } from "./tech-spec.ts";

/**
 * `plait spec go <source>`: from requirements or a sentence to landed, integrated code. No state is stored: each step
 * checks what is already done, so the same command continues where it stopped.
 */
export const go: RunCommand = async (request) => {
  try {
    return printGoEnd(await goThrough(request), request);
  } catch (error) {
    const end = request.options.json === true ? refusedEnd(error) : null;
    if (end === null) throw error;
    const { exit, problem } = end;
    return printGoEnd({ ...NOTHING_DONE, stop: { exit, problem, next: [] } }, request);
  }
};

async function goThrough(request: Request): Promise<GoEnd> {
  const [problem] = request.env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  if (request.args.join("").trim() === "")
    throw new UsageError("missing source", 'pass a file, an id or a description: plait spec go "…"');
  const going = await beginGoing(request);
  const found = granted(await readSource(request.args, going.question));
  const known = await settleTechSpec(going, found);
  if (isStop(known)) return { ...NOTHING_DONE, known: found.known, stop: known };
  const plan = await settlePlan(going, known);
  if (isStop(plan)) return { ...NOTHING_DONE, known, stop: plan };
  const far = { ...NOTHING_DONE, known, folder: plan.shownFolder };
  // A reference is already built; only integration is checked.
  const run = known.spec.status === "reference" ? null : await settleRun(going, known, plan);
  if (run !== null && isStop(run)) return { ...far, stop: run };
  const { integrated, stop } = await settleIntegration(going, known, { plan, run: run?.known ?? null });
  return { ...far, ...integrated, run: run?.known ?? null, stop };
}

async function beginGoing(request: Request): Promise<Going> {
  const command = "plait spec go";
  const config = await requireConfig(request, command);
  const host = { ...createHost(request, command), agents: config.agents };
  const { root } = granted(await specRoot(host));
  const question = { root, cwd: host.cwd, caps: resolveCaps(request) };
  return { host, request, config, question, flags: formatFlags(request) };
}
