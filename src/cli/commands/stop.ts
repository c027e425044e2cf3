import { askDriver, findRun, followRun } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait stop [run]`: lets attempts end and starts nothing more; `--now` ends them, and waits until they are saved. */
export const stop: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { now = false } = request.options;
  const found = granted(await findRun(hostOf(request, "plait stop"), name, ({ driver }) => driver !== null));
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
  request.output.result([[`${run} is stopped and saved; go on with it: plait resume ${run}`]]);
  return exitCodes.ok;
};
