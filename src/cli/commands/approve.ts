import { askForTasks } from "../ask.ts";
import type { RunCommand } from "../request.ts";

/** `plait approve <task…>`: allows held work to be merged. */
export const approve: RunCommand = (request) => askForTasks(request, "approve");
