import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import { AskContext, useMoment } from "../context.ts";
import { LeftOut } from "../parts/left-out.tsx";
import type { Route } from "../route.ts";
import { Confirm } from "./confirm.tsx";
import { ConnectionBanners } from "./connection-banner.tsx";
import { Find } from "./find.tsx";
import { useFrameKeys } from "./frame-keys.ts";
import { KeyList } from "./key-list.tsx";
import { LiveRegion } from "./live-region.tsx";
import { NoticeToasts } from "./notice-toasts.tsx";
import { ReplayBar } from "./replay-bar.tsx";
import { RunBanners } from "./run-banners.tsx";
import { RunButtons } from "./run-buttons.tsx";
import { StatusAnnouncer } from "./status-announcer.tsx";
import { SummaryStrip } from "./summary-strip.tsx";
import { useTabTitle } from "./tab-title.ts";
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

type Open = "find" | "keys" | null;

function FrameParts({ route, children }: FrameProps) {
  const { rows } = useMoment();
  const [theme, nextTheme] = useTheme();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  useFrameKeys(route, {
    onFind: () => setOpen("find"),
    onKeyList: () => setOpen("keys"),
    onTheme: nextTheme,
  });
  useTabTitle();
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
          <ConnectionBanners />
          <RunBanners />
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
