/** Enough to keep the four threads that Node has for files busy, and few enough for any limit on open files. */
const AT_ONCE = 8;

/** Goes through folders, several at once; `visit` says which lie in the one that it looked at. */
export async function throughFolders(
  start: readonly string[],
  visit: (folder: string) => Promise<readonly string[]>,
): Promise<void> {
  const waiting = [...start];
  const underWay = new Set<Promise<void>>();
  try {
    while (waiting.length + underWay.size > 0) {
      while (underWay.size < AT_ONCE) {
        const folder = waiting.pop();
        if (folder === undefined) break;
        const visited = visit(folder).then((inside) => {
          underWay.delete(visited);
          for (const one of inside) waiting.push(one);
        });
        underWay.add(visited);
      }
      await Promise.race(underWay);
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}
