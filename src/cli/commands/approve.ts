import { askForTasks } from "../ask.ts";
import type { RunCommand } from "../request.ts";

/** `plait approve <task…>`: work that waits for a person's word goes on. */
export const approve: RunCommand = (request) => askForTasks(request, "approve");
