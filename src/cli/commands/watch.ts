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
} from "../../app/index.ts";
import type { RunId } from "../../core/ids.ts";
import { doneText } from "../../core/select/end-words.ts";
import { progress } from "../../core/select/progress.ts";
import { exitCodeOf } from "../drive.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { present } from "../present.ts";
import { goOnLines } from "../render/status.ts";
import type { Request, RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";
import { filesToShow } from "../run-files.ts";

/**
 * `plait watch [run]`: sees a run as those see it who started it, and ends as its end deserves. To leave it leaves the run
 * going, and is no failure.
 */
export const watch: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { known } = granted(await findRun(hostOf(request, "plait watch"), name));
  const { run, driver, state } = known;
  if (driver === null && state.ended === null)
    throw new RequestError(`nobody drives ${run}: ${goneText(known)}`, goOn(run));
  const leaving = awaitLeaving();
  const followed = await followRun(known);
  try {
    return await show(request, { known, followed, leaving });
  } finally {
    followed.close();
    leaving.end();
  }
};

type Watched = { readonly known: KnownRun; readonly followed: Followed; readonly leaving: Leaving };

async function show(request: Request, { known, followed, leaving }: Watched): Promise<ExitCode> {
  const { run } = known;
  const host = hostOf(request, "plait watch");
  const presenter = await present(followed.view, request, {
    ...{ past: followed.past, interrupt: "leaves" },
    controls: { act: actOf(known), leave: leaving.leave, texts: runTexts(host, followed.view) },
  });
  const isLeft = await Promise.race([leaving.left.then(() => true), followed.ended.then(() => false)]);
  const last = followed.view.state();
  if (!isLeft && last.ended !== null) {
    const { folder } = followed.view;
    // The report is written behind the last fact; commands that hear of the end may keep the driver longer.
    await Promise.race([followed.left, pause(LONGEST_WAIT_MS)]);
    await presenter.end(await failureTails(folder, last), await filesToShow(folder, last));
    return exitCodeOf(last.ended.outcome);
  }
  await presenter.abandon();
  if (!isLeft) throw await leftAlone(host, run);
  const { sayWidth: width, glyphs, say } = request.output;
  say([[`${run} goes on`], ...goOnLines(run, { width, glyphs })]);
  return exitCodes.ok;
}

/** Whoever drove it is gone, or is there and says nothing any more: what is the case, and what to do about it. */
async function leftAlone(host: Host, run: RunId): Promise<EnvironmentError> {
  const { known } = granted(await findRun(host, run));
  const { driver } = known;
  if (driver === null)
    return new EnvironmentError(`nobody drives ${run} any more: ${goneText(known)}`, goOn(run));
  return new EnvironmentError(
    `the driver of ${run} (process ${driver.pid} on ${driver.host}) is there, but does not answer`,
    `look: plait status ${run}; if it stands still: kill ${driver.pid}, then: plait resume ${run}`,
  );
}

/** Nothing is lost: what was merged is, and what was under way is saved by who goes on. */
function goneText({ facts, state }: KnownRun): string {
  const last = facts.findLast((fact) => fact.type === "run.started" || fact.type === "run.resumed");
  const who = last === undefined ? "" : ` (process ${last.driver.pid} on ${last.driver.host})`;
  return `its driver${who} is gone. ${doneText(progress(state, { isDriven: false }))}, and nothing is lost`;
}

const goOn = (run: RunId): string => `go on: plait resume ${run}, or look: plait status ${run}`;

/** What is asked here is asked of the process that drives the run. */
function actOf(known: KnownRun): (action: RunAction) => Promise<string | null> {
  return async (action) => {
    if (action.kind === "resume") return "The run is driven already.";
    const answer = await askDriver(known, action);
    if (!answer.ok) return answer.refusal.message;
    if (answer.asked.kind === "nobody") return "Nobody drives the run any more.";
    return answer.asked.decision.ok ? null : answer.asked.decision.refusal;
  };
}

const LONGEST_WAIT_MS = 2_000;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

const LEAVING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Leaving = { readonly left: Promise<void>; readonly leave: () => void; readonly end: () => void };

/** From before anything is shown: whoever sees something may want to leave at once. */
function awaitLeaving(): Leaving {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  for (const signal of LEAVING) process.on(signal, leave);
  return {
    left,
    leave,
    end: () => {
      for (const signal of LEAVING) process.off(signal, leave);
    },
  };
}
