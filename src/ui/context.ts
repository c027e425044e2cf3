import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { RunId, TaskId } from "../core/ids.ts";
import type { RunAction } from "../core/run-action.ts";
import type { ShownState } from "../core/select/task-rows.ts";
import type { Session } from "../report/page/wire.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import type { Moment, RunStore } from "./run/run-store.ts";
import type { Source } from "./source/source.ts";

/** What every component may ask for. */
export type Page = { readonly source: Source; readonly session: Session };

export const PageContext = createContext<Page | null>(null);
export const RunContext = createContext<RunStore | null>(null);
/** Asks the person once, tells the effect, and then does it. */
export const AskContext = createContext<(action: RunAction) => void>(() => undefined);
/** Asks for the run again now, where nothing is heard of it. */
export const RetryContext = createContext<() => void>(() => undefined);
/** Says something in passing, at the edge of the page. */
export const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

export type Toast = {
  readonly shown: ShownState;
  readonly text: string;
  /** Where to go from there. */
  readonly link?: { readonly label: string; readonly route: Route };
  /** Until somebody has seen it. */
  readonly stays?: boolean;
  /** The task or the run that it tells of: what happens to that next makes it old news. */
  readonly about?: TaskId | RunId;
  /** The answer to what a person asked: the next one takes its place. */
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

/** The run as it is shown now; null until its past is told. Draws again when it changes. */
export function useMomentOrNull(): Moment | null {
  const store = useRunStore();
  const [moment, setMoment] = useState(store.moment);
  useEffect(() => {
    setMoment(store.moment());
    return store.subscribe(() => setMoment(store.moment()));
  }, [store]);
  return moment;
}

/** For what is drawn only when there is one. */
export function useMoment(): Moment {
  return present(useMomentOrNull(), "a moment");
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const hear = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", hear);
    return () => removeEventListener("hashchange", hear);
  }, []);
  return route;
}

/** `instead` leaves no trace for the back key: for what is only looked at in passing. */
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
  if (value === null) throw new Error(`drawn without ${what}`);
  return value;
}
