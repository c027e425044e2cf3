/**
 * Text from plans, files and arguments as it may be shown on a terminal: whatever moves the cursor, changes colours,
 * turns the direction of writing or hides itself becomes a visible `<U+001B>`. Joiners of scripts and emoji stay.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A single line: line breaks and tabs are shown too. */
export function visible(text: string): string {
  return text.replace(UNSAFE, codePoint);
}

function codePoint(char: string): string {
  const hex = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${hex}>`;
}
