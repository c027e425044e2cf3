import { dropTasks } from "../../app/index.ts";
import { findNamedTasks, findOpen } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import { droppedLines } from "../render/open.ts";
import type { RunCommand } from "../request.ts";

/** `plait drop <task…>`: saves the work of tasks and drops them; their dependents are skipped. */
export const drop: RunCommand = async (request) => {
  const { output, options } = request;
  const host = await drivingHost(request, "plait drop");
  const found = await findOpen(request, host);
  const { dropped } = granted(await dropTasks(host, found, findNamedTasks(request, found)));
  const { run } = found.known;
  if (options.json === true) output.json({ v: 1, run, dropped });
  else output.result(droppedLines(dropped, run, output.look));
  return exitCodes.ok;
};
