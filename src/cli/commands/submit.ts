import { askForTasks } from "../ask.ts";
import type { RunCommand } from "../request.ts";

/** `plait submit <task…>`: saves, checks and merges a person's work in an opened worktree. */
export const submit: RunCommand = (request) => askForTasks(request, "accept");
