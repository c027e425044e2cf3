import { findRun, resumeRun, retryFailed, type WantedRun } from "../../app/index.ts";
import { detach } from "../detach.ts";
import { driveHere } from "../drive.ts";
import { drivingHost, granted } from "../host.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

const UNDONE: WantedRun = {
  fits: ({ state }) => state.ended?.outcome !== "complete",
  none: { message: "every run of this repository is complete", hint: "start another: plait run plan.yaml" },
};

/** `plait resume [run]`: goes on with a run that was stopped or cut off, or that ended with something undone. */
export const resume: RunCommand = async (request) => {
  const [name = null] = request.args;
  const host = await drivingHost(request, "plait resume");
  const found = granted(await findRun(host, name, UNDONE));
  const { run, state } = found.known;
  if (state.ended?.outcome === "complete") {
    throw new RequestError(
      `${run} is complete: there is nothing to resume`,
      `look at it: plait status ${run}`,
    );
  }
  const resumed = granted(await resumeRun(host, found, retryFailed));
  return request.options.detach === true ? detach(resumed.run, request) : driveHere(resumed.run, request);
};
