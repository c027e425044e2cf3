import { isAbsolute, relative } from "node:path";

/** Whether a path is this folder or lies below it, by their texts: links are for who asks. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way);
}
