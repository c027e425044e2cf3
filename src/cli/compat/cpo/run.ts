import {
  type FolderRuns,
  type LocalRun,
  landedTasks,
  partOfPlan,
  resumeRun,
  retryFailed,
  reviseRun,
  runsOfFolder,
} from "../../../app/index.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { commandText } from "../../../core/select/preview/commands.ts";
import { count } from "../../../core/select/preview/words.ts";
import { kindOf, waveNumbers } from "../../../report/cpo/outline.ts";
import { waveHead } from "../../../report/cpo/progress.ts";
import { begin } from "../../begin.ts";
import { exitCodes } from "../../exit-codes.ts";
import { drivingHost, granted, hostOf } from "../../host.ts";
import { type ReadPlan, readPlan } from "../../plan-file.ts";
import { policyFor } from "../../policy.ts";
import { shown } from "../../render/visible.ts";
import { warn } from "../../render/warning.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError, RequestError } from "../../request-error.ts";
import type { Around } from "../command-lines.ts";
import { drive } from "./drive.ts";
import { asked, type CpoFolder } from "./folder.ts";
import { findingLines } from "./validate.ts";
import type { RunOptions } from "./words.ts";

/** Where neither flag, variable nor manifest says. */
const USUAL_AT_ONCE = 3;

/** `cpo run <dir>`: validate, then a run of plait's that is told in the words of cpo. */
export async function run(folder: CpoFolder, options: RunOptions, around: Around): Promise<number> {
  const request = asked(around, folder, options.plait);
  const loaded = await readPlan(request, { runCommands: true });
  around.output.say(findingLines(loaded, request));
  if (loaded.plan === null) return exitCodes.incomplete;
  if (options.retryFailed)
    return drive(await again(request, folder, { ...loaded, plan: loaded.plan }), request, folder);
  const { plan, only } = await wanted(loaded.plan, { request, folder, options });
  if (options.dryRun) {
    const lines = dryRunLines(plan, only);
    around.output.result(lines.map((line) => [shown(line, around.output.glyphs)]));
    return exitCodes.ok;
  }
  const part = only === null ? request : { ...request, options: { ...request.options, only } };
  const begun = await begin(part, { ...loaded, plan }, { plan, command: `cpo run ${folder.named}` });
  return drive(begun, request, folder);
}

type Asked = { readonly request: Request; readonly folder: CpoFolder; readonly options: RunOptions };
type Wanted = { readonly plan: Plan; readonly only: readonly string[] | null };

/** The plan without what is skipped. With `--wave` also without the waves before it, and only that wave is to run. */
async function wanted(plan: Plan, { request, folder, options }: Asked): Promise<Wanted> {
  const { wave, skip } = options;
  const unknown = skip.find((id) => !plan.tasks.some((task) => task.id === id));
  if (unknown !== undefined) throw new RequestError(`--skip: there is no task ${JSON.stringify(unknown)}`);
  if (wave !== null) await needLanded(plan, wave, { request, folder, options });
  const skipped = new Set<string>(skip);
  const numberOf = waveNumbers(plan);
  const part = partOfPlan(
    plan,
    (task) => !isLeftOut(task, skipped) && (wave === null || isFrom(numberOf(task), wave)),
  );
  if (part === null) throw new RequestError("nothing is left to run");
  for (const { id } of part.tasks) {
    const missed = plan.tasks.find((task) => task.id === id)?.needs.filter((need) => skipped.has(need)) ?? [];
    const text = `${id} needs ${missed.join(", ")}, which is skipped: it starts without`;
    if (missed.length > 0) request.output.say(warn(text, request.output));
  }
  const only =
    wave === null ? null : part.tasks.filter((task) => isOf(numberOf(task), wave)).map(({ id }) => id);
  if (only?.length === 0) throw new RequestError(`--wave ${wave}: all of it is skipped`);
  return { plan: { ...part, slots: part.slots ?? USUAL_AT_ONCE }, only };
}

/** A validation goes with the tasks that it judges. */
function isLeftOut(task: Task, skipped: ReadonlySet<string>): boolean {
  return skipped.has(task.id) || (kindOf(task) === "validation" && task.needs.every((id) => skipped.has(id)));
}

