import {
  type FoundRun,
  findAttempt,
  findRun,
  type KnownRun,
  type LoggedFact,
  type LogItem,
  readLog,
  SHOWN,
} from "../../app/index.ts";
import type { AttemptId, TaskId } from "../../core/ids.ts";
import { attemptLines } from "../../core/select/task-attempts.ts";
import { taskRow } from "../../core/select/task-rows.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { findTaskToShow } from "../find-task-to-show.ts";
import { createHost, granted } from "../host.ts";
import type { Line } from "../render/line.ts";
import {
  attemptFactLines,
  entryLines,
  type LogLook,
  logHead,
  runFactLines,
  type WorkerOf,
} from "../render/log.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { resultStream } from "../streams.ts";

/** `plait logs [task]`: the output and events of an attempt; without a task, the events of the run. */
export const logs: RunCommand = async (request) => {
  const { options } = request;
  const [name] = request.args;
  if (name === undefined && (options.attempt !== undefined || options.raw === true)) {
    const flag = options.raw === true ? "--raw" : "--attempt";
    throw new RequestError(
      `${flag} needs a task`,
      fix(
        "specify a task",
        plait("logs", { placeholder: "task" }, options.raw === true ? { raw: true } : { attempt: 1 }),
      ),
    );
  }
  const found = granted(await findRun(createHost(request, plait("logs")), options.run ?? null, SHOWN));
  const { known } = found;
  const attempt = name === undefined ? null : await findLoggedAttempt(request, found, name);
  const look = lookOf(request);
  const { follow = false, attempt: n } = options;
  // A file gets it as it was printed; a terminal must not be told what to do by it.
  const raw = options.raw !== true ? null : look.width === null ? "printed" : "safe";
  const show = showLines(known, attempt, look, request);
  await readLog(known, { attempt, raw, follow, goOn: n === undefined, show });
  return exitCodes.ok;
};

async function findLoggedAttempt(request: Request, found: FoundRun, name: string): Promise<AttemptId> {
  const task = await findTaskToShow(request, found, { command: "logs", typed: name });
  return granted(findAttempt(found.known, task, request.options.attempt ?? null)).attempt;
}

/** In a file or a pipe a line is a line: it can be searched. */
function lookOf({ env, output }: Request): LogLook {
  const { isTerminal } = resultStream(env.columns);
  return { glyphs: output.glyphs, width: isTerminal ? output.look.width : null };
}

/** An attempt of a person begins when its worktree is opened. */
const findBegun = ({ fact }: LoggedFact): AttemptId | null =>
  fact.type === "attempt.started" || fact.type === "worktree.opened" ? fact.attempt : null;

/** The start of an attempt says which one of its task it is. */
function headOf({ state, driver }: KnownRun, { notices }: LoggedFact, id: AttemptId, look: LogLook): Line[] {
  const [begun] = notices.flatMap((one) => (one.kind === "start" ? [one] : []));
  const cut = id.lastIndexOf("/");
  const isRunning = driver !== null;
  const row = taskRow(state, id.slice(0, cut) as TaskId, state.clock, { isRunning });
  const attempt = begun?.number ?? { n: Number(id.slice(cut + 1)), count: null };
  if (row === null || attempt.n > row.attempts) return [];
  const line = attemptLines(state, row, { now: state.clock }).find((one) => one.id === id);
  const isShown = line === undefined || line.id === row.attempt;
  return [logHead(row, { ...attempt, status: isShown ? row.status.kind : line.shown }, look)];
}

function showLines(known: KnownRun, attempt: AttemptId | null, look: LogLook, { output }: Request) {
  const { run, state } = known;
  const { tasks } = state.index.plan;
  const lines = entryLines(look);
  const worker: WorkerOf = (of) =>
    tasks.find(({ id }) => of?.startsWith(`${id}/`))?.work.kind === "command" ? "command" : "agent";
  const name = tasks.reduce((most, { id }) => Math.max(most, id.length + " #1".length), run.length);
  let headed: AttemptId | null = null;
  return (item: LogItem): void => {
    if (item.kind === "entries") output.result(item.entries.flatMap(lines));
    if (item.kind === "raw") output.raw(item.text);
    if (item.kind !== "fact") return;
    if (attempt === null) output.result(runFactLines(item, { worker, run, name }, look));
    else {
      const begun = findBegun(item.logged);
      const head = begun === null || begun === headed ? [] : headOf(known, item.logged, begun, look);
      headed = begun ?? headed;
      output.result([...head, ...attemptFactLines(item, worker, look)]);
    }
  };
}
