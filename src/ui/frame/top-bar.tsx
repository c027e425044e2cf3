import type { ComponentChildren } from "preact";
import { accessWords } from "../../core/select/forecast.ts";
import { useMoment, usePage } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { formatRoute, type Route } from "../route.ts";
import { RunBadge } from "./run-badge.tsx";
import { Tabs } from "./tabs.tsx";

type RunRoute = Exclude<Route, { view: "runs" }>;

/** Path, status, views, and actions on the run. */
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
    <header class="bar ruled row">
      <Place route={route} />
      <RunBadge />
      {replay === null && (
        <span class="bar-access framed quiet" title={access.long}>
          {access.short}
        </span>
      )}
      <Tabs route={route} />
      <div class="bar-end push row">{children}</div>
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
    <div class="place row">
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

/** A report file has no other runs. */
export function Home({ name, path, isFile }: HomeProps) {
  if (isFile)
    return (
      <span class="home quiet row" title={path}>
        <Icon sign="logo" size={22} />
        <span class="home-name">{name}</span>
      </span>
    );
  return (
    <a
      class="home quiet row"
      href={formatRoute({ view: "runs", compare: null })}
      title={`All runs of ${path} (g r)`}
    >
      <Icon sign="logo" size={22} />
      <span class="home-name">{name}</span>
    </a>
  );
}

export function FindButton({ what, onOpen }: { readonly what: string; readonly onOpen: () => void }) {
  return (
    <button type="button" class="bar-find lights faint row" aria-label={`Find ${what}`} onClick={onOpen}>
      <Icon sign="find" size={14} />
      <span class="bar-find-words">Find {what}</span>
      <kbd class="key">/</kbd>
    </button>
  );
}