/** What is installed before all waves belongs to the first. */
const isFrom = (wave: number, first: number): boolean => wave >= first || (first === 1 && wave < 1);
const isOf = (wave: number, wanted: number): boolean => wave === wanted || (wanted === 1 && wave < 1);

/** A wave builds on those before it, so their work must be where it starts from. */
async function needLanded(plan: Plan, wave: number, { request, folder }: Asked): Promise<void> {
  const listed = plan.tasks.filter((task) => kindOf(task) === "task");
  const waves = [...new Set(listed.map((task) => task.wave ?? 0))].sort((a, b) => a - b);
  if (!waves.includes(wave))
    throw new RequestError(`--wave ${wave}: there is no such wave`, `it has ${waves.join(", ")}`);
  const before = listed.filter((task) => (task.wave ?? 0) < wave);
  if (before.length === 0) return;
  const landed = await landedTasks(await folderRuns(request, folder));
  const missing = before.filter(({ id }) => !landed.has(id)).map(({ id }) => id);
  if (missing.length === 0) return;
  throw new EnvironmentError(
    `--wave ${wave}: ${missing.slice(0, 6).join(", ")} of the waves before ${missing.length === 1 ? "has" : "have"} not landed on what is checked out`,
    `run them first: cpo run ${folder.named} --wave ${waves[waves.indexOf(wave) - 1]}, or all together: cpo run ${folder.named}`,
  );
}

async function folderRuns(request: Request, folder: CpoFolder): Promise<FolderRuns> {
  return granted(await runsOfFolder(hostOf(request, `cpo run ${folder.named}`), folder.path));
}

type Whole = ReadPlan & { readonly plan: Plan };

/** Goes on with the latest run of the folder, where it is not done. What was edited since counts. */
async function again(request: Request, folder: CpoFolder, loaded: Whole): Promise<LocalRun> {
  const { output } = request;
  const { repository, runs } = await folderRuns(request, folder);
  const [known] = runs;
  const start = `start one: cpo run ${folder.named}`;
  if (known === undefined) throw new EnvironmentError(`there is no run of ${folder.named}`, start);
  const { run, state } = known;
  if (state.ended?.outcome === "complete")
    throw new EnvironmentError(`${run}, the latest run of ${folder.named}, is complete`, start);
  const host = await drivingHost(request, `cpo run ${folder.named} --retry-failed`);
  const found = { repository, known };
  const ids = new Set(state.index.plan.tasks.map(({ id }) => id));
  const plan = partOfPlan(loaded.plan, ({ id }) => ids.has(id));
  if (plan === null || plan.source.hash === state.index.plan.source.hash)
    return granted(await resumeRun(host, found, retryFailed)).run;
  const fresh = loaded.plan.tasks.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  if (fresh.length > 0) {
    const next = `plait resume ${run} --plan ${folder.named}`;
    output.say(warn(`${fresh.join(", ")} is not of the run ${run}; to have it there: ${next}`, output));
  }
  const { failFast, redBase } = state.policy;
  const policy = { ...policyFor({ ...plan, slots: state.policy.slots }, request), failFast, redBase };
  const revised = granted(await reviseRun(host, found, { plan, texts: loaded.texts, policy, redo: [] }));
  for (const warning of revised.warnings) output.say(warn(warning, output));
  return revised.run;
}

function dryRunLines({ tasks, slots }: Plan, only: readonly string[] | null): string[] {
  const numberOf = waveNumbers({ tasks });
  const chosen = tasks.filter(({ id }) => only === null || only.includes(id));
  const waves = [...new Set(chosen.map(numberOf))].sort((a, b) => a - b);
  const listed = chosen.filter((task) => kindOf(task) === "task").length;
  return [
    ...waves.flatMap((number) => [
      waveHead(number),
      ...chosen.filter((task) => numberOf(task) === number).map(dryRunLine),
    ]),
    `Would run ${count(listed, "task")}, up to ${slots} at once. Nothing was started.`,
  ];
}

function dryRunLine(task: Task): string {
  const { work } = task;
  if (work.kind === "command") return `  ${kindOf(task)}: ${commandText(work.run)}`;
  const from = work.prompt.file === null ? "" : `, ${work.prompt.file}`;
  return `  ${task.id}: ${work.agent.name ?? work.agent.use}${from}`;
}
