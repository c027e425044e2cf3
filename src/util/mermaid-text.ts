import { printable } from "./printable.ts";

/**
 * A text inside the quotes of a Mermaid label. Whatever is no letter, digit or harmless sign becomes an entity: Mermaid looks for
 * directives, comments, styles and Markdown anywhere in the text, also inside quotes, so nothing that could begin one is left.
 */
export function mermaidText(text: string): string {
  return (
    printable(text)
      .replace(/\s+/g, " ")
      .replace(/[^\p{L}\p{N} .,_/…-]/gu, entity)
      // Within a word they are; `_so_`, `- so` and `1. so` are Markdown.
      .replace(/(?<![\p{L}\p{N}])[_-]|[_-](?![\p{L}\p{N}])|(?<=^ ?\d+)\./gu, entity)
      // A line that holds `direction LR` anywhere is taken for nothing else.
      .replace(/(?<=direction) (?=[TBLR])/g, entity)
  );
}

const entity = (char: string): string => `#${char.codePointAt(0)};`;
