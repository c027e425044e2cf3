import type { RunState } from "../run-state.ts";
import { handIns, type NextCommand, nextCommands } from "./next-commands.ts";

/** What makes sense now: a run that is driven can be watched, one that is not can be resumed. */
export function statusCommands(state: RunState, { isDriven }: { readonly isDriven: boolean }): NextCommand[] {
  const { run } = state;
  if (isDriven) {
    const watch = { command: `plait watch ${run}`, says: "see it live" };
    return [...handIns(state), watch, ...stopCommand(state)];
  }
  const commands = nextCommands(state);
  const resume = `plait resume ${run}`;
  if (state.ended !== null || commands.some(({ command }) => command === resume)) return commands;
  return [{ command: resume, says: "go on where it was cut off" }, ...commands];
}

/** A run that drains can only be stopped harder; one that stops is as good as stopped. */
function stopCommand({ run, stopping }: RunState): NextCommand[] {
  if (stopping === null) return [{ command: `plait stop ${run}`, says: "start nothing more" }];
  return stopping === "drain"
    ? [{ command: `plait stop --now ${run}`, says: "end and save what is under way" }]
    : [];
}
