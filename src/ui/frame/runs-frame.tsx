import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { useKeys } from "../keys.ts";
import type { Route } from "../route.ts";
import { Find } from "./find.tsx";
import { KeyList } from "./key-list.tsx";
import { useTheme } from "./theme.ts";
import { FindButton, Home, ThemeButton } from "./top-bar.tsx";
import "./frame.css";

type RunsFrameProps = { readonly route: Route; readonly children: ComponentChildren };

/** What is around the list of all runs. */
export function RunsFrame({ route, children }: RunsFrameProps) {
  const { session } = usePage();
  const [theme, nextTheme] = useTheme();
  const [open, setOpen] = useState<"find" | "keys" | null>(null);
  useKeys({ "/": () => setOpen("find"), "?": () => setOpen("keys"), T: nextTheme });
  useEffect(() => {
    document.title = `Runs of ${session.repository.name} · plait`;
  }, [session]);
  const close = (): void => setOpen(null);
  return (
    <div class="frame frame-runs">
      <header class="bar ruled row">
        <div class="place row">
          <Home name={session.repository.name} path={session.repository.path} isFile={false} />
          <span class="place-slash">/</span>
          <span class="place-run mono">runs</span>
        </div>
        <div class="bar-end push row">
          <FindButton what="run" onOpen={() => setOpen("find")} />
          <ThemeButton theme={theme} onNext={nextTheme} />
        </div>
      </header>
      <main class="frame-view">{children}</main>
      {open === "find" && <Find route={route} rows={[]} onClose={close} />}
      {open === "keys" && <KeyList onClose={close} />}
    </div>
  );
}
