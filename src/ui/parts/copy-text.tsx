import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

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
