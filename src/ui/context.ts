import { createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import type { RunAction } from "../core/decide.ts";
import type { RunId, TaskId } from "../core/ids.ts";
import { offers } from "../core/select/offers.ts";
import type { StatusKind } from "../core/select/task-status.ts";
import type { Sentence } from "../core/text/sentence.ts";
import type { Session } from "../report/page/wire.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import type { Moment, RunStore } from "./run/run-store.ts";
import type { Source } from "./source/source.ts";

/** What every component may use. */
type Page = { readonly source: Source; readonly session: Session };

export const PageContext = createContext<Page | null>(null);
export const RunContext = createContext<RunStore | null>(null);
/** Shows the effect of an action, asks the person once, and then does it. */
export const AskContext = createContext<(action: RunAction) => void>(() => undefined);
/** Connects to the run again now, where the connection is lost. */
export const RetryContext = createContext<() => void>(() => undefined);
/** Shows a message for a short time. */
export const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

export type Toast = {
  readonly shown: StatusKind;
  readonly text: Sentence;
  /** Where to go from there. */
  readonly link?: { readonly label: string; readonly route: Route };
  /** Until it is closed. */
  readonly stays?: boolean;
  /** The task or run that it is about: its next notice removes this one. */
  readonly about?: TaskId | RunId;
  /** The answer to an action: the next one replaces it. */
  readonly isAnswer?: boolean;
};

export function usePage(): Page {
  return present(useContext(PageContext), "a page");
}

export function useRunStore(): RunStore {
  return present(useContext(RunContext), "a run");
}

export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);
export const useAsk = (): ((action: RunAction) => void) => useContext(AskContext);

/** The run as it is shown now; null until its events are loaded. Renders again when it changes. */
export function useMomentOrNull(): Moment | null {
  const store = useRunStore();
  const [moment, setMoment] = useState(store.moment);
  useEffect(() => {
    setMoment(store.moment());
    return store.subscribe(() => setMoment(store.moment()));
  }, [store]);
  return moment;
}

/** For components that are rendered only when there is one. */
export function useMoment(): Moment {
  return present(useMomentOrNull(), "a moment");
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}

/** `instead` adds no entry to the history, for a selection. */
export function navigate(route: Route, { instead = false } = {}): void {
  const fragment = formatRoute(route);
  if (fragment === location.hash) return;
  if (!instead) location.hash = fragment;
  else {
    history.replaceState(null, "", fragment);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

function present<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`rendered without ${what}`);
  return value;
}

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
