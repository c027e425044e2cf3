/** Marks of a block of code in Markdown: three or more of one kind, and for its end at least as many and nothing behind them. */
const MARK = /^\s*(`{3,}|~{3,})(.*)$/s;

/** The mark that is open behind a line, from the one that was open before it; null where none is. */
export function fenceAfter(line: string, open: string | null): string | null {
  const [, mark, rest = ""] = MARK.exec(line) ?? [];
  if (mark === undefined) return open;
  if (open === null) return mark.startsWith("`") && rest.includes("`") ? null : mark;
  return mark.startsWith(open) && rest.trim() === "" ? null : open;
}
