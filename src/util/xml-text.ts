import { terminalText } from "./terminal-text.ts";

/**
 * A text of agents, plans or tools inside XML 1.0, between tags or in an attribute. Whatever XML cannot hold, not even by its
 * number, is spelled out or replaced: one such character would make the whole document unreadable.
 */
export function xmlText(text: string): string {
  return terminalText(text)
    .replace(NOT_XML, "\ufffd")
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** In an attribute a line break that is not written by its number becomes a blank. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

const NOT_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** `>` too: `]]>` must not stand between tags. */
const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
