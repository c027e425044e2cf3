/** JSON objects that stand somewhere in a text, among words that are none. */

export type JsonInText = {
  /** Behind the closing brace. */
  readonly end: number;
  /** Null where what stands between the braces is no JSON. */
  readonly value: Readonly<Record<string, unknown>> | null;
};

/** What the brace at `start` opens; null where nothing closes it. */
export function objectAt(text: string, start: number): JsonInText | null {
  const end = endOfObject(text, start);
  return end === null ? null : { end, value: parsed(text.slice(start, end)) };
}

function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>; // it begins with a brace: an object
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
