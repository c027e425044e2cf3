import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RunAction } from "../../core/run-action.ts";
import { AskContext, useMoment } from "../context.ts";
import { LeftOut } from "../parts/left-out.tsx";
import type { Route } from "../route.ts";
import { Confirm } from "./confirm.tsx";
import { Find } from "./find.tsx";
import { useFrameKeys } from "./frame-keys.ts";
import { HappeningToasts } from "./happening-toasts.tsx";
import { HearingNotice } from "./hearing.tsx";
import { KeyList } from "./key-list.tsx";
import { LiveRegion } from "./live-region.tsx";
import { ReplayBar } from "./replay-bar.tsx";
import { RunBanner } from "./run-banner.tsx";
import { RunButtons } from "./run-buttons.tsx";
import { StatusNews } from "./status-news.tsx";
import { SummaryStrip } from "./summary-strip.tsx";
import { useTabSign } from "./tab-sign.ts";
import { useTheme } from "./theme.ts";
import { ThemeButton } from "./theme-button.tsx";
import { Toasts } from "./toasts.tsx";
import { FindButton, TopBar } from "./top-bar.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import "./frame.css";
import "./strip.css";
import "./replay.css";

export type FrameProps = {
  readonly route: Exclude<Route, { view: "runs" }>;
  readonly children: ComponentChildren;
};

/** What is around every view of a run: where one is, its figures, what holds for it, the view, and its time. */
export function Frame(props: FrameProps) {
  const [asked, setAsked] = useState<RunAction | null>(null);
  return (
    <LiveRegion>
      <Toasts>
        <AskContext.Provider value={setAsked}>
          <Around {...props} />
        </AskContext.Provider>
        <HappeningToasts />
        <StatusNews />
        {asked !== null && <Confirm action={asked} onClose={() => setAsked(null)} />}
      </Toasts>
    </LiveRegion>
  );
}

type Open = "find" | "keys" | null;

function Around({ route, children }: FrameProps) {
  const { rows } = useMoment();
  const [theme, nextTheme] = useTheme();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  useFrameKeys(route, {
    onFind: () => setOpen("find"),
    onKeyList: () => setOpen("keys"),
    onTheme: nextTheme,
  });
  useTabSign();
  const view = useKeptFocus();
  return (
    <div class={`frame frame-${route.view}`}>
      <TopBar route={route}>
        <FindButton what="task" onOpen={() => setOpen("find")} />
        <RunButtons />
        <ThemeButton theme={theme} onNext={nextTheme} />
      </TopBar>
      <div class="frame-body">
        {route.view !== "task" && <SummaryStrip />}
        <div class="frame-notices">
          <HearingNotice />
          <RunBanner />
        </div>
        <main ref={view} class="frame-view" tabIndex={-1}>
          {children}
        </main>
      </div>
      <LeftOut />
      <ReplayBar />
      {open === "find" && <Find route={route} rows={rows} onClose={close} />}
      {open === "keys" && <KeyList onClose={close} />}
    </div>
  );
}
