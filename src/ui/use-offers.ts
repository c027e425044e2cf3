import { useMemo } from "preact/hooks";
import type { RunAction } from "../core/decide.ts";
import type { TaskId } from "../core/ids.ts";
import { offers } from "../core/select/offers.ts";
import { useMoment, usePage } from "./context.ts";

/** Actions on a task or the run; none in a replay, in a file, or without a connection. */
export function useOffers(task: TaskId | null): readonly RunAction[] {
  const { session } = usePage();
  const { latest, replay, connection, isRunning } = useMoment();
  const isOpen = session.canAct && replay === null && connection.kind === "open";
  return useMemo(
    () => (isOpen ? offers(latest, task, { isRunning }) : []),
    [isOpen, latest, task, isRunning],
  );
}
