/** Why a path would lead out of the folder that it is relative to, as the end of a sentence; null where it does not. */
export function escapeProblem(path: string): string | null {
  if (path.trim() === "") return "is empty";
  if (Array.from(path).some((c) => c < " " || c === "\u007f")) return "contains a control character";
  if (path.includes("\\")) return "contains a backslash";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is an absolute path";
  if (path === "~" || path.startsWith("~/")) return "is in a home folder";
  // Braces and commas too, since a copy list may hold globs.
  return path.split(/[/{},]/).includes("..") ? 'contains ".."' : null;
}
