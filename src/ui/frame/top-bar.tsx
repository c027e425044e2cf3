import type { ComponentChildren } from "preact";
import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { accessWords } from "../../core/select/forecast.ts";
import { offered } from "../../core/select/offers.ts";
import { findRunSign, formatRunWord } from "../../core/select/run-status-text.ts";
import { capital } from "../../core/text/figures.ts";
import { useAsk, useMoment, useOffers, usePage } from "../context.ts";
import { Icon, type Sign, StateBadge } from "../parts/icon.tsx";
import { formatRoute, linkRun, type RunRoute, runViews } from "../route.ts";
import { useBanners } from "./banners.tsx";
import type { Theme } from "./theme.ts";

/** The view that is shown, and what is inside or beside it. */
export type FrameProps = { readonly route: RunRoute; readonly children: ComponentChildren };

/** Path, status, views, and actions on the run. */
export function TopBar({ route, children }: FrameProps) {
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
  return (
    <div class="place row">
      <Home
        name={session.repository.name}
        isFile={connection.kind === "file"}
        path={session.repository.path}
      />
      <span class="place-slash">/</span>
      <h1 class="place-run mono">{isTask ? <a href={linkRun(route.run)}>{route.run}</a> : route.run}</h1>
      {isTask && <span class="place-slash">/</span>}
      {isTask && <span class="place-task mono">{route.task}</span>}
    </div>
  );
}

type HomeProps = { readonly name: string; readonly path: string; readonly isFile: boolean };

/** A report file has no other runs. */
export function Home({ name, path, isFile }: HomeProps) {
  const inside = [
    <Icon key="logo" sign="logo" size={22} />,
    <span key="name" class="home-name">
      {name}
    </span>,
  ];
  if (isFile)
    return (
      <span class="home quiet row" title={path}>
        {inside}
      </span>
    );
  return (
    <a
      class="home quiet row"
      href={formatRoute({ view: "runs", compare: null })}
      title={`All runs of ${path} (g r)`}
    >
      {inside}
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

/** The views of a run. What is selected stays so from one to the next. */
function Tabs({ route }: { readonly route: RunRoute }) {
  const { counts } = useMoment();
  const queued = counts.queued + counts.merging;
  const selected = route.view === "task" ? null : route.selected;
  return (
    <nav class="tabs" aria-label="Views">
      {runViews.map((view) => (
        <a
          key={view}
          class="tab quiet row"
          href={formatRoute({ view, run: route.run, selected })}
          aria-current={route.view === view ? "page" : undefined}
        >
          {capital(view)}
          {view === "queue" && queued > 0 && <span class="tab-count quiet">{queued}</span>}
        </a>
      ))}
    </nav>
  );
}

/** The status of the run, or that a past moment is shown. */
function RunBadge() {
  const { status, replay } = useMoment();
  if (replay !== null) return <span class="badge badge-ink">Replay</span>;
  return <StateBadge shown={findRunSign(status)} word={capital(formatRunWord(status))} />;
}

type ThemeButtonProps = { readonly theme: Theme; readonly onNext: () => void };

export function ThemeButton({ theme, onNext }: ThemeButtonProps) {
  const name = `Theme: ${theme}`;
  return (
    <button
      type="button"
      class="bar-icon lights quiet bar-theme"
      aria-label={name}
      title={`${name} (T)`}
      onClick={onNext}
    >
      <Icon sign={theme === "light" ? "sun" : "theme"} />
    </button>
  );
}

/** Actions on the whole run; hidden where there are none. */
export function RunButtons() {
  return useMoment().isRunning ? <PauseAndStop /> : <EndButtons />;
}

function PauseAndStop() {
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
          name={pause.kind === "pause" ? "Pause…" : "Unpause…"}
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

const SIGNS: { readonly [K in RunAction["kind"]]?: Sign } = { resume: "play", land: "landed", undo: "close" };
const PLACES = ["bar-stop", "bar-pause"] as const;

/** Where the run is not running: every action that the banner does not offer. */
function EndButtons() {
  const ask = useAsk();
  const { state, isRunning } = useMoment();
  const inBanner = useBanners()[0]?.action?.kind;
  const others = useOffers(null).filter(({ kind }) => kind !== inBanner);
  return (
    <>
      {others.slice(0, PLACES.length).map((action, n) => (
        <BarButton
          key={action.kind}
          look={PLACES[n] ?? ""}
          sign={SIGNS[action.kind] ?? "next"}
          name={`${formatAction(state, action, { isRunning }).verb}…`}
          onPress={() => ask(action)}
        />
      ))}
    </>
  );
}

type BarButtonProps = {
  readonly look: string;
  readonly sign: Sign;
  readonly name: string;
  readonly onPress: () => void;
};

/** On a narrow page only screen readers have its name. */
function BarButton({ look, sign, name, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      class={`button bar-button ${look}`}
      aria-label={name}
      title={name}
      onClick={onPress}
    >
      <Icon sign={sign} size={11} />
      <span>{name}</span>
    </button>
  );
}
