import { findRun, findTask } from "../../app/index.ts";
import { askOrDrive } from "../ask.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";

/** `plait retry <task…>`: a fresh set of chances for tasks that failed. */
export const retry: RunCommand = async (request) => {
  const found = granted(await findRun(hostOf(request, "plait retry"), request.options.run ?? null));
  const tasks = request.args.map((name) => granted(findTask(found.known, name)).task);
  const commands = tasks.map((task) => ({ kind: "retry", task }) as const);
  return askOrDrive(request, found, { commands, command: `plait retry ${tasks.join(" ")}` });
};
