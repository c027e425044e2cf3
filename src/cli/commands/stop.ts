import { askDriver, findRun, followRun, type WantedRun } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";

const DRIVEN: WantedRun = {
  fits: ({ driver }) => driver !== null,
  none: {
    message: "no run of this repository is driven: there is nothing to stop",
    hint: "list them: plait runs",
  },
};

/** `plait stop [run]`: lets attempts end and starts nothing more; `--now` ends them, and waits until they are saved. */
export const stop: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { now = false } = request.options;
  const found = granted(await findRun(hostOf(request, "plait stop"), name, DRIVEN));
  const { known } = found;
  const { run } = known;
  const mode = now ? "stop" : "drain";
  const { asked } = granted(await askDriver(known, { kind: "stop", mode }));
  if (asked.kind === "nobody") {
    throw new RequestError(
      `nobody drives ${run}: there is nothing to stop`,
      `go on with it: plait resume ${run}`,
    );
  }
  if (!asked.decision.ok) throw new RequestError(asked.decision.refusal, `look at it: plait status ${run}`);
  if (!now) {
    request.output.result([
      [`${run} starts nothing more and ends when its attempts do; see it: plait watch ${run}`],
    ]);
    return exitCodes.ok;
  }
  const followed = await followRun(known);
  await followed.ended;
  followed.close();
  if (followed.view.state().ended === null) {
    // The driver is gone before it could say so: whoever resumes finds what it left.
    throw new EnvironmentError(
      `the driver of ${run} ended before the run did`,
      `save it: plait resume ${run}`,
    );
  }
  request.output.result([[`${run} is stopped and saved; go on with it: plait resume ${run}`]]);
  return exitCodes.ok;
};
