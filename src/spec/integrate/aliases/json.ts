/** What people write into settings: JSON, with comments and with commas behind the last. */
export type Fields = ReadonlyMap<string, unknown>;

/** The object that a text is; null where it is none. */
export function fieldsIn(text: string): Fields | null {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  try {
    return fieldsOf(JSON.parse(plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1")));
  } catch {
    return null;
  }
}

export function fieldsOf(value: unknown): Fields | null {
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  return isOne ? new Map(Object.entries(value)) : null;
}

const DEEPEST = 8;

/** Every text in it, in order: in a list, or under whatever condition. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
