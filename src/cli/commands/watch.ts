import {
  askDriver,
  type Followed,
  failureTails,
  findRun,
  followRun,
  type KnownRun,
  type RunAction,
  runTexts,
} from "../../app/index.ts";
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
  if (driver === null && state.ended === null) {
    throw new RequestError(
      `nobody drives ${run}: there is nothing to watch`,
      `go on with it: plait resume ${run}`,
    );
  }
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
  const { run, driver } = known;
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
  if (!isLeft) {
    const what = `the driver of ${run} (process ${driver?.pid}) does not answer`;
    throw new EnvironmentError(what, `look at it: plait status ${run}`);
  }
  const { sayWidth: width, glyphs, say } = request.output;
  say([[`${run} goes on`], ...goOnLines(run, { width, glyphs })]);
  return exitCodes.ok;
}

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
