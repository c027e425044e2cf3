import { useMemo, useState } from "preact/hooks";
import { count } from "../../../core/select/preview/words.ts";
import { Icon } from "../../parts/icon.tsx";
import { visible } from "../log/ansi.ts";
import { cutAt, type Part } from "./changed-part.ts";
import { type CodeLine, codeLines } from "./code-lines.ts";
import { languageOf } from "./languages.ts";
import type { DiffFile, Hunk } from "./parse-diff.ts";

export type DiffFileProps = {
  readonly file: DiffFile;
  readonly startsOpen: boolean;
  /** What is wrong with a change of this file; null where nothing is. */
  readonly warning: string | null;
};

export function DiffFileView({ file, startsOpen, warning }: DiffFileProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const path = visible(file.path);
  return (
    <div class="task-diff-file" data-file>
      <button type="button" class="task-diff-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class={isOpen ? "task-diff-fold task-diff-open" : "task-diff-fold"}>
          <Icon sign="next" size={11} />
        </span>
        <span class="mono task-diff-path">{path}</span>
        {notesOf(file).map((note) => (
          <span key={note} class="task-chip">
            {note}
          </span>
        ))}
        {warning !== null && (
          <span class="task-chip task-chip-warn mono">
            <Icon sign="warning" size={11} />
            {warning}
          </span>
        )}
        {file.added + file.removed > 0 && (
          <span class="mono task-diff-counts">
            <span class="task-added">+{file.added}</span> <span class="task-removed">−{file.removed}</span>
          </span>
        )}
      </button>
      {isOpen && <Hunks file={file} />}
      {!isOpen && !startsOpen && lines > 0 && (
        <button type="button" class="task-diff-show" onClick={() => setOpen(true)}>
          Show {lines.toLocaleString("en-US")} lines
        </button>
      )}
    </div>
  );
}

function notesOf({ status, from, mode, isBinary, hunks }: DiffFile): string[] {
  const notes: string[] = [];
  if (from !== null) notes.push(`${status === "copied" ? "copied" : "renamed"} from ${visible(from)}`);
  if (status === "added") notes.push("new");
  if (status === "deleted") notes.push("deleted");
  if (mode !== null) notes.push(modeText(mode));
  if (isBinary) notes.push("binary");
  const first = hunks[0]?.lines[0]?.text ?? "";
  if (/^Subproject commit [0-9a-f]+$/.test(first)) notes.push("submodule");
  return notes;
}

function modeText({ from, to }: { readonly from: string; readonly to: string }): string {
  if (to === "100755" && from === "100644") return "made executable";
  if (to === "100644" && from === "100755") return "no longer executable";
  return `mode ${from} to ${to}`;
}

function Hunks({ file }: { readonly file: DiffFile }) {
  const language = languageOf(file.path);
  const hunks = useMemo(() => file.hunks.map((hunk) => codeLines(hunk, language)), [file, language]);
  if (hunks.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who cannot point must be able to scroll it
    <section class="task-diff-code" tabIndex={0} aria-label={`Changes of ${visible(file.path)}`}>
      <table>
        <tbody>
          {hunks.map((lines, n) => (
            <HunkRows key={(file.hunks[n] as Hunk).newStart} hunk={file.hunks[n] as Hunk} lines={lines} />
          ))}
        </tbody>
      </table>
    </section>
  );
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

function Line({ line: { line, tokens, part } }: { readonly line: CodeLine }) {
  return (
    <tr class={`task-diff-${line.kind}`}>
      <td class="task-diff-number">{line.old}</td>
      <td class="task-diff-number">{line.new}</td>
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
        {line.noNewline && <span class="task-diff-end"> no line break at the end</span>}
      </td>
    </tr>
  );
}

const NO_PARTS: readonly Part[] = [];
