// The commands of a shell line, as far as their words can be told without running it. No shell: what is computed, expanded
// or nested too deep is not known, and says so.

/** Null is a word that only the shell knows: `$X`, `*.sh`, `` `pwd` ``. */
export type Word = string | null;

/** A command with its words; a group is what stands in parentheses, where a change of folder ends with them. */
export type ShellPart =
  | { readonly kind: "command"; readonly words: readonly Word[] }
  | { readonly kind: "open" }
  | { readonly kind: "close" };

type Reading = {
  readonly parts: ShellPart[];
  words: Word[];
  /** The word being read; undefined between words. */
  word: Word | undefined;
  /** The next word is where output goes, or where input comes from. */
  isRedirected: boolean;
};

export function shellParts(line: string): readonly ShellPart[] {
  const reading: Reading = { parts: [], words: [], word: undefined, isRedirected: false };
  let i = 0;
  while (i < line.length) {
    if (line.startsWith("<<", i)) break; // the lines below are no commands
    if (line[i] === "#" && reading.word === undefined) i = endOf(line, "\n", i);
    else i = readOne(line, i, reading);
  }
  endCommand(reading);
  return reading.parts;
}

/** Takes what begins at `i`, and says where it ends. */
function readOne(line: string, i: number, reading: Reading): number {
  const character = line.charAt(i);
  switch (character) {
    case "'": {
      const end = endOf(line, "'", i + 1);
      add(reading, line.slice(i + 1, end));
      return end + 1;
    }
    case '"':
      return readQuoted(line, i + 1, reading);
    case "\\":
      if (line[i + 1] !== "\n") add(reading, line.charAt(i + 1));
      return i + 2;
    case " ":
    case "\t":
      endWord(reading);
      return i + 1;
    case ">":
    case "<":
      return readRedirection(line, i, reading);
    case "(":
    case ")":
      endCommand(reading);
      reading.parts.push({ kind: character === "(" ? "open" : "close" });
      return i + 1;
    default:
      if (/[;&|\n`]/.test(character)) endCommand(reading);
      else if (/[$*?[]/.test(character)) reading.word = null;
      else add(reading, character);
      return i + 1;
  }
}

function readQuoted(line: string, start: number, reading: Reading): number {
  add(reading, "");
  for (let i = start; i < line.length; i += 1) {
    const character = line.charAt(i);
    if (character === '"') return i + 1;
    if (character === "$" || character === "`") reading.word = null;
    else if (character === "\\") {
      i += 1;
      add(reading, line.charAt(i));
    } else add(reading, character);
  }
  return line.length;
}

/** `2>&1` and `>/dev/null` are no words of the command. */
function readRedirection(line: string, i: number, reading: Reading): number {
  if (/^\d$/.test(reading.word ?? "")) reading.word = undefined;
  endWord(reading);
  const [operator = ">"] = /^(?:>>|>&|<&|>\||[<>])/.exec(line.slice(i, i + 2)) ?? [];
  reading.isRedirected = true;
  return i + operator.length;
}

function add(reading: Reading, text: string): void {
  if (reading.word !== null) reading.word = (reading.word ?? "") + text;
}

function endWord(reading: Reading): void {
  if (reading.word === undefined) return;
  if (!reading.isRedirected) reading.words.push(reading.word);
  reading.isRedirected = false;
  reading.word = undefined;
}

function endCommand(reading: Reading): void {
  endWord(reading);
  reading.isRedirected = false;
  if (reading.words.length > 0) reading.parts.push({ kind: "command", words: reading.words });
  reading.words = [];
}

function endOf(line: string, what: string, from: number): number {
  const end = line.indexOf(what, from);
  return end === -1 ? line.length : end;
}
