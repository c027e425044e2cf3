/**
 * A word for `sh`, as itself whatever is in it. For lines that are run; `shellWord` in core is for lines that people read, and
 * makes what cannot be seen visible.
 */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
