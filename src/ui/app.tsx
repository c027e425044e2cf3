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
import { RunLoading } from "./frame/banners.tsx";
import { Frame, RunsFrame } from "./frame/frame.tsx";
import { GraphView } from "./graph/graph-view.tsx";
import { Blank, Loading, Problem } from "./parts/blank.tsx";
import type { RunRoute } from "./route.ts";
import { createRunStore } from "./run/run-store.ts";
import { browserClock } from "./run/store-clock.ts";
import type { Source } from "./source/source.ts";

/** The web UI: its server, which run, and which view of it. */
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
          <MoreLoading more={more} what="runs" />
        )}
      </RunsFrame>
    );
  return <RunPage key={route.run} run={route.run} route={route} />;
}

function RunPage({ run, route }: { readonly run: RunId; readonly route: RunRoute }) {
  const { source } = usePage();
  const store = useMemo(() => createRunStore(browserClock), [run]);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    source.follow(run, store.known(), { event: store.receive, connection: store.connected }, abort.signal);
    return () => abort.abort();
  }, [source, run, store, retries]);
  useEffect(() => store.close, [store]);
  return (
    <RunContext.Provider value={store}>
      <RetryContext.Provider value={() => setRetries(retries + 1)}>
        <RunViews route={route} />
      </RetryContext.Provider>
    </RunContext.Provider>
  );
}

function RunViews({ route }: { readonly route: RunRoute }) {
  const moment = useMomentOrNull();
  if (moment === null) return <RunLoading run={route.run} />;
  return (
    <Frame route={route}>
      {route.view === "graph" && <GraphView selected={route.selected} />}
      {route.view !== "graph" && <MoreView route={route} />}
    </Frame>
  );
}

function MoreView({ route }: { readonly route: RunRoute }) {
  const more = useMore();
  if (more.kind !== "loaded") return <MoreLoading more={more} what={route.view} />;
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

type MoreLoadingProps = { readonly more: Exclude<More, { kind: "loaded" }>; readonly what: string };

/** Further views are in a second script, which may not load: plait was stopped or updated meanwhile. */
function MoreLoading({ more, what }: MoreLoadingProps) {
  if (more.kind === "loading") return <Loading what={what} />;
  return (
    <div role="alert">
      <Blank title="This view could not be loaded">
        <p>Check that plait is still running. If you restarted plait, open the link that it printed.</p>
        <button type="button" class="button primary" onClick={more.again}>
          Try again
        </button>
      </Blank>
    </div>
  );
}

type Views = typeof import("./more.ts");

/** The further views, or why they are not there and what to do about it. */
type More =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly views: Views }
  | { readonly kind: "failed"; readonly again: () => void };

let loaded: Views | null = null;
let loading: Promise<Views> | null = null;

/** All who ask wait for the same load. */
function load(): Promise<Views> {
  loading ??= import("./more.ts").then((views) => {
    loaded = views;
    return views;
  });
  return loading;
}

/** Browsers remember that a script did not come: only the page anew gets it, once somebody is there to give it. */
async function loadAnew(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (answer?.ok === true) location.reload();
}

/** They are asked for as soon as the first view is drawn. */
function useMore(): More {
  const [views, setViews] = useState(loaded);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    // Also where they came between this drawing and now: nobody else draws this one again.
    load().then(setViews, () => setFailed(true));
  }, []);
  if (views !== null) return { kind: "loaded", views };
  return isFailed ? { kind: "failed", again: () => void loadAnew() } : { kind: "loading" };
}
