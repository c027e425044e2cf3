/** What a lock file has: all versions by name, and those that the project itself gets. */
export type NodeLock = {
  readonly locked: ReadonlyMap<string, readonly string[]>;
  readonly direct: ReadonlyMap<string, string>;
};

/** Of packages that are named in package.json: by name, with the range that stands there. */
export type Named = ReadonlyMap<string, string>;

/** A file that is no JSON is judged by the tools of the project. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
