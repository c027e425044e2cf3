import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import { formatActorCount } from "../../core/select/actor-text.ts";
import { offered } from "../../core/select/offers.ts";
import { findRunSign, formatDone, formatRunWord } from "../../core/select/run-status-text.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { nextActorByKind } from "../../core/select/task-status.ts";
import { capital } from "../../core/text/figures.ts";
import { AskContext, navigate, useAsk, useMoment, useOffers, usePage, useRunStore } from "../context.ts";
import { type Keys, useKeys } from "../keys.ts";
import { type Route, type RunRoute, runViews, taskRoute } from "../route.ts";
import { taskTabKeys } from "../task-keys.ts";
import { NoticeToasts, StatusAnnouncer } from "./announcer.tsx";
import { ConnectionBanners, RunBanners } from "./banners.tsx";
import { Confirm } from "./confirm.tsx";
import { Find } from "./find.tsx";
import { KeyList } from "./key-list.tsx";
import { LiveRegion, Toasts } from "./messages.tsx";
import { ReplayBar } from "./replay-bar.tsx";
import { SummaryStrip } from "./summary-strip.tsx";
import { useTheme } from "./theme.ts";
import { FindButton, type FrameProps, Home, RunButtons, ThemeButton, TopBar } from "./top-bar.tsx";
import "./frame.css";
import "./strip.css";
import "./replay.css";
import "../parts/left-out.css";

/** The frame around every view of a run: path, figures, banners, the view and the replay bar. */
export function Frame(props: FrameProps) {
  const [asked, setAsked] = useState<RunAction | null>(null);
  return (
    <LiveRegion>
      <Toasts>
        <AskContext.Provider value={setAsked}>
          <FrameParts {...props} />
        </AskContext.Provider>
        <NoticeToasts />
        <StatusAnnouncer />
        {asked !== null && <Confirm action={asked} onClose={() => setAsked(null)} />}
      </Toasts>
    </LiveRegion>
  );
}

/** What any page has: to find something, the list of keys, and the theme. */
function useDialogs(route: Route, rows: readonly TaskRow[]) {
  const [theme, nextTheme] = useTheme();
  const [open, setOpen] = useState<"find" | "keys" | null>(null);
  const close = (): void => setOpen(null);
  const find = (): void => setOpen("find");
  return {
    find,
    keys: { "/": find, "?": () => setOpen("keys"), T: nextTheme },
    themeButton: <ThemeButton theme={theme} onNext={nextTheme} />,
    dialog:
      open === "find" ? (
        <Find route={route} rows={rows} onClose={close} />
      ) : (
        open === "keys" && <KeyList onClose={close} />
      ),
  };
}

function FrameParts({ route, children }: FrameProps) {
  const { find, keys, themeButton, dialog } = useDialogs(route, useMoment().rows);
  useFrameKeys(route, keys);
  useTabTitle();
  const view = useKeptFocus();
  return (
    <div class={`frame frame-${route.view}`}>
      <TopBar route={route}>
        <FindButton what="task" onOpen={find} />
        <RunButtons />
        {themeButton}
      </TopBar>
      <div class="frame-body">
        {route.view !== "task" && <SummaryStrip />}
        <div class="frame-notices">
          <ConnectionBanners />
          <RunBanners />
        </div>
        <main ref={view} class="frame-view" tabIndex={-1}>
          {children}
        </main>
      </div>
      <LeftOut />
      <ReplayBar />
      {dialog}
    </div>
  );
}

/** The browser tab shows the status of the run while another page is open. */
function useTabTitle(): void {
  const { state, status, progress, needs, replay } = useMoment();
  const need =
    needs.length === 0
      ? ""
      : `, ${needs.length} ${formatActorCount("you", needs.length, { isRunning: true })}`;
  const word = replay === null ? capital(formatRunWord(status)) : "Replay";
  const title = `${formatDone(progress)}${need} · ${state.run} · ${word}`;
  const actor = needs.length > 0 ? "you" : nextActorByKind[findRunSign(status)];
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => setIcon(COLORS[actor], needs.length > 0), [actor]);
}

/** Visible on dark and light tabs alike. */
const COLORS = {
  you: "#e5484d",
  agents: "#3b82f6",
  plait: "#b45fc4",
  clock: "#c8940f",
  done: "#12a67c",
  later: "#848c95",
} as const;

