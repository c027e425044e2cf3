import type { ComponentChildren } from "preact";
import { accessWords } from "../../core/select/forecast.ts";
import { offered } from "../../core/select/offers.ts";
import { useAsk, useMoment, usePage } from "../context.ts";
import { Icon, type Sign } from "../parts/icon.tsx";
import { formatRoute, type Route } from "../route.ts";
import { useOffers } from "../use-offers.ts";
import { RunBadge } from "./run-badge.tsx";
import { Tabs } from "./tabs.tsx";

type RunRoute = Exclude<Route, { view: "runs" }>;

/** Where one is, how the run stands, the views, and what can be asked of the run. */
export function TopBar({
  route,
  children,
}: {
  readonly route: RunRoute;
  readonly children: ComponentChildren;
}) {
  const { state, replay } = useMoment();
  const access = accessWords(state);
  return (
    <header class="bar">
      <Place route={route} />
      <RunBadge />
      {replay === null && (
        <span class="bar-access" title={access.long}>
          {access.short}
        </span>
      )}
      <Tabs route={route} />
      <div class="bar-end">{children}</div>
    </header>
  );
}

/** `shop / checkout-k7f2 / tax`. */
function Place({ route }: { readonly route: RunRoute }) {
  const { session } = usePage();
  const { connection } = useMoment();
  const isTask = route.view === "task";
  const run = formatRoute({ view: "graph", run: route.run, selected: null });
  return (
    <div class="place">
      <Home
        name={session.repository.name}
        isFile={connection.kind === "file"}
        path={session.repository.path}
      />
      <span class="place-slash">/</span>
      <h1 class="place-run mono">{isTask ? <a href={run}>{route.run}</a> : route.run}</h1>
      {isTask && <span class="place-slash">/</span>}
      {isTask && <span class="place-task mono">{route.task}</span>}
    </div>
  );
}

type HomeProps = { readonly name: string; readonly path: string; readonly isFile: boolean };

/** A file knows of no other runs. */
export function Home({ name, path, isFile }: HomeProps) {
  if (isFile)
    return (
      <span class="home" title={path}>
        <Icon sign="logo" size={22} />
        <span class="home-name">{name}</span>
      </span>
    );
  return (
    <a class="home" href={formatRoute({ view: "runs", compare: null })} title={`All runs of ${path} (g r)`}>
      <Icon sign="logo" size={22} />
      <span class="home-name">{name}</span>
    </a>
  );
}

export function FindButton({ what, onOpen }: { readonly what: string; readonly onOpen: () => void }) {
  return (
    <button type="button" class="bar-find" aria-label={`Find ${what}`} onClick={onOpen}>
      <Icon sign="find" size={14} />
      <span class="bar-find-words">Find {what}</span>
      <kbd class="key">/</kbd>
    </button>
  );
}

/** Pause and stop; hidden where nothing can be asked. */
export function RunButtons() {
  const ask = useAsk();
  const actions = useOffers(null);
  const pause = offered(actions, "pause") ?? offered(actions, "unpause");
  const stops = actions.filter((action) => action.kind === "stop");
  const stop = stops.find(({ mode }) => mode === "stop") ?? stops[0];
  return (
    <>
      {pause !== null && (
        <BarButton
          look="bar-pause"
          sign={pause.kind === "pause" ? "pause" : "play"}
          name={pause.kind === "pause" ? "Pause" : "Unpause"}
          onPress={() => ask(pause)}
        />
      )}
      {stop !== undefined && (
        <BarButton
          look="bar-stop"
          sign="stop"
          name={stop.mode === "kill" ? "Kill…" : "Stop…"}
          onPress={() => ask(stop)}
        />
      )}
    </>
  );
}

type BarButtonProps = {
  readonly look: string;
  readonly sign: Sign;
  readonly name: string;
  readonly onPress: () => void;
};

/** Where it is narrow its name is only heard. */
function BarButton({ look, sign, name, onPress }: BarButtonProps) {
  return (
    <button type="button" class={`button bar-button ${look}`} aria-label={name} onClick={onPress}>
      <Icon sign={sign} size={11} />
      <span>{name}</span>
    </button>
  );
}
