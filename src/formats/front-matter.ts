/** Where the YAML stands in a text: offsets, so that ranges need no correction afterwards. */
export type Part = { readonly start: number; readonly end: number };

/**
 * The YAML between the first line `---` and the next one, or a line `...`. Null when the text does not begin that way.
 * A name that ends in .yaml, .yml or .json says that the whole file is the plan: there `---` separates documents.
 */
export function frontMatter(path: string, text: string): Part | null {
  if (isWholePlan(path)) return null;
  const part = openedFrontMatter(text);
  return part?.isClosed ? { start: part.start, end: part.end } : null;
}

/** The same whatever the file is called; without a closing line it goes to the end of the text. */
export function openedFrontMatter(text: string): (Part & { readonly isClosed: boolean }) | null {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (!opening) return null;
  const start = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*\r?$/gm;
  closing.lastIndex = start;
  const end = closing.exec(text)?.index;
  return { start, end: end ?? text.length, isClosed: end !== undefined };
}

/** Where front matter begins that does not count because something stands above it. */
export function misplacedFrontMatter(path: string, text: string): number | null {
  if (isWholePlan(path)) return null;
  const found = /^---[ \t]*\r?$/m.exec(text);
  return found && found.index > 0 ? found.index : null;
}

/** Its name says that all of it is the plan. */
export function isWholePlan(path: string): boolean {
  return /\.(ya?ml|json)$/i.test(path);
}
