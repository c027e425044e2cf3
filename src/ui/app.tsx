import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunId } from "../core/ids.ts";
import type { Session } from "../report/page/wire.ts";
import {
  navigate,
  PageContext,
  RetryContext,
  RunContext,
  useMomentOrNull,
  usePage,
  useRoute,
} from "./context.ts";
import { Frame } from "./frame/frame.tsx";
import { NothingYet } from "./frame/hearing.tsx";
import { RunsFrame } from "./frame/runs-frame.tsx";
import { GraphView } from "./graph/graph-view.tsx";
import { Blank, Loading, Problem } from "./parts/blank.tsx";
import type { Route } from "./route.ts";
import { browserClock } from "./run/browser-clock.ts";
import { createRunStore } from "./run/run-store.ts";
import type { Source } from "./source/source.ts";
import { type More, useMore } from "./use-more.ts";

/** The page: who it talks to, which run, and which view of it. */
export function App({ source }: { readonly source: Source }) {
  const [session, setSession] = useState<Session | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  useEffect(() => {
    source.session().then(setSession, setProblem);
  }, [source]);
  if (problem !== null) return <Problem error={problem} />;
  if (session === null) return <Loading what="plait" />;
  return (
    <PageContext.Provider value={{ source, session }}>
      <Routed />
    </PageContext.Provider>
  );
}

function Routed() {
  const route = useRoute();
  const { session } = usePage();
  const more = useMore();
  useEffect(() => {
    if (session.run !== null && location.hash === "")
      navigate({ view: "graph", run: session.run, selected: null }, { instead: true });
  }, [session]);
  if (route.view === "runs")
    return (
      <RunsFrame route={route}>
        {more.kind === "loaded" ? (
          <more.views.RunsView compare={route.compare} />
        ) : (
          <NotYet more={more} what="runs" />
        )}
      </RunsFrame>
    );
  return <RunPage key={route.run} run={route.run} route={route} />;
}

function RunPage({ run, route }: { readonly run: RunId; readonly route: Exclude<Route, { view: "runs" }> }) {
  const { source } = usePage();
  const store = useMemo(() => createRunStore(browserClock), [run]);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    source.follow(run, store.known(), { event: store.hear, connection: store.connected }, abort.signal);
    return () => abort.abort();
  }, [source, run, store, tries]);
  useEffect(() => store.close, [store]);
  return (
    <RunContext.Provider value={store}>
      <RetryContext.Provider value={() => setTries(tries + 1)}>
        <RunViews route={route} />
      </RetryContext.Provider>
    </RunContext.Provider>
  );
}

function RunViews({ route }: { readonly route: Exclude<Route, { view: "runs" }> }) {
  const moment = useMomentOrNull();
  if (moment === null) return <NothingYet run={route.run} />;
  return (
    <Frame route={route}>
      {route.view === "graph" && <GraphView selected={route.selected} />}
      {route.view !== "graph" && <MoreView route={route} />}
    </Frame>
  );
}

function MoreView({ route }: { readonly route: Exclude<Route, { view: "runs" }> }) {
  const more = useMore();
  if (more.kind !== "loaded") return <NotYet more={more} what={route.view} />;
  const { views } = more;
  switch (route.view) {
    case "timeline":
      return <views.TimelineView selected={route.selected} />;
    case "queue":
      return <views.QueueView selected={route.selected} />;
    case "task":
      return <views.TaskView task={route.task} tab={route.tab} attempt={route.attempt} />;
    default:
      return <views.CostsView selected={route.selected} />;
  }
}

/** The further views come in a script of their own, which may not arrive: plait was stopped or renewed meanwhile. */
function NotYet({ more, what }: { readonly more: Exclude<More, { kind: "loaded" }>; readonly what: string }) {
  if (more.kind === "loading") return <Loading what={what} />;
  return (
    <div role="alert">
      <Blank title="This view could not be loaded">
        <p>Does plait still run? If it was started anew, open the link that it printed.</p>
        <button type="button" class="button primary" onClick={more.again}>
          Try again
        </button>
      </Blank>
    </div>
  );
}
