/**
 * The script in a prompt: lines `demo: VERB …` anywhere, and every line of a block fenced by ```demo. Any of them may begin
 * with `on attempt N:` or `on attempt N+:`. In texts, \n is a new line. A path with blanks stands in double quotes.
 *
 *     write PATH TEXT     append PATH TEXT     delete PATH     commit MESSAGE     run SHELL LINE
 *     say TEXT            the last one is the final message: a report, or a verdict such as Status: BLOCKED
 *     answer PATH         the text of a file as its final message, for who asks for a document
 *     work                what it does without a script
 *     sleep 200ms         spend USD            retry STATUS [DELAY]      limit [DELAY]      deny TOOL
 *     fail REASON [DELAY] [TEXT]               ends with a result that says so; DELAY is until a limit is over
 *     exit N              kill SIGNAL          both end it at once, without a result
 *     hang [deaf]         says no more; deaf: no signal but KILL ends it
 *     flood SIZE [unbroken]                    prints that much, in lines or as one
 *     daemon [DELAY] [holding]                 leaves a process behind for that long (a minute); holding its stdout
 *     forget              does not leave the file by which it is to say that it is done
 *     print TEXT          a line that is no event          warn TEXT     a line on stderr
 */
export type Verb = { readonly name: string; readonly words: string };

/** The verbs for this attempt, in order. */
export function parseScript(prompt: string, attempt: number): Verb[] {
  return scriptLines(prompt).flatMap((line) => {
    const [, first, more, rest] = /^on attempt (\d+)(\+?):\s*(.*)$/s.exec(line) ?? [];
    if (rest === undefined) return [verbOf(line)];
    const isNow = more === "+" ? attempt >= Number(first) : attempt === Number(first);
    return isNow ? [verbOf(rest)] : [];
  });
}

function scriptLines(prompt: string): string[] {
  const lines: string[] = [];
  let isInside = false;
  for (const raw of prompt.split("\n")) {
    const line = raw.trim();
    if (isInside && line.startsWith("```")) isInside = false;
    else if (line === "```demo") isInside = true;
    else if (isInside) lines.push(line);
    else if (line.startsWith("demo:")) lines.push(line.slice("demo:".length).trim());
  }
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

function verbOf(line: string): Verb {
  const [name, words] = splitWord(line);
  return { name, words };
}

/** The first word, or what stands in double quotes, and the rest. */
export function splitWord(text: string): [word: string, rest: string] {
  const [, quoted, bare = "", rest = ""] = /^(?:"([^"]*)"|(\S+))\s*(.*)$/s.exec(text.trim()) ?? [];
  return [quoted ?? bare, rest];
}

export function unescaped(text: string): string {
  return text.replaceAll("\\n", "\n");
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Null for what is no duration. */
export function durationMs(text: string): number | null {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? null : Number(count) * factor;
}

const SIZES: Readonly<Record<string, number>> = { "": 1, KB: 1_024, MB: 1_024 ** 2, GB: 1_024 ** 3 };

export function sizeBytes(text: string): number | null {
  const [, count, unit = ""] = /^(\d+)(KB|MB|GB|)$/.exec(text) ?? [];
  const factor = SIZES[unit];
  return count === undefined || factor === undefined ? null : Number(count) * factor;
}
