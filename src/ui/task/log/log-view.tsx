import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sizeText } from "../../../core/text/figures.ts";
import type { CutText } from "../../../report/page/wire.ts";
import { useMoment, usePage } from "../../context.ts";
import { useKeys } from "../../keys.ts";
import { ansiLines, plainLine } from "../../parts/ansi.ts";
import { Blank, Loading, Problem } from "../../parts/blank.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { type TabProps, toAttemptRef } from "../use-task.ts";
import { LogLines } from "./log-lines.tsx";
import { cutPlace, type Found, findInLines, stillLog } from "./log-text.ts";
import "./ansi.css";
import "./log.css";

const LOOK_MS = 2_000;

/** What the program printed, as it printed it. */
export function LogView({ attempt, route }: TabProps) {
  const { source } = usePage();
  const { connection, replay } = useMoment();
  const isLive = attempt.live !== null && connection.kind !== "file" && replay === null;
  const ask = useCallback(() => source.log(toAttemptRef(route, attempt.n)), [source, attempt.attempt]);
  // Loaded once more when the attempt ends; until then the old text stays.
  const loaded = useLoaded(attempt.attempt, ask, isLive ? LOOK_MS : null);
  if (loaded.kind === "loading") return <Pane>{<Loading what="the log" />}</Pane>;
  if (loaded.kind === "problem") return <Pane>{<Problem error={loaded.error} />}</Pane>;
  if (loaded.value.text === "") return <Pane>{<Blank title="No output" />}</Pane>;
  return <Log log={loaded.value} isLive={isLive} n={attempt.n} />;
}

const Pane = ({ children }: { readonly children: preact.ComponentChildren }) => (
  <div class="task-pane">{children}</div>
);

type LogProps = { readonly log: CutText; readonly isLive: boolean; readonly n: number };

function Log({ log: newest, isLive, n }: LogProps) {
  const [isFollowing, setFollowing] = useState(true);
  const [wanted, setWanted] = useState("");
  const log = useStill(newest, !isFollowing || wanted !== "");
  const lines = useMemo(() => ansiLines(log.text), [log.text]);
  const texts = useMemo(() => lines.map((line) => plainLine(line).toLowerCase()), [lines]);
  const cutAt = useMemo(() => cutPlace(lines), [lines]);
  const [place, setPlace] = useState(0);
  const found = useMemo(() => findInLines(texts, wanted.toLowerCase()), [texts, wanted]);
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => input.current?.focus(),
    f: () => setFollowing(!isFollowing),
  });
  useEffect(() => setPlace(0), [wanted]);
  const step = (by: 1 | -1) => setPlace((place + by + found.lines.length) % Math.max(1, found.lines.length));
  const current = found.lines[place] ?? null;
  return (
    <div class="task-log">
      <div class="task-log-bar ruled quiet row">
        <input
          ref={input}
          type="search"
          class="task-log-search field"
          placeholder="Find in the log"
          aria-label="Find in the log"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
            else if (event.key === "Escape") event.currentTarget.blur();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <span role="status">{formatFound(found, place, wanted)}</span>
        {log.cutBytes > 0 && <span class="warn">{sizeText(log.cutBytes)} omitted</span>}
        <label class="task-log-follow push row">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
          {log !== newest ? "Show new output" : isLive ? "Follow" : "At the end"} <kbd>f</kbd>
        </label>
      </div>
      <LogLines
        lines={lines}
        cutAt={cutAt}
        found={found}
        current={current}
        isFollowing={isFollowing && current === null}
        leave={() => setFollowing(false)}
        label={`Log of attempt ${n}`}
      />
    </div>
  );
}

function useStill(newest: CutText, isReading: boolean): CutText {
  const seen = useRef(newest);
  seen.current = stillLog(seen.current, newest, isReading);
  return seen.current;
}

function formatFound({ lines }: Found, place: number, wanted: string): string {
  if (wanted === "") return "";
  if (lines.length === 0) return "not found";
  return `${place + 1} of ${lines.length.toLocaleString("en-US")} lines`;
}
