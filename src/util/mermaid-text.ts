import { printable } from "./printable.ts";

/**
 * A text inside the quotes of a Mermaid label. Whatever is no letter, digit or harmless sign becomes an entity: Mermaid looks for
 * directives, comments, styles and Markdown anywhere in the text, also inside quotes, so nothing that could begin one is left.
 */
export function mermaidText(text: string): string {
  return printable(text)
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{N} .,_/…-]/gu, (char) => `#${char.codePointAt(0)};`);
}
