import { useMemo, useState } from "preact/hooks";
import { count } from "../../../core/text/figures.ts";
import { ansiLines } from "../../parts/ansi.ts";
import { AnsiText } from "./ansi-text.tsx";
import { shortLine } from "./log-text.ts";
import "./ansi.css";

const MOST_LINES = 200;

/** What a command printed, in a box: its end, and all of it when asked. */
export function Output({ text, label = "Output" }: { readonly text: string; readonly label?: string }) {
  const lines = useMemo(() => ansiLines(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - MOST_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who cannot point must be able to scroll it
    <section class="task-output" tabIndex={0} aria-label={label}>
      {hidden > 0 && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {count(hidden, "line")} before
        </button>
      )}
      <pre>
        {lines.slice(hidden).map((line, n) => {
          const { line: shown, hidden: rest } = shortLine(line);
          return (
            <span key={n}>
              <AnsiText line={shown} />
              {rest > 0 && <i>{` … ${rest.toLocaleString("en-US")} more characters`}</i>}
              {"\n"}
            </span>
          );
        })}
      </pre>
    </section>
  );
}
