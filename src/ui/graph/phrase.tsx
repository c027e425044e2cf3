import type { Word } from "../../core/select/typed-words.ts";
import { plainText } from "../parts/ansi.ts";

/** A sentence in which what people type looks typed. What programs said in it has no colours and turns no text around. */
export function Phrase({ words }: { readonly words: readonly Word[] }) {
  return (
    <>{words.map(({ text, isTyped }, n) => (isTyped ? <code key={n}>{shown(text)}</code> : shown(text)))}</>
  );
}

/** Blanks at the ends keep words apart. */
const shown = (text: string): string => {
  const [before = ""] = /^\s*/.exec(text) ?? [];
  const [after = ""] = /\s*$/.exec(text) ?? [];
  return text.trim() === "" ? text : `${before}${plainText(text.trim())}${after}`;
};
