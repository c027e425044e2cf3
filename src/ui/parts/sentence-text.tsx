import type { ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { formatCommand } from "../../core/text/command.ts";
import {
  listParts,
  plainPart,
  plainText,
  type Sentence,
  type SentencePart,
} from "../../core/text/sentence.ts";
import { localTime } from "../../report/local-times.ts";
import { RunContext } from "../context.ts";
import { linkTask } from "../route.ts";
import { stripAnsi } from "./ansi.ts";

type SentenceTextProps = {
  readonly text: Sentence;
  /** Inside of a link or a button: no part can be clicked. */
  readonly isStatic?: boolean;
};

/** A sentence with its parts as the web UI shows them: a task is a link, a command can be copied, a time is local. */
export function SentenceText({ text, isStatic = false }: SentenceTextProps) {
  const moment = useContext(RunContext)?.moment() ?? null;
  const now = moment?.now ?? Date.now();
  const run = isStatic ? null : (moment?.state.run ?? null);
  const render = (part: SentencePart, n: number) => {
    if (typeof part === "string") return cleanText(part);
    if (part.kind === "task" && run !== null)
      return (
        <a key={n} class="mono" href={linkTask(run, part.task)}>
          {part.task}
        </a>
      );
    if (part.kind === "command" && !isStatic)
      return <CopyText key={n} text={formatCommand(part.command)} what="the command" />;
    const shown = cleanText(plainPart(part, localTime(now)));
    return TYPED.has(part.kind) ? <code key={n}>{shown}</code> : shown;
  };
  return <>{listParts(text).map(render)}</>;
}

/** Written as people type it. */
const TYPED: ReadonlySet<string> = new Set(["task", "commit", "name", "path", "command"]);

/** A sentence as one string, for a title or a screen reader. */
export const formatLocal = (text: Sentence, now: number): string =>
  cleanText(plainText(text, localTime(now)));

/** Output of programs may be part of a sentence; spaces at its ends keep words apart. */
function cleanText(text: string): string {
  const [before = ""] = /^\s*/.exec(text) ?? [];
  const [after = ""] = /\s*$/.exec(text) ?? [];
  return text.trim() === "" ? text : `${before}${stripAnsi(text.trim())}${after}`;
}

type CopyTextProps = {
  readonly text: string;
  readonly children?: ComponentChildren;
  /** What it is, for the name of the button. */
  readonly what: string;
};

/** Something that people type elsewhere: a click copies all of it. */
export function CopyText({ text, children, what }: CopyTextProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text).catch(() => undefined); // refused: the text can still be selected
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="copy-text mono" title={`Copy ${what}: ${text}`} onClick={() => void copy()}>
      {children ?? text}
      <span class="copy-text-done" aria-live="polite">
        {isCopied ? "Copied" : ""}
      </span>
    </button>
  );
}
