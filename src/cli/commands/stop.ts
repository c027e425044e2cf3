import { askDriver, findRun, followRun, refuseByRun, type WantedRun } from "../../app/index.ts";
import { formatCommand, forRun, plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import type { RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";

const RUNNING: WantedRun = {
  fits: ({ driver }) => driver !== null,
  none: { message: "no run is active in this repository", hint: fix("list runs", plait("runs")) },
};

/** `plait stop [run]`: starts no new attempts; `--now` interrupts running ones and waits until they are saved. */
export const stop: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { now = false } = request.options;
  const found = granted(await findRun(createHost(request, plait("stop")), name, RUNNING));
  const { known } = found;
  const { run } = known;
  const resume = forRun(known.state, plait("resume", run));
  const mode = now ? "stop" : "drain";
  const { asked } = granted(await askDriver(known, { kind: "stop", mode }));
  if (asked.kind === "nobody") {
    throw new RequestError(`${run} is not running`, fix("resume it", resume));
  }
  if (!asked.decision.ok) granted(refuseByRun(run, asked.decision.refusal));
  if (!now) {
    request.output.result([
      [`Stopping ${run} once its running attempts finish; follow it: ${formatCommand(plait("watch", run))}`],
    ]);
    return exitCodes.ok;
  }
  const followed = await followRun(known);
  await followed.ended;
  followed.close();
  if (followed.view.state().ended === null) {
    // The process died before it could record the end; resume saves its work.
    throw new EnvironmentError(
      `${run} was interrupted while stopping`,
      fix("save its work and continue", resume),
    );
  }
  request.output.result([[`Stopped ${run}; all work is saved. Resume it: ${formatCommand(resume)}`]]);
  return exitCodes.ok;
};
