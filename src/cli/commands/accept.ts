import { askForTasks } from "../ask.ts";
import type { RunCommand } from "../request.ts";

/** `plait accept <task…>`: what a person did in an open worktree is saved, gated and merged like any other work. */
export const accept: RunCommand = (request) => askForTasks(request, "accept");
