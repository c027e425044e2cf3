import {
  askDriver,
  type Followed,
  failureTails,
  findRun,
  followRun,
  type Host,
  type KnownRun,
  type RunAction,
  runTexts,
  SHOWN,
} from "../../app/index.ts";
import type { RunId } from "../../core/ids.ts";
import { findEndStatus } from "../../core/select/run-status.ts";
import { forRun, plait } from "../../core/text/command.ts";
import { formatRefusal } from "../../core/text/refusal.ts";
import { command, fix, sentence } from "../../core/text/sentence.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { present } from "../present.ts";
import { backgroundLines } from "../render/status.ts";
import type { Request, RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";
import { filesToShow } from "../run-files.ts";
import { awaitLeaving, type Leaving } from "../signals.ts";
import { pause } from "../streams.ts";

/**
 * `plait watch [run]`: shows a run as in the terminal that started it, and exits with its exit code. Quitting does not
 * stop the run and is not a failure.
 */
export const watch: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { known } = granted(await findRun(createHost(request, plait("watch")), name, SHOWN));
  const { run, driver, state } = known;
  if (driver === null && state.ended === null)
    throw new RequestError(
      `${run} was interrupted${formatLastProcess(known)}`,
      fix("resume it", forRun(state, plait("resume", run))),
    );
  // From before anything is shown: whoever sees something may want to leave at once.
  const leaving = awaitLeaving();
  const followed = await followRun(known);
  try {
    return await show(request, known, followed, leaving);
  } finally {
    followed.close();
    leaving.end();
  }
};

async function show(
  request: Request,
  known: KnownRun,
  followed: Followed,
  leaving: Leaving,
): Promise<ExitCode> {
  const { run } = known;
  const host = createHost(request, plait("watch"));
  const presenter = await present(followed.view, request, {
    ...{ past: followed.past, interrupt: "leaves" },
    controls: { act: createActor(known), leave: leaving.leave, texts: runTexts(host, followed.view) },
  });
  const isLeft = await Promise.race([leaving.left.then(() => true), followed.ended.then(() => false)]);
  const last = followed.view.state();
  if (!isLeft && last.ended !== null) {
    const { folder } = followed.view;
    // The report is written after the last fact; hooks may keep the process longer.
    await Promise.race([followed.left, pause(LONGEST_WAIT_MS)]);
    await presenter.end(await failureTails(folder, last), await filesToShow(folder, last));
    return findEndStatus(last).exit;
  }
  await presenter.abandon();
  if (!isLeft) throw await leftAlone(host, run);
  const { sayWidth: width, glyphs, say } = request.output;
  say([[`${run} continues`], ...backgroundLines(run, { width, glyphs })]);
  return exitCodes.ok;
}

/** The process of the run died, or no longer responds. */
async function leftAlone(host: Host, run: RunId): Promise<EnvironmentError> {
  const { known } = granted(await findRun(host, run));
  const { driver, state } = known;
  const resume = forRun(state, plait("resume", run));
  if (driver === null)
    return new EnvironmentError(
      `${run} was interrupted${formatLastProcess(known)}`,
      fix("resume it", resume),
    );
  return new EnvironmentError(
    `${run} is not responding (process ${driver.pid} on ${driver.host})`,
    sentence`see the run: ${command(plait("status", run))}; if it is stuck: kill ${driver.pid}, then ${command(resume)}`,
  );
}

function formatLastProcess({ facts }: KnownRun): string {
  const last = facts.findLast((fact) => fact.type === "run.started" || fact.type === "run.resumed");
  return last === undefined ? "" : ` (process ${last.driver.pid} on ${last.driver.host})`;
}

/** Keys act on the process that runs the run. */
function createActor(known: KnownRun): (action: RunAction) => Promise<string | null> {
  return async (action) => {
    if (action.kind === "resume") return "The run is already running.";
    const answer = await askDriver(known, action);
    if (!answer.ok) return answer.refusal.message;
    if (answer.asked.kind === "nobody") return "the run is no longer running";
    return answer.asked.decision.ok ? null : formatRefusal(answer.asked.decision.refusal);
  };
}

const LONGEST_WAIT_MS = 2_000;
