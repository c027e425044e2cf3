/**
 * Text that programs printed, as it may be shown on a terminal: colours and other escape sequences are gone; whatever else
 * could move the cursor, turn the direction of writing or hide itself becomes a visible `<U+001B>`. Line breaks and tabs
 * stay, and of a line that was overwritten with carriage returns (a progress bar) what was last seen.
 *
 * Time is linear: no pattern can look past the next escape, line break or end.
 */
export function terminalText(text: string): string {
  return text.replace(SEQUENCE, "").split("\n").map(lastSeen).join("\n").replace(UNSAFE, codePoint);
}

function lastSeen(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what these look for
// Three kinds, each also begun by its one-character C1 form: strings up to their terminator (OSC, DCS, SOS, PM, APC), control
// sequences (CSI), and short ones. A string without an end goes to the end of its line: it must not hide the lines after.
const SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]/g;

// Joiners of scripts and emoji are not here: text needs them.
const UNSAFE =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are what these look for

function codePoint(char: string): string {
  const hex = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${hex}>`;
}
