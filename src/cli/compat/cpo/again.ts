import {
  type FoundRun,
  type GoingOn,
  type KnownRun,
  type LocalRun,
  openCpoFiles,
  planToGoOn,
  resumeRun,
  retryAllFailed,
  reviseRun,
  runsOfFolder,
  unfinishedOf,
} from "../../../app/index.ts";
import type { Plan } from "../../../core/plan.ts";
import { formatCommand, otherCommand } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { outline } from "../../../report/cpo/outline.ts";
import { changes, executionLine, nodeLine, waveLine } from "../../../report/cpo/progress.ts";
import { buildPolicy } from "../../config.ts";
import { exitCodes } from "../../exit-codes.ts";
import { createHost, drivingHost, granted } from "../../host.ts";
import type { ReadPlan } from "../../plan-file.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError, RequestError } from "../../request-error.ts";
import { subAgentChoice } from "../../sub-agents.ts";
import { drive, endLines } from "./drive.ts";
import type { CpoFolder } from "./folder.ts";
import { dryRunLines, refuseDriven, skipping, warnOfSkipped } from "./part.ts";
import type { RunOptions } from "./words.ts";

type Again = {
  readonly request: Request;
  readonly options: RunOptions;
  readonly loaded: ReadPlan & { readonly plan: Plan };
};

/** `cpo run <dir> --retry-failed`: goes on with the latest run that is not done, with the folder as it is now. */
export async function again(folder: CpoFolder, asked: Again): Promise<number> {
  const { request, options, loaded } = asked;
  const { output } = request;
  const host = createHost(request, otherCommand(folder.typed, "run", [folder.named, "--retry-failed"]));
  const { repository, runs } = granted(await runsOfFolder(host, folder.path));
  const [latest] = runs;
  if (latest === undefined)
    throw new EnvironmentError(
      `${folder.named} has no runs`,
      fix("start one", otherCommand(folder.typed, "run", folder.named)),
    );
  refuseDriven(runs, folder);
  const known = unfinishedOf(runs);
  if (known === null) return upToDate(latest, folder, asked);
  if (known !== latest) {
    const text = `${latest.run}, the latest run of ${folder.named}, is complete; continuing ${known.run}, which is not`;
    output.warn(text);
  }
  const going = planToGoOn(known, loaded.plan, skipping(options.skip));
  if (going === null) throw new RequestError("nothing is left to run");
  const { left } = going;
  if (options.dryRun) {
    const plan = { ...going.plan, slots: known.state.policy.slots };
    output.result(dryRunLines(plan, left).map((line) => [shown(line, output.glyphs)]));
    return exitCodes.ok;
  }
  warnOfSkipped(left, loaded.plan, options.skip, request);
  return drive(await goOn({ repository, known }, going, { ...asked, folder }), request, folder);
}

async function goOn(
  found: FoundRun,
  going: GoingOn,
  { request, options, loaded, folder }: Again & { readonly folder: CpoFolder },
): Promise<LocalRun> {
  const { output } = request;
  const { state } = found.known;
  const host = await drivingHost(
    request,
    otherCommand(folder.typed, "run", [folder.named, "--retry-failed"]),
  );
  if (!going.isNew) return granted(await resumeRun(host, found, retryAllFailed)).run;
  const { plan, redo, stays } = going;
  if (stays.length > 0) {
    const text = `already done, so later edits have no effect: ${stays.join(", ")}`;
    output.warn(text);
  }
  const { failFast, redBase, keepWorktrees, land, slots, withoutSubAgents } = state.policy;
  const policy = {
    ...buildPolicy({ ...plan, slots }, request),
    ...{ failFast, redBase, keepWorktrees, ...(withoutSubAgents && { withoutSubAgents }) },
    ...(options.plait.land === undefined && { land }),
  };
  const subAgents = subAgentChoice(request);
  const revising = { plan, texts: loaded.texts, policy, redo, subAgents, asked: retryAllFailed };
  const revised = granted(await reviseRun(host, found, revising));
  output.warn(...revised.warnings);
  return revised.run;
}

/** All is done, perhaps by plait's own commands: the files of the folder tell of it then. */
async function upToDate(known: KnownRun, folder: CpoFolder, { request, loaded }: Again): Promise<number> {
  const { output } = request;
  const { state, facts } = known;
  const host = createHost(request, otherCommand(folder.typed, "run", [folder.named, "--retry-failed"]));
  const { files } = granted(
    await openCpoFiles(host, { folder: known.folder.path }, { named: folder.named, folder: folder.path }),
  );
  const waves = outline(state, state.clock, { isRunning: false });
  const end = executionLine(waves, { isDone: true });
  files.catchUp(facts, state);
  if ((await files.lastLine()) !== end) {
    files.log(`[PROGRESS] execution status=started run=${known.run}`);
    for (const change of changes([], waves)) {
      const isNode = change.kind === "node";
      const commits =
        isNode && change.node.attempt !== null ? await files.commits(change.node.attempt, state) : null;
      const line = isNode ? nodeLine(change.node, commits) : waveLine(change.wave);
      if (line !== null) files.log(line);
    }
    files.log(end);
  }
  const { files: written, problems } = await files.finish(state);
  const said = [`${known.run}, the latest run of ${folder.named}, is complete; nothing to retry`];
  const fresh = loaded.plan.tasks.filter(({ id }) => !state.index.indexOf.has(id)).map(({ id }) => id);
  if (fresh.length > 0)
    said.push(
      `${fresh.join(", ")} not in that run; start a new one: ${formatCommand(otherCommand(folder.typed, "run", folder.named))}`,
    );
  const lines = [...said, ...endLines(state, waves, folder, written)];
  output.result(lines.map((line) => [shown(line, output.glyphs)]));
  output.warn(...problems);
  return exitCodes.ok;
}
