import { askForTasks } from "../ask.ts";
import type { RunCommand } from "../request.ts";

/** `plait retry <task…>`: a fresh set of chances for tasks that failed. */
export const retry: RunCommand = (request) => askForTasks(request, "retry");
