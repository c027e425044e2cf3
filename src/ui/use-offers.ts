import { useMemo } from "preact/hooks";
import type { TaskId } from "../core/ids.ts";
import type { RunAction } from "../core/run-action.ts";
import { offers } from "../core/select/offers.ts";
import { useMoment, usePage } from "./context.ts";

/** What can be asked now of a task, or of the run; nothing of what is only looked at: the past, a file, what is not heard. */
export function useOffers(task: TaskId | null): readonly RunAction[] {
  const { session } = usePage();
  const { latest, replay, connection, isDriven } = useMoment();
  const isOpen = session.canAct && replay === null && connection.kind === "open";
  return useMemo(() => (isOpen ? offers(latest, task, { isDriven }) : []), [isOpen, latest, task, isDriven]);
}
