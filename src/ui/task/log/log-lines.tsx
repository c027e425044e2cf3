import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { sizeText } from "../../../core/text/figures.ts";
import type { AnsiLine } from "../../parts/ansi.ts";
import { cutBytes, type Found, MAX_SHOWN, shortLine } from "./log-text.ts";
import { AnsiText } from "./output.tsx";

export type LogLinesProps = {
  readonly lines: readonly AnsiLine[];
  /** Where output is omitted: line numbers after it are unknown. */
  readonly cutAt: number;
  readonly found: Found;
  /** The line that is looked at of those that were found. */
  readonly current: number | null;
  /** Keeps the end in view. */
  readonly isFollowing: boolean;
  /** The person scrolled away from the end. */
  readonly leave: () => void;
  readonly label: string;
};

/** Also in the style sheet. */
const LINE_PX = 18;
/** Above and below what is in view. */
const MORE = 20;

/** A hundred thousand lines, of which only those in view are drawn. All have one height: long ones go on to the right. */
export function LogLines({ lines, cutAt, found, current, isFollowing, leave, label }: LogLinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const look = () => {
    const { current: element } = box;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    const { current: element } = box;
    if (element === null) return;
    if (isFollowing) element.scrollTop = element.scrollHeight;
    look();
  }, [lines, isFollowing]);
  useLayoutEffect(() => {
    const { current: element } = box;
    if (element === null || current === null) return;
    element.scrollTop = Math.max(0, current * LINE_PX - element.clientHeight / 2);
    look();
  }, [current]);
  const first = Math.max(0, Math.floor(view.top / LINE_PX) - MORE);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE_PX) + MORE);
  const onScrolled = (): void => {
    const { current: element } = box;
    look();
    if (element === null || !isFollowing) return;
    if (element.scrollHeight - element.scrollTop - element.clientHeight > 2 * LINE_PX) leave();
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who cannot point must be able to scroll it
    <section class="task-log-lines" ref={box} tabIndex={0} aria-label={label} onScroll={onScrolled}>
      <div class="task-log-all" style={{ height: `${lines.length * LINE_PX}px` }}>
        <ol style={{ transform: `translateY(${first * LINE_PX}px)` }} start={first + 1}>
          {lines.slice(first, last).map((line, n) => (
            <LogLine
              key={first + n}
              n={first + n}
              isCounted={first + n < cutAt}
              line={line}
              found={found}
              isCurrent={first + n === current}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

type LogLineProps = {
  readonly n: number;
  readonly isCounted: boolean;
  readonly line: AnsiLine;
  readonly found: Found;
  readonly isCurrent: boolean;
};

function LogLine({ n, isCounted, line, found, isCurrent }: LogLineProps) {
  const cut = cutBytes(line);
  const { line: shown, hidden } = shortLine(line);
  const marks = found.partsOf(n).filter(({ to }) => to <= MAX_SHOWN);
  const kind = isCurrent ? "task-log-current" : found.isIn(n) ? "task-log-hit" : "";
  return (
    <li class={`task-log-line ${kind} ${cut === null ? "" : "task-log-left-out"}`}>
      <span class="task-log-number faint">{isCounted ? n + 1 : ""}</span>
      <span class="task-log-text">
        {cut === null ? <AnsiText line={shown} marks={marks} /> : `${sizeText(cut)} omitted`}
        {hidden > 0 && <i>{` … ${hidden.toLocaleString("en-US")} more characters`}</i>}
      </span>
    </li>
  );
}
