import { useMemo, useState } from "preact/hooks";
import { count, sizeText } from "../../../core/text/figures.ts";
import { type DiffFile, fileNotes, type Hunk } from "../../../report/diff/parse-diff.ts";
import { visible } from "../../parts/ansi.ts";
import { Icon } from "../../parts/icon.tsx";
import { type CodeLine, codeLines, cutAt, type Part } from "./code-lines.ts";
import { findLanguage } from "./languages.ts";

export type DiffFileProps = {
  readonly file: DiffFile;
  /** By all of the change, of which the text may be cut; null where git counts no lines. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
  readonly startsOpen: boolean;
  /** What is wrong with a change of this file; null where nothing is. */
  readonly warning: string | null;
};

/** So many rows are drawn without a wait that anybody notices; more of them when asked. */
const STEP = 2_000;

export function DiffFileView({ file, lines: counted, startsOpen, warning }: DiffFileProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const path = visible(file.path);
  return (
    <div class="task-diff-file" data-file>
      <button
        type="button"
        class="task-diff-head lights row"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class={isOpen ? "task-diff-fold faint task-diff-open" : "task-diff-fold faint"}>
          <Icon sign="next" size={11} />
        </span>
        <span class="mono task-diff-path wrap">{path}</span>
        {fileNotes(file).map((note) => (
          <span key={note} class="task-chip framed quiet">
            {visible(note)}
          </span>
        ))}
        {warning !== null && (
          <span class="task-chip framed quiet task-chip-warn mono">
            <Icon sign="warning" size={11} />
            {warning}
          </span>
        )}
        {counted !== null && counted.added + counted.removed > 0 && (
          <span class="mono push">
            <span class="task-added">+{counted.added}</span> <span class="bad">−{counted.removed}</span>
          </span>
        )}
      </button>
      {isOpen && <Hunks file={file} lines={lines} />}
      {!isOpen && !startsOpen && lines > 0 && (
        <button type="button" class="task-diff-show plain quiet" onClick={() => setOpen(true)}>
          Show {lines.toLocaleString("en-US")} lines
        </button>
      )}
      {file.cutBytes > 0 && (
        <p class="task-diff-file-cut warn">{sizeText(file.cutBytes)} of this file omitted</p>
      )}
    </div>
  );
}

function Hunks({ file, lines }: { readonly file: DiffFile; readonly lines: number }) {
  const [most, setMost] = useState(STEP);
  // The same rows as before are not compared with themselves every second of a live run.
  const rows = useMemo(() => hunkRows(file, most), [file, most]);
  const left = lines - most;
  if (lines === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section class="task-diff-code" tabIndex={0} aria-label={`Changes in ${visible(file.path)}`}>
        <table>
          <tbody>{rows}</tbody>
        </table>
      </section>
      {left > 0 && (
        <button type="button" class="task-diff-show plain quiet" onClick={() => setMost(most + STEP)}>
          Show {Math.min(STEP, left).toLocaleString("en-US")} more of {left.toLocaleString("en-US")} lines
        </button>
      )}
    </>
  );
}

function hunkRows(file: DiffFile, most: number) {
  const language = findLanguage(file.path);
  return firstLines(file.hunks, most).map((hunk) => (
    <HunkRows key={hunk.newStart} hunk={hunk} lines={codeLines(hunk, language)} />
  ));
}

function firstLines(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

function HunkRows({ hunk, lines }: { readonly hunk: Hunk; readonly lines: readonly CodeLine[] }) {
  return (
    <>
      <tr class="task-diff-hunk" data-hunk>
        <td colSpan={4}>
          @@ {hunk.newStart}, {count(lines.length, "line")} <span>{visible(hunk.context)}</span>
        </td>
      </tr>
      {lines.map((line, n) => (
        <Line key={n} line={line} />
      ))}
    </>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function Line({ line: { line, tokens, part, ending } }: { readonly line: CodeLine }) {
  return (
    <tr class={`task-diff-${line.kind}`}>
      <td class="task-diff-number faint">{line.old}</td>
      <td class="task-diff-number faint">{line.new}</td>
      <td class="task-diff-sign">{SIGNS[line.kind]}</td>
      <td class="task-diff-text">
        {cutAt(tokens, part === null ? NO_PARTS : [part]).map(({ text, kind, isIn }, n) => {
          const classes = [
            ...(kind === null ? [] : [`task-code-${kind}`]),
            ...(isIn ? ["task-diff-part"] : []),
          ];
          return classes.length === 0 ? (
            text
          ) : (
            <span key={n} class={classes.join(" ")}>
              {text}
            </span>
          );
        })}
        {ending !== null && !line.noNewline && <span class="warn"> {ending}</span>}
        {line.noNewline && <span class="warn"> no newline at the end</span>}
      </td>
    </tr>
  );
}

const NO_PARTS: readonly Part[] = [];
