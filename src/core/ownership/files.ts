/** A name that no folder is likely to have: it has an ending, or is one of the customs (Makefile, LICENSE). */
export function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /[^.]\.[A-Za-z0-9_]+$/.test(name) || /^[A-Z]{2,}$/.test(name) || /[a-z]file$/.test(name);
}
