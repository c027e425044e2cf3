import { askDriver, findRun, followRun, refuseByRun, type WantedRun } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import type { RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";

const RUNNING: WantedRun = {
  fits: ({ driver }) => driver !== null,
  none: { message: "no run is active in this repository", hint: "list runs: plait runs" },
};

/** `plait stop [run]`: starts no new attempts; `--now` interrupts running ones and waits until they are saved. */
export const stop: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { now = false } = request.options;
  const found = granted(await findRun(createHost(request, "plait stop"), name, RUNNING));
  const { known } = found;
  const { run } = known;
  const mode = now ? "stop" : "drain";
  const { asked } = granted(await askDriver(known, { kind: "stop", mode }));
  if (asked.kind === "nobody") {
    throw new RequestError(`${run} is not running`, `resume it: plait resume ${run}`);
  }
  if (!asked.decision.ok) granted(refuseByRun(run, asked.decision.refusal));
  if (!now) {
    request.output.result([
      [`Stopping ${run} once its running attempts finish; follow it: plait watch ${run}`],
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
      `save its work and continue: plait resume ${run}`,
    );
  }
  request.output.result([[`Stopped ${run}; all work is saved. Resume it: plait resume ${run}`]]);
  return exitCodes.ok;
};
