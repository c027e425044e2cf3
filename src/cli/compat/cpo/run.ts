import { landedTasks, partOfPlan, runsOfFolder } from "../../../app/index.ts";
import type { Plan } from "../../../core/plan.ts";
import { otherCommand } from "../../../core/text/command.ts";
import { kindOf, waveNumbers } from "../../../report/cpo/outline.ts";
import { begin } from "../../begin.ts";
import { exitCodes } from "../../exit-codes.ts";
import { createHost, granted } from "../../host.ts";
import { readPlan } from "../../plan-file.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError, RequestError } from "../../request-error.ts";
import type { Around } from "../command-lines.ts";
import { again } from "./again.ts";
import { drive } from "./drive.ts";
import { asked, type CpoFolder } from "./folder.ts";
import { dryRunLines, refuseDriven, skipping, warnOfSkipped } from "./part.ts";
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
  needKnown(options.skip, loaded.plan);
  if (options.retryFailed)
    return again(folder, { request, options, loaded: { ...loaded, plan: loaded.plan } });
  const { plan, only } = await wanted(loaded.plan, options, request, folder);
  if (options.dryRun) {
    const lines = dryRunLines(plan, only);
    around.output.result(lines.map((line) => [shown(line, around.output.glyphs)]));
    return exitCodes.ok;
  }
  await needIdle(request, folder);
  const part = only === null ? request : { ...request, options: { ...request.options, only } };
  const begun = await begin(
    part,
    { ...loaded, plan },
    { plan, command: otherCommand(folder.typed, "run", folder.named) },
  );
  return drive(begun, request, folder);
}

function needKnown(skip: readonly string[], { tasks }: Plan): void {
  const unknown = skip.find((id) => !tasks.some((task) => task.id === id));
  if (unknown !== undefined) throw new RequestError(`--skip: unknown task ${JSON.stringify(unknown)}`);
}

/** Two runs of one folder would do all of it twice. */
async function needIdle(request: Request, folder: CpoFolder): Promise<void> {
  const known = await runsOfFolder(
    createHost(request, otherCommand(folder.typed, "run", folder.named)),
    folder.path,
  );
  if (known.ok) refuseDriven(known.runs, folder); // where there is no repository, the start says so
}

type Wanted = { readonly plan: Plan; readonly only: readonly string[] | null };

/** The plan without what is skipped. With `--wave` also without the waves before it, and only that wave is to run. */
async function wanted(
  plan: Plan,
  { wave, skip }: RunOptions,
  request: Request,
  folder: CpoFolder,
): Promise<Wanted> {
  if (wave !== null) await needLanded(plan, wave, request, folder);
  const isLeftOut = skipping(skip);
  const numberOf = waveNumbers(plan);
  const part = partOfPlan(
    plan,
    (task) => !isLeftOut(task) && (wave === null || isFrom(numberOf(task), wave)),
  );
  if (part === null) throw new RequestError("nothing is left to run");
  const only =
    wave === null ? null : part.tasks.filter((task) => isOf(numberOf(task), wave)).map(({ id }) => id);
  if (only?.length === 0) throw new RequestError(`--wave ${wave}: --skip leaves nothing to run`);
  warnOfSkipped(only ?? part.tasks.map(({ id }) => id), plan, skip, request);
  return { plan: { ...part, slots: part.slots ?? USUAL_AT_ONCE }, only };
}

/** What is installed before all waves belongs to the first. */
const isFrom = (wave: number, first: number): boolean => wave >= first || (first === 1 && wave < 1);
const isOf = (wave: number, wanted: number): boolean => wave === wanted || (wanted === 1 && wave < 1);

/** A wave builds on those before it, so their work must be where it starts from. */
async function needLanded(plan: Plan, wave: number, request: Request, folder: CpoFolder): Promise<void> {
  const listed = plan.tasks.filter((task) => kindOf(task) === "task");
  const waves = [...new Set(listed.map((task) => task.wave ?? 0))].sort((a, b) => a - b);
  if (!waves.includes(wave))
    throw new RequestError(`--wave ${wave}: no such wave`, `it has ${waves.join(", ")}`);
  const before = listed.filter((task) => (task.wave ?? 0) < wave);
  if (before.length === 0) return;
  const host = createHost(request, otherCommand(folder.typed, "run", folder.named));
  const landed = await landedTasks(granted(await runsOfFolder(host, folder.path)));
  const missing = before.filter(({ id }) => !landed.has(id)).map(({ id }) => id);
  if (missing.length === 0) return;
  throw new EnvironmentError(
    `--wave ${wave}: ${missing.slice(0, 6).join(", ")} of earlier waves ${missing.length === 1 ? "has" : "have"} not landed on this branch`,
    `run them first: ${folder.typed} run ${folder.named} --wave ${waves[waves.indexOf(wave) - 1]}, or all together: ${folder.typed} run ${folder.named}`,
  );
}