function setIcon(color: string, needsYou: boolean): void {
  const inside = needsYou
    ? '<path d="M8 4.5v4.2M8 11.3v.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
    : '<path d="M6 3.5c0 2.2 4 2.2 4 4.5s-4 2.3-4 4.5M10 3.5c0 2.2-4 2.2-4 4.5s4 2.3 4 4.5" fill="none" stroke="#fff" stroke-width="1.5"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${color}"/>${inside}</svg>`;
  const found = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link =
    found ?? document.head.appendChild(Object.assign(document.createElement("link"), { rel: "icon" }));
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What had the focus may go, such as a button that has done its work: then the view has it, not the top of the page. */
function useKeptFocus(): RefObject<HTMLElement | null> {
  const view = useRef<HTMLElement>(null);
  const last = useRef<EventTarget | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      last.current = target;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const isGone = last.current instanceof Node && !last.current.isConnected;
    if (!isGone || document.activeElement !== document.body) return;
    last.current = null;
    view.current?.focus({ preventScroll: true });
  });
  return view;
}

/** In a report file: what was too large for it, and where to see it. */
function LeftOut() {
  const { leftOut = [] } = usePage().session;
  if (leftOut.length === 0) return null;
  return (
    <details class="left-out small quiet">
      <summary>This file is incomplete</summary>
      <ul>
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

type RunsFrameProps = { readonly route: Route; readonly children: ComponentChildren };

/** What is around the list of all runs. */
export function RunsFrame({ route, children }: RunsFrameProps) {
  const { session } = usePage();
  const { find, keys, themeButton, dialog } = useDialogs(route, []);
  useKeys(keys);
  useEffect(() => {
    document.title = `Runs of ${session.repository.name} · plait`;
  }, [session]);
  return (
    <div class="frame frame-runs">
      <header class="bar ruled row">
        <div class="place row">
          <Home name={session.repository.name} path={session.repository.path} isFile={false} />
          <span class="place-slash">/</span>
          <span class="place-run mono">runs</span>
        </div>
        <div class="bar-end push row">
          <FindButton what="run" onOpen={find} />
          {themeButton}
        </div>
      </header>
      <main class="frame-view">{children}</main>
      {dialog}
    </div>
  );
}

/** The keys that work in every view of a run. */
function useFrameKeys(route: RunRoute, dialogKeys: Keys): void {
  const isFile = useMoment().connection.kind === "file";
  const gone = useRef(Number.NEGATIVE_INFINITY);
  const selected = route.view === "task" ? route.task : route.selected;
  const views = runViews.map((view, n) => [
    String(n + 1),
    () => navigate({ view, run: route.run, selected: route.view === "task" ? null : selected }),
  ]);
  useKeys({
    ...Object.fromEntries(views),
    ...useReplayKeys(),
    ...useActionKeys(route),
    ...openKeys(route),
    ...dialogKeys,
    g: () => {
      gone.current = Date.now();
    },
  });
  // Before the others, because `r` alone is another key.
  useKeys({
    r: () => {
      if (isFile || Date.now() - gone.current > TOGETHER_MS) return false; // a report file has no other runs
      gone.current = Number.NEGATIVE_INFINITY;
      navigate({ view: "runs", compare: null });
      return true;
    },
  });
}

/** The view of a task has its own keys, which keep its attempt. */
function openKeys(route: RunRoute): Keys {
  if (route.view === "task" || route.selected === null) return {};
  const { run, selected: task } = route;
  return taskTabKeys((tab) => navigate(taskRoute(run, task, { tab })));
}

const TOGETHER_MS = 1_000;

function useReplayKeys(): Keys {
  const store = useRunStore();
  const { replay, speed } = useMoment();
  return {
    " ": () => store.play(replay?.isPlaying === true ? null : speed),
    ",": () => store.step(-1),
    ".": () => store.step(1),
    End: () => (replay === null ? false : store.seek(null)),
  };
}

/** Keys of actions that are not possible now do nothing. */
function useActionKeys(route: RunRoute): Keys {
  const ask = useAsk();
  const selected = route.view === "task" ? route.task : route.selected;
  const ofRun = useOffers(null);
  const offersOfTask = useOffers(selected);
  const ofTask = selected === null ? [] : offersOfTask;
  const first =
    (actions: readonly RunAction[], ...kinds: readonly RunAction["kind"][]) =>
    (): false | undefined => {
      const action = kinds.map((kind) => hardest(actions, kind)).find((one) => one !== null);
      if (action === undefined) return false;
      ask(action);
      return undefined;
    };
  return {
    r: first(ofTask, "retry"),
    a: first(ofTask, "accept", "approve"),
    P: first(ofRun, "pause", "unpause"),
    s: first(ofRun, "stop"),
    L: first(ofRun, "land"),
  };
}

/** Of two ways to stop the harder one: its question offers the softer one too. */
function hardest(actions: readonly RunAction[], kind: RunAction["kind"]): RunAction | null {
  return kind === "stop" ? (actions.findLast((one) => one.kind === kind) ?? null) : offered(actions, kind);
}
