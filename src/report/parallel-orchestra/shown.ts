import { terminalText } from "../../util/terminal-text.ts";

const LONGEST = 45;

/** What an agent does, in the room that a line has: no escape sequence, nothing that is not seen, nothing that turns the text. */
export function shownAction(text: string): string {
  const clean = terminalText(text.replace(/[\r\n\t]+/g, " "))
    .replace(/<U\+[0-9A-F]{4,6}>/g, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  const chars = [...clean];
  return chars.length <= LONGEST ? clean : `${chars.slice(0, LONGEST - 3).join("")}...`;
}
